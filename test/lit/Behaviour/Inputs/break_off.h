// Signals that come while a thread pauses before a call that waits.
#include "busy.h"
#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <unistd.h>

static int Event; // Nobody writes to it.
static volatile int Hits;
static void count(int Signal) { ++Hits; }

// Once in Microseconds, and again later for who has missed it.
static void alarmIn(int Microseconds) {
  struct itimerval Timer = {{0, 200000}, {0, Microseconds}};
  setitimer(ITIMER_REAL, &Timer, 0);
}

static void beginToBreakOff(void) {
  sigset_t Alarm;
  sigemptyset(&Alarm);
  sigaddset(&Alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &Alarm, 0); // In the threads of busyBegin().
  busyBegin();
  pthread_sigmask(SIG_UNBLOCK, &Alarm, 0);
  struct sigaction Action = {.sa_handler = count};
  EXPECT(!sigaction(SIGALRM, &Action, 0));
  Event = eventfd(0, 0);
  EXPECT(Event >= 0);
}

// How often Wait(), which would wait for ever, missed the first signal.
static int missed(int (*Wait)(void)) {
  int Missed = 0;
  for (int I = 0; I < 25; ++I) {
    // While it waits for nothing others are delayed, so it owes for a while.
    eventfd_t Number;
    alarmIn(30000);
    EXPECT(read(Event, &Number, sizeof(Number)) == -1 && errno == EINTR);
    int Before = Hits;
    alarmIn(3000);
    EXPECT(Wait() == -1 && errno == EINTR && Hits > Before);
    Missed += Hits > Before + 1;
    alarmIn(0);
  }
  return Missed;
}

// A machine that is busy may let it wait for a core just before the call, and not be busy a
// little later. Without what is tested a futex missed 10, and sigwaitinfo 13.
static void breakOff(const char *Name, int (*Wait)(void)) {
  enum { Many = 7, Tries = 3 };
  int Least = missed(Wait);
  for (int I = 1; I < Tries && Least >= Many; ++I) {
    int Missed = missed(Wait);
    Least = Missed < Least ? Missed : Least;
  }
  if (Least >= Many)
    printf("%s: %d missed\n", Name, Least);
}
