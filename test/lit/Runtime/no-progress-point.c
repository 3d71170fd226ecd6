// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=output=%t.causal %t 2>&1 | FileCheck %s
// CHECK: causal: no experiment was made: no progress point was reached. For a program that does one job and ends use causal run --end-to-end; else put CAUSAL_PROGRESS
//
// Who did next to nothing says nothing, unless asked: a caller may take it for a failure.
// RUN: %causal_clang -fcausal-profile -O1 -DBRIEF %s -o %t.brief
// RUN: %env_causal_opts=output=%t.causal %t.brief 2>&1 | count 0
// RUN: %env_causal_opts=output=%t.causal:verbosity=1 %t.brief 2>&1 | FileCheck %s
#include "Inputs/work.h"
#ifdef BRIEF
int main(void) {}
#else
int main(void) { WORK(50000); }
#endif
