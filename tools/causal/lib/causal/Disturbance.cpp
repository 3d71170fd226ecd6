//===- Disturbance.cpp ----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Disturbance.h"

#include <algorithm>

namespace causal {

double allSamples(const Run &R, const Snapshot &S) {
  const Losses &L = S.Lost;
  double Counted = double(S.Unlocked) + double(L.Dropped + L.Late + L.Unmapped + L.OutOfScope);
  for (const auto &[Line, C] : S.Lines)
    Counted += double(C.Samples);
  return std::max(Counted, R.Period ? double(L.SampledTime) / double(R.Period) : 0);
}

static double foreignWait(const Profile &P, const Discards &Discarded) {
  double Sum = 0;
  for (const Experiment &E : P.experiments())
    if (!Discarded.contain(E)) // Those are left out.
      Sum += std::max(0.0, (1 + double(E.CoreWait)) / std::max(1.0, double(E.ThreadsPerCore)) - 1);
  size_t Number = P.experiments().size() - Discarded.count();
  return Number ? Sum / double(Number) : 0;
}

Disturbance::Disturbance(const Profile &P, const Discards &Discarded)
    : ForeignWait(foreignWait(P, Discarded)), Threads(!isSingleThreaded(P)) {
  double CPUTime = 0, Samples = 0, Hit = 0;
  for (const Run &R : P.runs()) {
    if (!R.Last)
      continue;
    Samples += allSamples(R, *R.Last);
    Hit += double(R.Last->Lost.Late);
    if (!R.Last->Lost.CPUTime) // Profiles of earlier make do not say.
      continue;
    WallTime += double(R.Last->Wall);
    CPUTime += double(R.Last->Lost.CPUTime);
  }
  Late = Samples > Hit ? Hit / (Samples - Hit) : 0;
  OffCores = WallTime > 0 ? std::max(0.0, 1 - CPUTime / WallTime) : 0;
}

} // namespace causal
