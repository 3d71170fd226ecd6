//===- StatisticsTest.cpp
//----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace causal;

namespace {

std::vector<Observation> times(std::vector<double> Visits,
                               double Exposure = 100) {
  std::vector<Observation> Cell;
  for (double V : Visits)
    Cell.push_back({Exposure, Exposure, V});
  return Cell;
}

TEST(MakeCell, IsARatioOfSumsNotAMeanOfRatios) {
  std::vector<Observation> Cell = {{100, 100, 10}, {300, 300, 0}};
  EXPECT_DOUBLE_EQ(makeCell(0, Cell, Dispersion()).Period, 40);
}

TEST(MakeCell, TakesTheDeltaMethodOverTenExperiments) {
  // Period 100/100; each residual is +-20, so the sum has n/(n-1) * 10 * 400.
  Cell C = makeCell(0, times({80, 120, 80, 120, 80, 120, 80, 120, 80, 120}),
                    Dispersion());
  EXPECT_DOUBLE_EQ(C.Period, 1);
  EXPECT_NEAR(C.Variance, 10.0 / 9 * 4000 / (1000.0 * 1000), 1e-12);
}

TEST(Dispersion, IsOfResidualsPerExposure) {
  Dispersion Noise;
  Noise.add(times({80, 120})); // Residuals 20, 20.
  EXPECT_EQ(Noise.Freedom, 1u);
  EXPECT_DOUBLE_EQ(Noise.value(), 8);
}

/// Noise of ten cells like the given one.
Dispersion noise(std::vector<double> Visits) {
  Dispersion Noise;
  for (int I = 0; I < 10; ++I)
    Noise.add(times(Visits));
  return Noise;
}

TEST(MakeCell, SharesTheNoiseOfOtherCellsWhenItHasFewExperiments) {
  EXPECT_NEAR(makeCell(0, times({100}), noise({99, 101})).Variance,
              0.02 * 100 / (100.0 * 100), 1e-12);
}

TEST(MakeCell, DoesNotTrustAFewExperimentsThatAgree) {
  Dispersion Noise;
  Noise.add(times({100, 100}));
  EXPECT_NEAR(makeCell(0, times({100}), Noise).Variance, 1.0 / 100, 1e-12);
}

TEST(MakeCell, FallsBackToPoisson) {
  Cell C = makeCell(0, times({25}), Dispersion());
  EXPECT_NEAR(std::sqrt(C.Variance) / C.Period, 1 / std::sqrt(25.0), 1e-12);
}

TEST(MakeCell, NeverClaimsMoreThanWholeVisitsTell) {
  Cell C = makeCell(0, times({100, 100}), noise({100, 100}));
  EXPECT_NEAR(C.Variance, 2.0 / 6 / (200.0 * 200), 1e-12);
}

TEST(MakeCell, WithoutVisitsHasNoPeriod) {
  EXPECT_EQ(makeCell(0, times({0, 0}), Dispersion()).Visits, 0);
}

/// The stated error must be the real one: over many simulated profiles of
/// renewal processes with a known gain, (estimate - truth) / error has variance
/// near 1.
TEST(GainOver, HasCalibratedErrors) {
  std::mt19937_64 Random(7);
  auto Simulate = [&](double Period, unsigned N) {
    std::gamma_distribution<double> Gap(2, Period / 2);
    std::vector<Observation> Cell;
    for (unsigned I = 0; I < N; ++I) {
      double Visits = -1;
      for (double T = 0; T < 200; T += Gap(Random))
        ++Visits;
      Cell.push_back({200, 200, Visits});
    }
    return Cell;
  };
  for (unsigned N : {4u, 12u}) {
    double SumZ2 = 0;
    constexpr int Rounds = 300;
    for (int Round = 0; Round < Rounds; ++Round) {
      auto Zero = Simulate(1, 12), Fifty = Simulate(0.8, N);
      Dispersion Noise;
      Noise.add(Zero);
      Noise.add(Fifty);
      Cell Baseline = makeCell(0, Zero, Noise);
      Estimate E = gainOver(Baseline, makeCell(50, Fifty, Noise), 1.0);
      SumZ2 += std::pow((E.Value - 0.2) / E.StdErr, 2);
    }
    EXPECT_GT(SumZ2 / Rounds, 0.75) << N;
    EXPECT_LT(SumZ2 / Rounds, 1.4) << N;
  }
}

TEST(GainOver, OfTheBaselineIsZeroAndCertain) {
  Cell Baseline = makeCell(0, times({90, 110}), Dispersion());
  Estimate E = gainOver(Baseline, Baseline, 1.0);
  EXPECT_DOUBLE_EQ(E.Value, 0);
  EXPECT_NEAR(E.StdErr, 0, 1e-9);
}

std::vector<Cell> cells(std::vector<std::pair<unsigned, double>> Points) {
  std::vector<Cell> Cells;
  for (auto [Speedup, Period] : Points) {
    Cell C;
    C.Speedup = Speedup;
    C.Experiments = 1;
    C.Visits = 10;
    C.Period = Period;
    C.Variance = 0.01;
    Cells.push_back(C);
  }
  return Cells;
}

double smoothed(const std::vector<Cell> &Cells, double At) {
  auto Weights = localLinearWeights(Cells, At);
  if (!Weights)
    return NAN;
  double Sum = 0;
  for (size_t I = 0; I < Cells.size(); ++I)
    Sum += (*Weights)[I] * Cells[I].Period;
  return Sum;
}

TEST(LocalLinear, ReproducesALineEvenAtItsEnds) {
  std::vector<Cell> Cells;
  for (unsigned S = 0; S <= 100; S += 5)
    Cells.push_back(cells({{S, 10 - 0.05 * S}}).front());
  for (double At : {0.0, 2.0, 25.0, 50.0, 99.0, 100.0})
    EXPECT_NEAR(smoothed(Cells, At), 10 - 0.05 * At, 1e-9) << At;
}

TEST(LocalLinear, KeepsAKneeThatIsFurtherAwayThanItsWindow) {
  std::vector<Cell> Cells;
  for (unsigned S = 0; S <= 100; S += 5)
    Cells.push_back(cells({{S, S < 50 ? 10 - 0.05 * S : 7.5}}).front());
  EXPECT_NEAR(smoothed(Cells, 25), 8.75, 1e-9);
  EXPECT_NEAR(smoothed(Cells, 75), 7.5, 1e-9);
}

TEST(LocalLinear, TrustsPreciseCellsMore) {
  std::vector<Cell> Cells = cells({{45, 1}, {50, 5}, {55, 1}});
  Cells[1].Variance = 1e6;
  EXPECT_NEAR(smoothed(Cells, 50), 1, 0.01);
}

TEST(LocalLinear, WidensWhereCellsAreScarceButDoesNotGuess) {
  EXPECT_NEAR(smoothed(cells({{0, 10}, {50, 5}}), 25), 7.5, 1e-9);
  EXPECT_TRUE(std::isnan(smoothed(cells({{0, 10}, {90, 5}}), 50)));
  EXPECT_TRUE(std::isnan(smoothed(cells({{0, 10}, {50, 5}}), 75)));
}

TEST(LocalLinear, TakesALoneCellForItsOwnSpeedup) {
  EXPECT_NEAR(smoothed(cells({{0, 10}, {50, 5}}), 50), 5, 1e-9);
}

} // namespace
