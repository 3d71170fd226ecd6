//===- openmp.cpp - A parallel loop of unequal halves, and a critical section ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// FLAGS: -fopenmp
#include "Region.h"

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Short = accuracy::region("short", 250);
  long Long = accuracy::region("long", 400);
  long Shared = accuracy::region("shared", 100);
  while (accuracy::running()) {
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int Half = 0; Half < 2; ++Half) {
      if (Half) {
        WORK(Long); // REGION long
      } else {
        WORK(Short); // REGION short
      }
#pragma omp critical // SECTION shared
      {
        WORK(Shared); // REGION shared
      }
    }
    ITEM_DONE();
  }
  return accuracy::finish();
}
