// Several lines are one target, which is called as they were given; what is left of the
// program keeps its lines.
// RUN: rm -f %t.causal %t.one.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts="fixed_line='fixed-lines.c:35,Runtime/fixed-lines.c:37':experiment_ms=20:output=%t.causal" %t
// RUN: FileCheck %s --input-file=%t.causal --implicit-check-not='"line":35,'
// RUN: FileCheck %s --input-file=%t.causal --check-prefix=REST
// CHECK: "type":"experiment"
// CHECK-SAME: "file":"fixed-lines.c:35,Runtime/fixed-lines.c","line":37,"function":"","speedup":
// REST-DAG: "type":"line",{{.*}}"file":"{{.*}}/Runtime/fixed-lines.c","line":36,"function":"main"
// REST-DAG: "type":"line",{{.*}}"file":"fixed-lines.c:35,Runtime/fixed-lines.c","line":37,"function":"","samples":

// What is out of scope is in no group.
// RUN: %env_causal_opts="fixed_line='fixed-lines.c:35,fixed-lines.c:37':exclude=fixed-lines.c:output=%t.none.causal" %t 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: no sample fell into fixed_line=

// The report names it by the ends of paths, and finds it by its whole name.
// RUN: %causal report %t.causal | FileCheck %s --check-prefix=REPORT
// REPORT: fixed-lines.c:35,fixed-lines.c:37
// RUN: %causal report --format=json %t.causal | FileCheck %s --check-prefix=JSON
// JSON: "group": [
// JSON-NEXT: "fixed-lines.c:35",
// JSON-NEXT: "Runtime/fixed-lines.c:37"
// RUN: %causal report --line=fixed-lines.c:35,Runtime/fixed-lines.c:37 %t.causal | FileCheck %s --check-prefix=PLOT
// PLOT: fixed-lines.c:35,Runtime/fixed-lines.c:37

// A mistake in a list is said.
// RUN: %env_causal_opts="fixed_line='fixed-lines.c:35,37':output=%t.one.causal" %t 2>&1 | FileCheck %s --check-prefix=MISTAKE
// MISTAKE: no sample fell into fixed_line=fixed-lines.c:35,37. Give a line {{.*}} several are given with a file each
#include "Inputs/work.h"
#include <causal/causal.h>
int main(void) {
  for (int I = 0; I < 400; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
    WORK(1000);
    WORK(1000);
  }
}
