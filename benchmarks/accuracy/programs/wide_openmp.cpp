//===- wide_openmp.cpp - Loops over all cores, each with what is alone ----===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// FLAGS: -fopenmp
#include "Region.h"

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Alone = accuracy::region("alone", 200);
  long Even = accuracy::region("even", 120), Odd = accuracy::region("odd", 60);
  while (accuracy::running()) {
    WORK(Alone); // REGION alone
#pragma omp parallel for num_threads(accuracy::Threads) schedule(dynamic, 1)
    for (int I = 0; I < 4 * accuracy::Threads; ++I) {
      if (I % 2) {
        WORK(Odd); // REGION odd
      } else {
        WORK(Even); // REGION even
      }
    }
    ITEM_DONE();
  }
  return accuracy::finish();
}
