// Sleeps and transfers to files behave as without us while a line is sped up: results,
// errno, what is left of a sleep that a signal ended, cancellation. A program may have a
// function called like one of them.
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: rm -f %t.causal
// RUN: env "CAUSAL_OPTIONS=output=%t.causal:fixed_line='outside-posix.c:32':fixed_speedup=50:experiment_ms=20" %t %t.file | FileCheck %s
// RUN: grep -q '"speedup":50' %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -static -pthread %s -o %t.static
// RUN: env "CAUSAL_OPTIONS=output=%t.causal:fixed_line='outside-posix.c:32':fixed_speedup=50:experiment_ms=20" %t.static %t.file | FileCheck %s
#include <causal/causal.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

int fdatasync(int Fd) { return -7 * (Fd > 0); } // The program's own.

static double seconds(void) {
  struct timespec T;
  clock_gettime(CLOCK_MONOTONIC, &T);
  return (double)T.tv_sec + (double)T.tv_nsec * 1e-9;
}
static atomic_int Stop;
static void *work(void *Argument) {
  while (!Stop) {
    for (volatile int I = 0; I < 100000; ++I) { // Line 32.
    }
    CAUSAL_PROGRESS;
  }
  return Argument;
}
static void ignore(int Signal) { (void)Signal; }
static void *sleepLong(void *Argument) {
  nanosleep(&(struct timespec){100, 0}, 0);
  return Argument;
}
static struct timespec Left;
static unsigned SecondsLeft;
static void *beWoken(void *Argument) {
  int Result = nanosleep(&(struct timespec){100, 0}, &Left);
  *(int *)Argument = Result == -1 && errno == EINTR;
  SecondsLeft = sleep(100);
  return Argument;
}
#define CHECK(X) printf("%s: %s\n", (X) ? "ok" : "WRONG", #X)

int main(int Argc, char **Argv) {
  (void)Argc;
  pthread_t Worker, Sleeper;
  pthread_create(&Worker, 0, work, 0);
  double Begin = seconds();
  while (seconds() < Begin + 0.3) // Experiments begin.
    usleep(1000);
  Begin = seconds();
  CHECK(nanosleep(&(struct timespec){0, 30000000}, 0) == 0 && seconds() >= Begin + 0.03);
  Begin = seconds();
  CHECK(usleep(30000) == 0 && seconds() >= Begin + 0.03);
  CHECK(thrd_sleep(&(struct timespec){0, 30000000}, 0) == 0);
  CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){0, -1}, 0) == EINVAL);
  errno = 0;
  CHECK(nanosleep(&(struct timespec){0, -1}, 0) == -1 && errno == EINVAL);

  sigaction(SIGUSR1, &(struct sigaction){.sa_handler = ignore}, 0);
  int Interrupted = 0;
  pthread_create(&Sleeper, 0, beWoken, &Interrupted);
  for (int I = 0; I < 2; ++I) {
    usleep(50000);
    pthread_kill(Sleeper, SIGUSR1);
  }
  pthread_join(Sleeper, 0);
  CHECK(Interrupted && Left.tv_sec >= 90);
  CHECK(SecondsLeft >= 90 && SecondsLeft <= 100);

  char Text[4] = "";
  int Fd = open(Argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
  CHECK(pwrite(Fd, "abc", 3, 1) == 3 && pread(Fd, Text, 3, 2) == 2 && !memcmp(Text, "bc", 2));
  CHECK(fsync(Fd) == 0 && fdatasync(Fd) == -7);
  errno = 0;
  CHECK(pread(-1, Text, 3, 0) == -1 && errno == EBADF);
  errno = 0;
  CHECK(fsync(-1) == -1 && errno == EBADF);

  void *Ended;
  pthread_create(&Sleeper, 0, sleepLong, 0);
  usleep(10000);
  pthread_cancel(Sleeper);
  pthread_join(Sleeper, &Ended);
  CHECK(Ended == PTHREAD_CANCELED);
  Stop = 1;
  pthread_join(Worker, 0);
  puts("end");
  return 0;
}
// CHECK-NOT: WRONG
// CHECK: end
