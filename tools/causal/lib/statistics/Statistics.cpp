//===- Statistics.cpp -----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/statistics/Statistics.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace causal {

namespace {

constexpr unsigned OwnVarianceExperiments = 10, TrustedFreedom = 10;
/// An outlier is this many standard deviations away; a normal variate is within
/// NormalMedian of them half the time.
constexpr double OutlierZ = 3, NormalMedian = 0.6745;
/// What counting whole visits leaves uncertain.
constexpr double LeastSpread = 0.41;

double sum(ArrayRef<Observation> Cell, double Observation::*Field) {
  double Total = 0;
  for (const Observation &O : Cell)
    Total += O.*Field;
  return Total;
}

double square(double X) { return X * X; }

} // namespace

double outlierLimit(MutableArrayRef<double> Sizes) {
  if (Sizes.empty())
    return HUGE_VAL;
  auto Middle = Sizes.begin() + Sizes.size() / 2;
  std::nth_element(Sizes.begin(), Middle, Sizes.end());
  return OutlierZ * std::max(*Middle / NormalMedian, LeastSpread);
}

void Dispersion::add(ArrayRef<Observation> Cell) {
  double Visits = sum(Cell, &Observation::Visits);
  if (Cell.size() < 2 || Visits <= 0)
    return;
  double Period = sum(Cell, &Observation::Amount) / Visits;
  for (const Observation &O : Cell)
    SquaredResiduals += square(O.Amount - Period * O.Visits) / O.Exposure;
  Freedom += Cell.size() - 1;
}

Cell makeCell(unsigned Speedup, ArrayRef<Observation> Observations, const Dispersion &Noise) {
  Cell C;
  C.Speedup = Speedup;
  C.Experiments = Observations.size();
  C.Exposure = sum(Observations, &Observation::Exposure);
  C.Visits = sum(Observations, &Observation::Visits);
  if (C.Visits <= 0)
    return C;
  C.Period = sum(Observations, &Observation::Amount) / C.Visits;
  double N = C.Experiments;
  double OfAmount; // Variance of the sum of Amount - Period * Visits.
  if (C.Experiments >= OwnVarianceExperiments) {
    OfAmount = 0;
    for (const Observation &O : Observations)
      OfAmount += square(O.Amount - C.Period * O.Visits);
    OfAmount *= N / (N - 1);
  } else {
    OfAmount = Noise.Freedom ? Noise.value() * C.Exposure : 0;
    if (Noise.Freedom < TrustedFreedom)
      OfAmount = std::max(OfAmount, square(C.Period) * C.Visits);
  }
  // Where a visit falls between the ends of an experiment is chance: the count
  // of a strictly periodic event has a mean variance of 1/6.
  OfAmount = std::max(OfAmount, N * square(C.Period) / 6);
  C.Variance = OfAmount / square(C.Visits);
  return C;
}

Estimate gainOver(const Cell &Baseline, const Cell &C) {
  if (C.Speedup == 0)
    return {0, 0};
  double Ratio = C.Period / Baseline.Period;
  return {1 - Ratio, std::sqrt(C.Variance + square(Ratio) * Baseline.Variance) / Baseline.Period};
}

} // namespace causal
