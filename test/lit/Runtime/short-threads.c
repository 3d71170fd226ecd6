// Threads that end before their first period does: each sample in the line stands for a
// whole period all the same, so that what is asked of the program to pause for is its
// samples times the speedup.
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: rm -f %t.causal
// RUN: env "CAUSAL_OPTIONS=output=%t.causal:fixed_speedup=50:fixed_line='short-threads.c:21'" %t
// RUN: %python %S/Inputs/charged.py %t.causal
#include <causal/causal.h>
#include <pthread.h>
#include <time.h>

static double seconds(clockid_t Clock) {
  struct timespec T;
  clock_gettime(Clock, &T);
  return (double)T.tv_sec + (double)T.tv_nsec * 1e-9;
}

static void *worker(void *Argument) {
  double End = seconds(CLOCK_THREAD_CPUTIME_ID) + 250e-6;
  do
    for (volatile int I = 0; I < 20000; ++I) { // Line 21.
    }
  while (seconds(CLOCK_THREAD_CPUTIME_ID) < End);
  return Argument;
}

int main(void) {
  double End = seconds(CLOCK_MONOTONIC) + 2;
  while (seconds(CLOCK_MONOTONIC) < End) {
    pthread_t T;
    pthread_create(&T, 0, worker, 0);
    pthread_join(T, 0);
    CAUSAL_PROGRESS;
  }
  return 0;
}
// SERIAL: its threads are to run when they want to.
