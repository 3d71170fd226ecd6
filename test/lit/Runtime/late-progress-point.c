// A progress point that is visited only when the run is nearly over.
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=output=%t.causal %t 2>&1 | FileCheck %s
// CHECK: causal: no experiment was finished: the first visit of a progress point, before which there is none, came after {{[0-9]+}} of {{[0-9]+}} ms (visits: end: 1). Put CAUSAL_PROGRESS where a unit of work is done, in code that runs all the time, or use causal run --end-to-end
#include "Inputs/work.h"
#include <causal/causal.h>
int main(void) {
  WORK(500000);
  CAUSAL_PROGRESS_NAMED("end");
}
