// Threads that spin are at work, though nearly all of their samples come while they are
// inside the runtime: during experiments they look at what they owe in every round. So
// five of them and one that works longer than a time slice share two cores, and what they
// spin through in between belongs to that work.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t -pthread
// RUN: %env_causal_opts="fixed_line='spin-shared-cores.c:57':fixed_speedup=50:experiment_ms=50:output=%t.causal" %t
// RUN: %python %S/Inputs/delayed.py %t.causal 0.16
// RUN: FileCheck %s --input-file=%t.causal
// CHECK: "spun":0.{{[4-9]}}
#define _GNU_SOURCE
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

enum { HelperCount = 5 };

static atomic_long Round;
static atomic_int Left;
static atomic_int Stop;

static void *help(void *Argument) {
  for (long Mine = 1;; ++Mine) {
    while (atomic_load(&Round) < Mine)
      ;
    if (atomic_load(&Stop))
      return Argument;
    WORK(1000);
    atomic_fetch_sub(&Left, 1);
  }
}

static void finishRound(void) {
  atomic_store(&Left, HelperCount);
  atomic_store(&Round, atomic_load(&Round) + 1);
}

static void useTwoCores(void) {
  cpu_set_t Cores;
  sched_getaffinity(0, sizeof(Cores), &Cores);
  int Count = 0;
  for (int I = 0; I < CPU_SETSIZE; ++I)
    if (CPU_ISSET(I, &Cores) && ++Count > 2)
      CPU_CLR(I, &Cores);
  sched_setaffinity(0, sizeof(Cores), &Cores);
}

int main(void) {
  useTwoCores();
  pthread_t Helpers[HelperCount];
  for (int I = 0; I < HelperCount; ++I)
    pthread_create(&Helpers[I], 0, help, 0);
  for (time_t End = time(0) + 3; time(0) < End;) {
    WORK(9000);
    finishRound();
    while (atomic_load(&Left))
      ;
    CAUSAL_PROGRESS;
  }
  atomic_store(&Stop, 1);
  finishRound();
  for (int I = 0; I < HelperCount; ++I)
    pthread_join(Helpers[I], 0);
}
// SERIAL: what others do with the cores is counted.
