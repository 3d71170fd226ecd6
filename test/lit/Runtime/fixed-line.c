// Every experiment is on the line that was asked for, at the speedup asked for.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts="fixed_line='fixed-line.c:14':fixed_speedup=40:experiment_ms=20:output=%t.causal" %t
// RUN: grep '"experiment"' %t.causal > %t.experiments
// RUN: FileCheck %s --input-file=%t.experiments --implicit-check-not='"line":13,' --implicit-check-not='"speedup":0'
// CHECK: "line":14,"function":"main","speedup":40
#include "Inputs/work.h"
#include <causal/causal.h>
int main(void) {
  for (int I = 0; I < 200; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
    WORK(1000);
  }
}
