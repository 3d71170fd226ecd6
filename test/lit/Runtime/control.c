// A control file that says stop lets no experiment begin; another text does.
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: rm -f %t.causal && echo stop > %t.control
// RUN: %env_causal_opts=experiment_ms=5:control=%t.control:output=%t.causal %t 2>/dev/null
// RUN: FileCheck %s --input-file=%t.causal --implicit-check-not='"experiment"'
// CHECK: "type":"run"
// CHECK: "type":"snapshot"{{.*}}"final":false,{{.*}}"experiments":0
// CHECK: "type":"snapshot"{{.*}}"final":true,{{.*}}"experiments":0
// RUN: rm -f %t.causal && echo go > %t.control
// RUN: %env_causal_opts=experiment_ms=5:control=%t.control:output=%t.causal %t
// RUN: grep '"type":"experiment"' %t.causal | FileCheck %s --check-prefix=GO
// GO: "speedup":
#include "Inputs/work.h"
#include <causal/causal.h>
int main(void) {
  for (int I = 0; I < 400; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
}
