//===- Statistics.cpp -----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace causal {

namespace {

constexpr unsigned OwnVarianceExperiments = 10, TrustedFreedom = 10;
constexpr double HalfWidth = 15, MaxHalfWidth = 30, WidenBy = 5;
/// How far beyond the outermost cell of its window a line may be drawn.
constexpr double Reach = 5;

double sum(ArrayRef<Observation> Cell, double Observation::*Field) {
  double Total = 0;
  for (const Observation &O : Cell)
    Total += O.*Field;
  return Total;
}

double square(double X) { return X * X; }

double tricube(double U) {
  U = std::fabs(U);
  return U >= 1 ? 0 : std::pow(1 - U * U * U, 3);
}

} // namespace

void Dispersion::add(ArrayRef<Observation> Cell) {
  double Visits = sum(Cell, &Observation::Visits);
  if (Cell.size() < 2 || Visits <= 0)
    return;
  double Period = sum(Cell, &Observation::Amount) / Visits;
  for (const Observation &O : Cell)
    SquaredResiduals += square(O.Amount - Period * O.Visits) / O.Exposure;
  Freedom += Cell.size() - 1;
}

Cell makeCell(unsigned Speedup, ArrayRef<Observation> Observations,
              const Dispersion &Noise) {
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

Estimate gainOver(const Cell &Baseline, ArrayRef<Cell> Cells,
                  ArrayRef<double> Weights) {
  double Period = 0, Variance = 0, Covariance = 0;
  for (size_t I = 0; I < Cells.size(); ++I) {
    Period += Weights[I] * Cells[I].Period;
    Variance += square(Weights[I]) * Cells[I].Variance;
    if (Cells[I].Speedup == 0)
      Covariance += Weights[I] * Baseline.Variance;
  }
  double Ratio = Period / Baseline.Period;
  double OfRatio =
      (Variance - 2 * Ratio * Covariance + square(Ratio) * Baseline.Variance) /
      square(Baseline.Period);
  return {1 - Ratio, std::sqrt(std::max(OfRatio, 0.0))};
}

/// The weights at one half-width; none if the window is not good enough.
static std::optional<SmallVector<double, 24>> fit(ArrayRef<Cell> Cells,
                                                  double At, double Half) {
  SmallVector<double, 24> K(Cells.size(), 0);
  double S0 = 0, S1 = 0, S2 = 0, First = HUGE_VAL, Last = -HUGE_VAL;
  unsigned Used = 0;
  for (size_t I = 0; I < Cells.size(); ++I) {
    double X = Cells[I].Speedup - At;
    // A latency that is zero throughout has no variance.
    double Kernel = tricube(X / Half) / std::max(Cells[I].Variance, 1e-300);
    if (Kernel <= 0)
      continue;
    K[I] = Kernel;
    S0 += Kernel;
    S1 += Kernel * X;
    S2 += Kernel * X * X;
    First = std::min(First, X);
    Last = std::max(Last, X);
    ++Used;
  }
  if (!Used || First > Reach || Last < -Reach)
    return std::nullopt;
  if (Used == 1) {
    for (double &W : K)
      W /= S0;
    return K;
  }
  double Determinant = S0 * S2 - S1 * S1;
  if (!(Determinant > 0) || !std::isfinite(Determinant))
    return std::nullopt;
  for (size_t I = 0; I < Cells.size(); ++I)
    K[I] *= (S2 - S1 * (Cells[I].Speedup - At)) / Determinant;
  return K;
}

std::optional<SmallVector<double, 24>> localLinearWeights(ArrayRef<Cell> Cells,
                                                          double Speedup) {
  for (double Half = HalfWidth; Half <= MaxHalfWidth; Half += WidenBy)
    if (auto Weights = fit(Cells, Speedup, Half))
      return Weights;
  return std::nullopt;
}

} // namespace causal
