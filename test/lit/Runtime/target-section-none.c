// Who asks for critical sections where there are none is told so, by the program and by
// the report.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts="target=section:experiment_ms=10:output=%t.causal" %t 2>&1 | FileCheck %s --check-prefix=SAYS
// SAYS: no experiment was made: none of {{[0-9]+}} samples fell into a critical section
// SAYS-SAME: target=line
// RUN: not %causal report %t.causal 2>&1 | FileCheck %s --check-prefix=REPORT
// REPORT: No sample fell into a critical section whose lock is taken in a source file in scope ({{[0-9]+}} samples without such a lock)
#include "Inputs/work.h"
#include <causal/causal.h>
int main(void) {
  for (int I = 0; I < 100; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
}
