// One message that names the remedy; the program goes on.
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=experiment_ms=5:output=/proc/nowhere/p.causal %t 2>&1 | FileCheck %s
// CHECK: causal: cannot open /proc/nowhere/p.causal (errno {{[0-9]+}}): no profile is written from here on. Set output= in CAUSAL_OPTIONS
// CHECK-NOT: causal:
// CHECK: program ran
#include "Inputs/work.h"
#include <causal/causal.h>
#include <stdio.h>
int main(void) {
  for (int I = 0; I < 100; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
  puts("program ran");
}
