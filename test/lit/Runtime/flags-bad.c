// What cannot be used is reported with a remedy, and never ends the program.
// RUN: %causal_clang -fcausal-profile %s -o %t
// RUN: %env_causal_opts=sampl=perf:experiment_ms=soon:output=%t.causal %t 2>&1 | FileCheck %s
// CHECK: causal: {{.*}}sampl{{.*}}sampler
// CHECK: causal: {{.*}}experiment_ms{{.*}}soon
// CHECK: program ran
#include <stdio.h>
int main(void) {
  setvbuf(stdout, 0, _IONBF, 0);
  puts("program ran");
}
