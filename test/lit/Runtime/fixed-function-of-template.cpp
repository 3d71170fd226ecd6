// A function of a template is meant by its name, or by one of its lines, with all that was
// made of it; by its arguments, that one alone. The first one has hardly a sample.
// RUN: %causal_clangxx -fcausal-profile -O1 %s -o %t
// RUN: rm -f %t.name %t.line %t.arguments
// RUN: %env_causal_opts="target=function:experiment_ms=20:fixed_line='fixed-function-of-template.cpp:work':output=%t.name" %t
// RUN: grep '"experiment"' %t.name | FileCheck %s --check-prefix=ALL --implicit-check-not='work<'
// RUN: %env_causal_opts="target=function:experiment_ms=20:fixed_line='fixed-function-of-template.cpp:21':output=%t.line" %t
// RUN: grep '"experiment"' %t.line | FileCheck %s --check-prefix=ALL --implicit-check-not='work<'
// RUN: grep '"type":"line"' %t.line | FileCheck %s --check-prefix=SAMPLES --implicit-check-not='work<'
// RUN: %env_causal_opts="target=function:experiment_ms=20:fixed_line='fixed-function-of-template.cpp:work<int>':output=%t.arguments" %t
// RUN: grep '"experiment"' %t.arguments | FileCheck %s --check-prefix=ONE --implicit-check-not='work<short>' --implicit-check-not='"function":"work"'
// ALL: "line":0,"function":"work",
// SAMPLES: "function":"work","samples":{{[0-9]+}}
// ONE: "line":0,"function":"work<int>",
#include "Inputs/work.h"
#include <causal/causal.h>
template <class T> __attribute__((noinline)) void work() {
  static T Done;
  ++Done;
  WORK(1000);
  WORK(1000);
}
int main() {
  for (int I = 0; I < 20; ++I)
    work<short>();
  for (int I = 0; I < 200; ++I) {
    CAUSAL_PROGRESS;
    work<int>();
  }
}
