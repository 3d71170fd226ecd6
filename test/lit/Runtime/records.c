// A run leaves its records, in order; a second run is appended.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=experiment_ms=20:output=%t.causal %t 2>&1 | count 0
// RUN: FileCheck %s --input-file=%t.causal
// RUN: %env_causal_opts=experiment_ms=20:output=%t.causal %t
// RUN: grep -c '"type":"run"' %t.causal | FileCheck %s --check-prefix=RUNS
// CHECK: {"type":"run","version":2,"run":"[[ID:[0-9a-f]+]]","mode":"causal","exe":"{{.*}}records.c.tmp"
// CHECK-SAME: "sampler":"{{perf|timer}}
// CHECK: {"type":"experiment","run":"[[ID]]","index":{{[0-9]+}},"file":"{{.*}}records.c","line":[[#@LINE+11]],"function":"main","speedup":
// CHECK-SAME: "wall":{{[0-9]+}},"delay":{{[0-9]+}},"pause":{{[0-9]+}},"samples":{{[0-9]+}},"work":{{[1-9][0-9]+,("waited":[0-9]+,)?("idle":[0-9]+,)?}}"unsettled":0,
// CHECK-SAME: "points":[{"name":"round","kind":"throughput","visits":{{[1-9][0-9]*}},"span_visits":{{[0-9]+}},"span":{{[0-9]+}},"span_work":{{[0-9]+}},"late_visits":{{[0-9]+}},"late_span":{{[0-9]+}},"late_work":{{[0-9]+}}}]}
// CHECK: {"type":"line","run":"[[ID]]","snapshot":[[#LAST:]],
// CHECK: {"type":"snapshot","run":"[[ID]]",{{.*}}"final":true
// RUNS: 2
#include "Inputs/work.h"
#include <causal/causal.h>
int main(void) {
  for (int I = 0; I < 400; ++I) {
    CAUSAL_PROGRESS_NAMED("round");
    WORK(1000);
  }
}
