// A program with as many progress points as there can be has experiments.
// RUN: %causal_clang -fcausal-profile -O1 -pthread -I%S/Inputs -Wno-unused-function %s -o %t
// RUN: env CAUSAL_OPTIONS=sample_period_us=100:experiment_ms=5:cooloff_ms=1:output=%t.causal %t
// RUN: FileCheck %s --input-file=%t.causal
// What there is no room for is said once, however often it is visited.
// RUN: env CAUSAL_OPTIONS=output=%t.causal %t more 2>&1 | FileCheck %s --check-prefix=MORE
// MORE: no room for progress point "more {{[0-9]+}}" and further ones
// MORE-NOT: no room
// CHECK: "type":"experiment"{{.*}}"name":"a point with a name as long as this number 1000"
#include "busy.h"

static void visitMore(void) {
  for (int I = 0; I < 2000; ++I) {
    char Name[64];
    snprintf(Name, sizeof(Name), "more %d", I);
    EXPECT(__causal_get_counter(CAUSAL_THROUGHPUT, Name));
  }
}

int main(int argc, char **argv) {
  if (argc > 1) {
    visitMore();
    return 0;
  }
  causal_counter *Counters[1001];
  for (int I = 1; I <= 1000; ++I) {
    char Name[64];
    snprintf(Name, sizeof(Name), "a point with a name as long as this number %d", I);
    Counters[I] = __causal_get_counter(CAUSAL_THROUGHPUT, Name);
    EXPECT(Counters[I]);
  }
  busyBegin();
  for (int Round = 0; Round < 300; ++Round) {
    work(300);
    for (int I = 1; I <= 1000; ++I)
      __atomic_fetch_add(&Counters[I]->count, 1, __ATOMIC_RELAXED);
  }
  busyEnd();
  return 0;
}
