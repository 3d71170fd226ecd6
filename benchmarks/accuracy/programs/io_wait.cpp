//===- io_wait.cpp - Computes, then waits for a timer ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <time.h>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Compute = accuracy::region("compute", 300);
  while (accuracy::running()) {
    WORK(Compute); // REGION compute
    timespec T = {0, 300000};
    nanosleep(&T, nullptr);
    ITEM_DONE();
  }
  return accuracy::finish();
}
