// When nobody is at work: a program that now and then has nothing to do for a while, but
// looks at its timers.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=50:output=%t.causal %t
// RUN: %python %S/Inputs/rests.py %t.causal 10 100
#include "Inputs/two_workers.h"
#include <time.h>

static void *lookAtTimers(void *Stop) {
  struct timespec Ms = {0, 1000000};
  while (!__atomic_load_n((int *)Stop, __ATOMIC_RELAXED))
    nanosleep(&Ms, 0);
  return Stop;
}

int main(void) {
  int Stop = 0;
  pthread_t T;
  pthread_create(&T, 0, lookAtTimers, &Stop);
  for (int I = 0; I < 10; ++I) {
    twoWorkers(80);
    struct timespec Rest = {0, 100000000};
    nanosleep(&Rest, 0);
  }
  __atomic_store_n(&Stop, 1, __ATOMIC_RELAXED);
  pthread_join(T, 0);
}
// SERIAL: its threads are to run when they want to.
