// A stripped program without any DWARF gives the same lines.
// RUN: rm -f %t.causal %t.full.causal
// RUN: %causal_clang -fcausal-profile -O1 -pie -fPIE %s -o %t.full
// RUN: llvm-strip --strip-all %t.full -o %t
// RUN: llvm-readelf -S %t | FileCheck %s --check-prefix=SECTIONS
// RUN: %env_causal_opts=experiment_ms=10:output=%t.full.causal %t.full
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t
// RUN: FileCheck %s --input-file=%t.full.causal
// RUN: FileCheck %s --input-file=%t.causal
// SECTIONS-NOT: .debug_
// CHECK: "type":"experiment",{{.*}}"file":"{{.*}}stripped.c","line":[[#@LINE+6]],"function":"main"
#include "Inputs/work.h"
#include <causal/causal.h>
int main(void) {
  for (int I = 0; I < 200; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
}
