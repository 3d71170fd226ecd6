// Where the tables have no place the program runs without a profile, and is told what to do.
// RUN: %causal_clang -fcausal-profile=input -O1 %s -o %t
// RUN: rm -f %t.causal
// RUN: %env_causal_opts=output=%t.causal setarch -L %t 2>&1 | FileCheck %s --check-prefix=LEGACY
// RUN: not test -e %t.causal
// RUN: sh -c 'ulimit -v 8000000; exec env CAUSAL_OPTIONS=output=%t.causal %t' 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not test -e %t.causal
// RUN: %env_causal_opts=output=%t.causal setarch -R %t | FileCheck %s
// RUN: grep input_snapshot %t.causal
// RUN: %causal_clang -fcausal-profile=input -O1 -no-pie %s -o %t.low
// RUN: rm -f %t.causal && %env_causal_opts=output=%t.causal %t.low | FileCheck %s
// RUN: grep input_snapshot %t.causal
#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int *P = malloc(1000 * sizeof(int));
  for (int I = 0; I < 1000; ++I)
    P[I] = rand() & I;
  int Sum = 0;
  for (int I = 0; I < 1000; ++I)
    Sum |= P[I];
  puts(Sum ? "done" : "nothing");
  return 0;
}
// LEGACY: causal: the program has memory at 0x{{.*}}it runs without a profile. Run it as: setarch -R PROGRAM
// LEGACY: done
// LIMIT: causal: cannot reserve {{.*}}Lift the limit on address space (ulimit -v unlimited)
// LIMIT: done
// CHECK: done
