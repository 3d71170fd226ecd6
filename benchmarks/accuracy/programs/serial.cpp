//===- serial.cpp - One thread, one thing after the other -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long A = accuracy::region("a", 300), B = accuracy::region("b", 200);
  while (accuracy::running()) {
    WORK(A); // REGION a
    WORK(B); // REGION b
    ITEM_DONE();
  }
  return accuracy::finish();
}
