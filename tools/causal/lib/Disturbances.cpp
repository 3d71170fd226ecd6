//===- Disturbances.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Disturbances.h"

#include <algorithm>
#include <vector>

using namespace llvm;

namespace causal {

// Waits for cores, per CPU time.
static constexpr double Seldom = 0.05, Often = 0.1;
/// With so much of the time of the cores, the program was in its own way.
static constexpr double Filled = 0.85;

static double waits(const Experiment &E) {
  return E.Work > 0 ? double(E.Waited) / double(E.Work) : 0;
}

/// Whether the program's threads had all the cores. While they pause, one of them does not.
static bool filledCores(const Experiment &E, int64_t Cores) {
  double Pause = double(std::min(E.Pause, E.Wall));
  return double(E.Work) >=
         Filled * (double(Cores) * (double(E.Wall) - Pause) + Pause);
}

Disturbances::Disturbances(const Profile &P)
    : First(P.experiments().data()), Found(unsigned(P.experiments().size())) {
  std::vector<double> Waits;
  for (const Run &R : P.runs()) {
    if (!R.Cores || R.Experiments.empty())
      continue;
    Waits.clear();
    for (auto [Index, Id] : R.Experiments)
      Waits.push_back(waits(P.experiments()[Id]));
    auto Median = Waits.begin() + ptrdiff_t(Waits.size() / 2);
    std::nth_element(Waits.begin(), Median, Waits.end());
    if (*Median > Seldom)
      continue;
    for (auto [Index, Id] : R.Experiments) {
      const Experiment &E = P.experiments()[Id];
      if (waits(E) > Often && !filledCores(E, R.Cores))
        Found.set(Id);
    }
  }
}

} // namespace causal
