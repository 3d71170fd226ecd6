// A progress point that comes up when the run has long begun is counted, from its first visit
// on: the whole run is the experiment.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=end_to_end=1:output=%t.causal %t
// RUN: FileCheck %s --input-file=%t.causal
// CHECK: "type":"experiment"
// CHECK-SAME: {"name":"late","kind":"throughput","visits":7
#include "Inputs/work.h"
#include <causal/causal.h>

int main(void) {
  WORK(50000);
  for (int I = 0; I < 7; ++I) {
    CAUSAL_PROGRESS_NAMED("late");
    WORK(5000);
  }
}
