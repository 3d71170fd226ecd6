// Static programs are profiled like any other.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -static -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t
// RUN: FileCheck %s --input-file=%t.causal
// RUN: %causal_clang -fcausal-profile -O1 -static-pie -fPIE -pthread %s -o %t.pie
// RUN: %env_causal_opts=experiment_ms=10:output=%t.pie.causal %t.pie
// RUN: FileCheck %s --input-file=%t.pie.causal
// CHECK: "function":"worker","speedup"
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
static void *worker(void *Argument) {
  for (int I = 0; I < 200; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
  return Argument;
}
int main(void) {
  pthread_t Thread;
  pthread_create(&Thread, 0, worker, 0);
  return pthread_join(Thread, 0);
}
