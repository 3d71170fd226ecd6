// Threads count visits apart, and all of them are seen: of more threads than there are
// counters, of threads that have ended, of functions named to the compiler, and those before
// the first sample.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -fcausal-progress=served -O1 -pthread %s -o %t
// RUN: %env_causal_opts=end_to_end=1:output=%t.causal %t
// RUN: FileCheck %s --input-file=%t.causal
// CHECK: "type":"experiment"
// CHECK-DAG: {"name":"item","kind":"throughput","visits":4000,
// CHECK-DAG: {"name":"request","kind":"latency","begins":4000,"ends":4000,
// CHECK-DAG: {"name":"served","kind":"throughput","visits":4000,
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>

enum { Rounds = 2, Threads = 40, Visits = 50 };

__attribute__((noinline)) static void served(void) { __asm__ volatile(""); }

static void *serve(void *Argument) {
  for (int I = 0; I < Visits; ++I) {
    CAUSAL_BEGIN("request");
    CAUSAL_PROGRESS_NAMED("item");
    served();
    CAUSAL_END("request");
  }
  WORK(500);
  return Argument;
}

int main(void) {
  for (int Round = 0; Round < Rounds; ++Round) {
    pthread_t Ids[Threads];
    for (int I = 0; I < Threads; ++I)
      pthread_create(&Ids[I], 0, serve, 0);
    for (int I = 0; I < Threads; ++I)
      pthread_join(Ids[I], 0);
  }
}
