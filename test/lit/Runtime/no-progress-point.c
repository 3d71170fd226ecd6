// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %env_causal_opts=output=%t.causal %t 2>&1 | FileCheck %s
// CHECK: causal: no experiment was made: no progress point was reached. For a program that does one job and ends use causal run --end-to-end; else put CAUSAL_PROGRESS
#include "Inputs/work.h"
int main(void) { WORK(50000); }
