// Of a stack deeper than 256 frames the innermost ones are kept, which is said.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O0 %s -o %t
// RUN: %env_causal_opts=mode=cpu:output=%t.causal %t
// RUN: %python %S/Inputs/cpu_profile.py %t.causal --frames deep:cpu:work
// RUN: FileCheck %s --input-file=%t.causal
// CHECK: "type":"stack",{{.*}}"truncated":true
// CHECK: "type":"cpu_snapshot",{{.*}}"truncated":{{[1-9]}}
#include "Inputs/work.h"
static void descend(int Levels) {
  if (Levels)
    descend(Levels - 1);
  else
    work(50);
}
int main(void) {
  name("deep");
  descend(1000);
  return 0;
}
