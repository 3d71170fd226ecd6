// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=experiment_ms=60000:output=%t.causal %t 2>&1 | FileCheck %s
// CHECK: causal: no experiment was finished: the program ran for {{[0-9]+}} ms, and an experiment takes 60000 ms
// RUN: %env_causal_opts=warmup_ms=60000:output=%t.warm.causal %t 2>&1 | FileCheck %s --check-prefix=WARM
// WARM: causal: no experiment was finished: warmup_ms=60000 puts the first one off, and the program ran for {{[0-9]+}} ms. Set it lower in CAUSAL_OPTIONS, or give the program more work
#include "Inputs/work.h"
#include <causal/causal.h>
int main(void) {
  for (int I = 0; I < 50; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
}
