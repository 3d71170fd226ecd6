//===- PhaseCorrection.cpp ------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/PhaseCorrection.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace causal {

const char *toString(PhaseFactor::Reason Why) {
  switch (Why) {
  case PhaseFactor::Applied:
    return "applied";
  case PhaseFactor::Disabled:
    return "disabled";
  case PhaseFactor::TooFewSamples:
    return "too-few-samples";
  case PhaseFactor::NotSignificant:
    return "not-significant";
  }
  return "";
}

/// Of an experiment at speedup 0: what the density of samples is of.
static double timeOf(const Experiment &E, const Discards &Discarded) {
  return double(E.effective() - (Discarded.leaveOutIdleTime() ? E.Idle : 0));
}

Density undelayedDensity(const Profile &P, unsigned Line, const Discards &Discarded) {
  Density D;
  for (const Run &R : P.runs()) {
    if (!P.counts(R, P.lines()[Line].Kind))
      continue;
    double Time = double(R.Last->UndelayedWall);
    if (Discarded.leaveOutIdleTime())
      Time -= double(R.Last->UndelayedIdle);
    D.Time += Time * (1 - Discarded.lostToOthers(R));
    if (auto It = R.Last->Lines.find(Line); It != R.Last->Lines.end())
      D.count(double(It->second.UndelayedSamples), R);
  }
  return D;
}

/// A line runs in phases or it does not, a half each; so that of a factor that may be chance
/// a part is believed, and none jumps. A spike and slab prior (Mitchell and Beauchamp, J. Am.
/// Stat. Assoc. 83, 1988) of the factor's logarithm, whose error is \p Error.
static void mix(PhaseFactor &F, double Error) {
  // Selected just when it runs, a line is a little denser in its experiments without phases.
  constexpr double Likely = 0.5, IfNone = 0.03, IfPhases = 0.7;
  double Log = std::log(F.Measured), Variance = Error * Error;
  auto Density = [&](double Deviation) {
    double Sum = Variance + Deviation * Deviation;
    return std::exp(-0.5 * Log * Log / Sum) / std::sqrt(Sum);
  };
  double OfPhases = Likely * Density(IfPhases), OfNone = (1 - Likely) * Density(IfNone);
  double Weight = OfPhases / (OfPhases + OfNone);
  double Share = IfPhases * IfPhases / (Variance + IfPhases * IfPhases);
  double InPhases = std::min(std::exp(Share * Log), PhaseFactor::Largest);
  F.Why = Weight > 0.5 ? PhaseFactor::Applied : PhaseFactor::NotSignificant;
  F.Factor = 1 + Weight * (InPhases - 1);
  F.StdErr = std::hypot(std::sqrt(Weight * (1 - Weight)) * (InPhases - 1),
                        std::sqrt(Weight * Share) * InPhases * Error);
}

PhaseFactor phaseCorrection(const Profile &P, unsigned Line,
                            ArrayRef<const Experiment *> Experiments, const Discards &Discarded) {
  PhaseFactor F;
  Density Overall = undelayedDensity(P, Line, Discarded), Selected;
  unsigned N = 0;
  for (const Experiment *E : Experiments) {
    if (E->Speedup != 0 || Discarded.contain(*E))
      continue;
    ++N;
    Selected.count(double(E->Samples), P.runs()[E->Run]);
    Selected.Time += timeOf(*E, Discarded);
  }
  if (Selected.Samples > 0 && Selected.Time > 0 && Overall.Time > 0)
    F.Measured = Overall.value() / Selected.value();
  if (Overall.taken() < PhaseFactor::MinSamples || Selected.taken() < PhaseFactor::MinSamples ||
      !(Selected.Time > 0))
    return F;

  // Samples of one experiment come in bunches, so the counts of the experiments
  // vary by more than Poisson: take what they show, if it is more.
  double Between = 0;
  for (const Experiment *E : Experiments)
    if (E->Speedup == 0 && !Discarded.contain(*E))
      Between += std::pow(double(E->Samples) - Selected.value() * timeOf(*E, Discarded), 2);
  if (N > 1)
    Selected.Variance = std::max(Selected.Variance, Between * N / (N - 1));
  mix(F, std::sqrt(1 / Overall.taken() + 1 / Selected.taken()));
  return F;
}

} // namespace causal
