// Threads that were made and have not had a core yet share it like those that had: on one
// core six at a time, of which none lives for long.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=50:max_speedup=0:output=%t.causal %python -c "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}); os.execv(r'%t', ['%t'])"
// RUN: %python -c "import json, statistics; records = [json.loads(r) for r in open(r'%t.causal')]; own = [r['threads_per_core'] for r in records if r['type'] == 'experiment']; print(len(own) > 3, statistics.median(own) > 1.5)" | FileCheck %s
// CHECK: True True
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
#include <time.h>

static void *worker(void *Argument) {
  WORK(200);
  return Argument;
}

int main(void) {
  for (time_t End = time(0) + 2; time(0) < End;) {
    pthread_t Threads[6];
    for (int I = 0; I < 6; ++I)
      pthread_create(&Threads[I], 0, worker, 0);
    for (int I = 0; I < 6; ++I)
      pthread_join(Threads[I], 0);
    CAUSAL_PROGRESS;
  }
}
// SERIAL: its threads are to run when they want to.
