// Ten thousand threads that live for microseconds: each has its account, and all add up.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=mode=cpu:output=%t.causal %t
// RUN: %python %S/Inputs/cpu_profile.py %t.causal --expect brief:cpu
// RUN: grep -c '"type":"thread".*"end":' %t.causal | FileCheck %s
// CHECK: 10000
#include "Inputs/work.h"
static void *brief(void *Argument) { return Argument; }
int main(void) {
  name("brief"); // Threads inherit it.
  for (int I = 0; I < 10000; ++I) {
    pthread_t T;
    if (pthread_create(&T, 0, brief, 0))
      return 1;
    pthread_join(T, 0);
  }
  return 0;
}
