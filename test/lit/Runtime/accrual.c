// Threads that meet more often than they are sampled are delayed by as much as the line takes
// (law 11), whichever the sampler: a timer's samples come once in a tick.
// RUN: rm -f %t.perf %t.timer
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts="experiment_ms=50:fixed_speedup=50:fixed_line='accrual.c:22':output=%t.perf" %t
// RUN: %python %S/Inputs/accrued.py %t.perf 0.86
// RUN: %env_causal_opts="sampler=timer:experiment_ms=50:fixed_speedup=50:fixed_line='accrual.c:22':output=%t.timer" %t
// RUN: %python %S/Inputs/accrued.py %t.timer 0.86
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
enum { Rounds = 2000 };
static pthread_barrier_t Barrier;
static void *helper(void *Argument) {
  for (int I = 0; I < Rounds; ++I) {
    WORK(100);
    pthread_barrier_wait(&Barrier);
  }
  return Argument;
}
static void slow(void) {
  WORK(600); // Line 22, and 0.86 of all work.
}
int main(void) {
  pthread_t Helper;
  pthread_barrier_init(&Barrier, 0, 2);
  pthread_create(&Helper, 0, helper, 0);
  for (int I = 0; I < Rounds; ++I) {
    slow();
    pthread_barrier_wait(&Barrier);
    CAUSAL_PROGRESS;
  }
  pthread_join(Helper, 0);
}
// SERIAL: its threads are to run when they want to.
