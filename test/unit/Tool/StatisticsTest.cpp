//===- StatisticsTest.cpp
//----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/statistics/Statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

using namespace causal;

namespace {

std::vector<Observation> times(std::vector<double> Visits, double Exposure = 100) {
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
  Cell C = makeCell(0, times({80, 120, 80, 120, 80, 120, 80, 120, 80, 120}), Dispersion());
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
  EXPECT_NEAR(makeCell(0, times({100}), noise({99, 101})).Variance, 0.02 * 100 / (100.0 * 100),
              1e-12);
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
      Estimate E = gainOver(Baseline, makeCell(50, Fifty, Noise));
      SumZ2 += std::pow((E.Value - 0.2) / E.StdErr, 2);
    }
    EXPECT_GT(SumZ2 / Rounds, 0.75) << N;
    EXPECT_LT(SumZ2 / Rounds, 1.4) << N;
  }
}

TEST(GainOver, OfTheBaselineIsZeroAndCertain) {
  Cell Baseline = makeCell(0, times({90, 110}), Dispersion());
  Estimate E = gainOver(Baseline, Baseline);
  EXPECT_DOUBLE_EQ(E.Value, 0);
  EXPECT_NEAR(E.StdErr, 0, 1e-9);
}

TEST(OutlierLimit, FollowsTheMedianAndNotTheOutlier) {
  std::vector<double> Sizes = {0.9, 1.1, 1, 1000, 1};
  EXPECT_NEAR(outlierLimit(Sizes), 3 / 0.6745, 1e-9);
  std::vector<double> Exact = {0, 0, 0};
  EXPECT_GT(outlierLimit(Exact), 1) << "whole visits are never quite exact";
}

} // namespace
