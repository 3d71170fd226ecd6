// A signal that comes while a thread pauses before a call that waits breaks that call off, as
// it would have if the call had begun. One that restarts calls does not, nor is there EINTR
// where nothing is waited for.
// RUN: %build
// RUN: %same --experiments --options=fixed_speedup=95 %t.native %t
#include "break_off.h"
#include <fcntl.h>
#include <poll.h>

static int Pipe[2];
static void put(int Signal) { EXPECT(write(Pipe[1], "x", 1) == 1); }

static double now(void) {
  struct timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return (double)T.tv_sec + (double)T.tv_nsec * 1e-9;
}

int main(void) {
  beginToBreakOff();
  EXPECT(!pipe(Pipe));
  char C;
  struct pollfd Readable = {Pipe[0], POLLIN, 0};
  int Late = 0;
  for (int I = 0; I < 60; ++I) {
    // While it waits for nothing others are delayed, so it owes for a while.
    alarmIn(20000);
    EXPECT(read(Pipe[0], &C, 1) == -1 && errno == EINTR);
    int Before = Hits;
    alarmIn(5000);
    double Begin = now();
    int Result = I % 2 ? (int)read(Pipe[0], &C, 1) : poll(&Readable, 1, -1);
    EXPECT(Result == -1 && errno == EINTR && Hits > Before);
    Late += now() - Begin > 0.15;
    alarmIn(0);
  }
  // A machine that is busy may let it wait for a core just before the call.
  if (Late >= 10)
    printf("%d late\n", Late);

  // Data is there, or whoever asks does not wait.
  EXPECT(!fcntl(Pipe[0], F_SETFL, O_NONBLOCK));
  for (int I = 0; I < 200; ++I) {
    alarmIn(200 + I * 5);
    work(500);
    EXPECT(read(Pipe[0], &C, 1) == -1 && errno == EAGAIN);
    EXPECT(write(Pipe[1], "x", 1) == 1);
    work(500);
    EXPECT(read(Pipe[0], &C, 1) == 1);
    alarmIn(0);
  }
  EXPECT(!fcntl(Pipe[0], F_SETFL, 0));

  // Restarted, it waits for what the handler sends.
  struct sigaction Action = {.sa_handler = put, .sa_flags = SA_RESTART};
  EXPECT(!sigaction(SIGALRM, &Action, 0));
  for (int I = 0; I < 100; ++I) {
    alarmIn(500 + I * 10);
    work(300);
    EXPECT(read(Pipe[0], &C, 1) == 1);
    alarmIn(0);
  }
  busyEnd();
  return 0;
}
