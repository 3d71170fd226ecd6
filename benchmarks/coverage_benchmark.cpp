//===- coverage_benchmark.cpp - Do the intervals hold the truth? ----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints how often the 95 % intervals of simulated profiles (SimulatedProfile.h)
// contain the true gain, their mean half-width, and the error of the estimates.
//
//   coverage_benchmark [repetitions] [part of a name] [paired]
//
//===----------------------------------------------------------------------===//
#include "SimulatedProfile.h"

#include "llvm/ADT/StringRef.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace causal;

int main(int argc, char **argv) {
  unsigned Repetitions = argc > 1 ? unsigned(std::atoi(argv[1])) : 200;
  bool Paired = argc > 3;
  std::printf("%-28s %10s %10s %10s %10s\n", "program", "covered %", "± points", "bias",
              "rms error");
  for (SimulatedProgram P : simulatedPrograms()) {
    P.Paired |= Paired;
    if (argc > 2 && !llvm::StringRef(P.Name).contains(argv[2]))
      continue;
    Coverage C = coverage(P, Repetitions, 1);
    std::printf("%-28s %10.1f %9.2f %10.2f %10.2f\n", P.Name, 100 * C.share(),
                100 * C.Width / C.Number, 100 * C.Error / C.Number,
                100 * std::sqrt(C.SquaredError / C.Number));
    std::fflush(stdout);
  }
}
