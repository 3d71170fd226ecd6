// Threads that give their core up very often have fewer samples where perf makes that dear, each
// of which stands for more: lines have the time that they took all the same. So does one that
// computes beside them, and whose samples are as they were.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=max_speedup=0:output=%t.causal %t
// RUN: %python %S/Inputs/counted.py %t.causal | FileCheck %s
// CHECK: True
// CHECK: of all: {{0.9|1.0}}
// Not where a period is asked for: each sample counts for one.
// RUN: rm -f %t.causal
// RUN: %env_causal_opts=max_speedup=0:sample_period_us=1000:output=%t.causal %t
// RUN: not grep sample_weight %t.causal
#define _GNU_SOURCE
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static sem_t Turns[2];

static void *takeTurns(void *Argument) {
  sem_t *Mine = Argument, *Other = &Turns[Mine == &Turns[0]];
  cpu_set_t First;
  CPU_ZERO(&First);
  CPU_SET(0, &First);
  sched_setaffinity(0, sizeof(First), &First);
  for (int I = 0; I < 20000; ++I) {
    sem_wait(Mine);
    WORK(20);
    CAUSAL_PROGRESS;
    sem_post(Other);
  }
  return Argument;
}

int main(void) {
  pthread_t Threads[2];
  for (int I = 0; I < 2; ++I)
    sem_init(&Turns[I], 0, I == 0);
  for (int I = 0; I < 2; ++I)
    pthread_create(&Threads[I], 0, takeTurns, &Turns[I]);
  WORK(500000);
  for (int I = 0; I < 2; ++I)
    pthread_join(Threads[I], 0);
}
