// Lines out of scope get no samples; if nothing is in scope, that is said.
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts="scope=/nowhere/*:output=%t.causal" %t 2>&1 | FileCheck %s
// RUN: %env_causal_opts="exclude=*/Runtime/*:output=%t.causal" %t 2>&1 | FileCheck %s
// A value may be as long as is said.
// RUN: bash -c 'CAUSAL_OPTIONS=scope=/$(printf x%%.0s {1..3000}):output=%t.causal %t' 2>&1 | FileCheck %s --implicit-check-not="does not fit"
// CHECK: causal: no experiment was made: none of {{[1-9][0-9]*}} samples fell into a source line in scope
#include "Inputs/work.h"
#include <causal/causal.h>
int main(void) {
  for (int I = 0; I < 100; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
}
