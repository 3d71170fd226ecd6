//===- openmp_regions.cpp - Parallel regions in turn ----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two threads do different things in turn, much shorter than a sample period: one has to wait
// in the first region, none in the second.
//
//===----------------------------------------------------------------------===//
// FLAGS: -fopenmp
#include "Region.h"

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Long = accuracy::region("long", 120), Short = accuracy::region("short", 40);
  long Both = accuracy::region("both", 60);
  while (accuracy::running()) {
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int Half = 0; Half < 2; ++Half) {
      if (Half) {
        WORK(Long); // REGION long
      } else {
        WORK(Short); // REGION short
      }
    }
#pragma omp parallel num_threads(2)
    {
      WORK(Both); // REGION both
    }
    ITEM_DONE();
  }
  return accuracy::finish();
}
