// An unknown mode is reported with the one that was meant, and the program runs unprofiled.
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: rm -f %t.causal
// RUN: env CAUSAL_OPTIONS=output=%t.causal:mode=casual %t 2>&1 | FileCheck %s --check-prefix=TYPO
// TYPO: causal: there is no mode=casual: the program is not profiled. Did you mean mode=causal?
// TYPO: worked
// RUN: test ! -e %t.causal
// Input profiling needs instrumented memory accesses.
// RUN: env CAUSAL_OPTIONS=output=%t.causal:mode=input %t 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: causal: mode=input needs instrumented memory accesses: {{.*}}-fcausal-profile=input
// INPUT: worked
// RUN: test ! -e %t.causal
#include <stdio.h>
int main(void) { return puts("worked") < 0; }
