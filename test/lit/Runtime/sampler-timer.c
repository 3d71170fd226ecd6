// The fallback without perf, and what verbosity=1 says about it.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=sampler=timer:experiment_ms=50:verbosity=1:output=%t.causal %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=PROFILE --input-file=%t.causal
// CHECK: causal: sampler timer
// PROFILE: "sampler":"timer"
// PROFILE: "type":"experiment"
#include "Inputs/work.h"
#include <causal/causal.h>
int main(void) {
  for (int I = 0; I < 500; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
}
