// Merging databases and then summing is summing: in whatever order, and again.
// RUN: rm -rf %t.a %t.b %t.ab %t.ba
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=mode=continuous:db=%t.a %t
// RUN: %env_causal_opts=mode=continuous:db=%t.b %t
// RUN: %causal db collect %t.a && %causal db collect %t.b
// RUN: %causal db merge -o %t.ab %t.a %t.b
// RUN: %causal db push %t.b %t.ba && %causal db push %t.a %t.ba
// RUN: %causal db push %t.a %t.ba | FileCheck %s
// CHECK: 0 machines brought
// RUN: %python %S/Inputs/sum.py %causal %t.ab %t.a %t.b
// RUN: %python %S/Inputs/sum.py %causal %t.ba %t.a %t.b
// A later state takes the place of the one before.
// RUN: %env_causal_opts=mode=continuous:db=%t.a %t
// RUN: %causal db collect %t.a
// RUN: %causal db push %t.a %t.ba | FileCheck --check-prefix=LATER %s
// LATER: 1 machine brought
// RUN: %python %S/Inputs/sum.py %causal %t.ba %t.a %t.b
#include "../Continuous/Inputs/burn.h"
int main(void) {
  burn(100);
  return 0;
}
