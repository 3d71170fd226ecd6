//===- Calibrate.cpp - Iterations of WORK per microsecond -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Run once before a series, so that all its programs have the same work: the best of
// many tries, since interruptions only make it slower.
//
//===----------------------------------------------------------------------===//
#include "programs/Region.h"

int main() {
  constexpr long Iterations = 2000000;
  double Best = 0;
  for (int Try = 0; Try < 200; ++Try) {
    auto T = accuracy::Clock::now();
    WORK(Iterations);
    std::chrono::duration<double, std::micro> Micros =
        accuracy::Clock::now() - T;
    if (Iterations / Micros.count() > Best)
      Best = Iterations / Micros.count();
  }
  printf("%.1f\n", Best);
}
