// Threads that live for less than a period get their fair share of samples: 400
// threads of 0.5 ms are 200 ms, that is about 200 samples of 1 ms.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=sample_period_us=1000:output=%t.causal %t
// RUN: %python %S/Inputs/sample_count.py %t.causal worker 100 400
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
static void *worker(void *Argument) {
  WORK(500);
  return Argument;
}
int main(void) {
  for (int I = 0; I < 400; ++I) {
    pthread_t Thread;
    pthread_create(&Thread, 0, worker, 0);
    pthread_join(Thread, 0);
    CAUSAL_PROGRESS;
  }
}
