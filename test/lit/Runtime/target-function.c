// With target=function experiments are on all the code of a function, inlined or not,
// and fixed_line names the function by one of its lines.
// RUN: rm -f %t.causal %t.fixed %t.inlined %t.both
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts="target=function:experiment_ms=20:output=%t.causal" %t
// RUN: grep '"experiment"\|"type":"line"' %t.causal > %t.records
// RUN: FileCheck %s --input-file=%t.records --check-prefix=INLINED --implicit-check-not='"line":1'
// RUN: FileCheck %s --input-file=%t.records --check-prefix=CALLED
// INLINED: "line":0,"function":"inlined"
// CALLED: "line":0,"function":"called"
// RUN: %env_causal_opts="target=function:fixed_line='target-function.c:33':experiment_ms=20:output=%t.fixed" %t
// RUN: grep '"experiment"' %t.fixed > %t.experiments
// RUN: FileCheck %s --input-file=%t.experiments --check-prefix=FIXED --implicit-check-not='"function":"inlined"'
// FIXED: "line":0,"function":"called"
// RUN: %env_causal_opts="target=function:fixed_line='target-function.c:37':experiment_ms=20:output=%t.inlined" %t
// RUN: %causal report %t.fixed %t.inlined | FileCheck %s --check-prefix=REPORT
// REPORT: 2 functions
// REPORT: program faster by % (± 95 % interval) if the function is faster by
// REPORT-DAG: target-function.c:called
// REPORT-DAG: target-function.c:inlined
// REPORT: Plot one function with: causal report --line=FILE:FUNCTION
// RUN: %causal report --line=target-function.c:called %t.fixed | FileCheck %s --check-prefix=PLOT
// PLOT: target-function.c:called
// Several functions are one target, too.
// RUN: %env_causal_opts="target=function:fixed_line='target-function.c:called,target-function.c:inlined':experiment_ms=20:output=%t.both" %t
// RUN: grep '"experiment"' %t.both | FileCheck %s --check-prefix=BOTH
// BOTH: "file":"target-function.c:called,target-function.c","line":0,"function":"inlined"
// RUN: %causal report --line=target-function.c:called,target-function.c:inlined %t.both | FileCheck %s --check-prefix=LINE
// LINE: target-function.c:called,target-function.c:inlined
#include "Inputs/work.h"
#include <causal/causal.h>
__attribute__((noinline)) static void called(void) {
  WORK(1000);
  WORK(1000);
}
static inline void inlined(void) {
  WORK(1000);
  WORK(1000);
}
int main(void) {
  for (int I = 0; I < 400; ++I) {
    CAUSAL_PROGRESS;
    called();
    inlined();
  }
}
