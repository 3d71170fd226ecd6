// What samples stand for is the CPU time of the process, that of pauses too.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=50:output=%t.causal %t
// RUN: %python -c "import json; s = [r for r in map(json.loads, open(r'%t.causal')) if r['type'] == 'snapshot'][-1]; print(s['cpu_time'] > 5e8, 0.85 < s['sampled_time'] / s['cpu_time'] < 1.15)" | FileCheck %s
// CHECK: True True
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>

static void *worker(void *Argument) {
  for (int I = 0; I < 600; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
  return Argument;
}

int main(void) {
  pthread_t T;
  pthread_create(&T, 0, worker, 0);
  worker(0);
  pthread_join(T, 0);
}
