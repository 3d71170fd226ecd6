// The fallback without perf, what verbosity=1 says about it, and that a sample stands for a
// tick of the kernel where this is longer than what was asked for.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=sampler=timer:experiment_ms=50:verbosity=1:output=%t.causal %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=PROFILE --input-file=%t.causal
// RUN: %python -c "import json, time; print(json.loads(open(r'%t.causal').readline())['period'] == max(1000000, round(time.clock_getres(6) * 1e9)))" | FileCheck %s --check-prefix=TICK
// CHECK: causal: sampler timer
// TICK: True
// PROFILE: "sampler":"timer"
// PROFILE: "type":"experiment"
// PROFILE: "type":"snapshot"{{.*}}"cpu_time":{{[1-9][0-9]+}},"sampled_time":{{[0-9]+}},
#include "Inputs/work.h"
#include <causal/causal.h>
int main(void) {
  for (int I = 0; I < 1500; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
}
