// The flags are listed, and the program runs as usual.
// RUN: %causal_clang -fcausal-profile %s -o %t
// RUN: not %env_causal_opts=help=1 %t 2>&1 | FileCheck %s
// CHECK: Available flags for CausalProfiler:
// CHECK: sampler
// CHECK: program ran
#include <stdio.h>
int main(void) {
  puts("program ran");
  return 3;
}
