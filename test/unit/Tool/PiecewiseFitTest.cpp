//===- PiecewiseFitTest.cpp --------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/statistics/PiecewiseFit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

using namespace causal;

namespace {

std::vector<FitPoint> points(double (*Gain)(double), double Noise = 0, unsigned Seed = 1) {
  std::mt19937 Random(Seed);
  std::normal_distribution<double> Error(0, 1);
  std::vector<FitPoint> Points;
  for (int I = 1; I <= 20; ++I) {
    double S = I / 20.0, Y = Gain(S) + Noise * Error(Random);
    Points.push_back({S, 1, Y});
  }
  return Points;
}

/// Variance of a point, and the BIC over twenty.
FitRule rule(double Noise) { return {Noise * Noise, std::log(20.0)}; }

double half(double S) { return 0.5 * S; }
double capped(double S) { return 0.5 * std::min(S, 0.4); }
double slowing(double S) { return S < 0.5 ? 0.6 * S : 0.3 + 0.2 * (S - 0.5); }
double falling(double S) { return S < 0.5 ? 0.6 * S : 0.3 - 0.4 * (S - 0.5); }
double contended(double S) { return -0.3 * S; }

TEST(FitCurve, OfALineHasNoKnee) {
  CurveFit F = fitCurve(points(half, 0.02), rule(0.02));
  EXPECT_EQ(F.Knee, 0);
  EXPECT_NEAR(F.Slope, 0.5, 0.02);
  F = fitCurve(points(contended, 0.02), rule(0.02));
  EXPECT_EQ(F.Knee, 0);
  EXPECT_NEAR(F.Slope, -0.3, 0.02);
}

TEST(FitCurve, SeesThatNothingMoreComes) {
  CurveFit F = fitCurve(points(capped, 0.01), rule(0.01));
  EXPECT_NEAR(F.Knee, 0.4, 0.051);
  EXPECT_TRUE(F.isSaturated());
  EXPECT_NEAR(F.at(0.8), 0.2, 0.01);
}

// In a short run few speedups have been tried.
TEST(FitCurve, AKneeMayBeWhereNothingWasMeasured) {
  std::vector<FitPoint> Few;
  for (double S : {0.05, 0.1, 0.2, 0.75, 0.8, 0.9, 1.0})
    Few.push_back({S, 1, capped(S)});
  CurveFit F = fitCurve(Few, {1e-6, std::log(7.0)});
  EXPECT_NEAR(F.Knee, 0.4, 0.001);
  EXPECT_NEAR(F.at(0.5), 0.2, 0.001);
}

TEST(FitCurve, SeesTwoSlopes) {
  CurveFit F = fitCurve(points(slowing, 0.005), rule(0.005));
  EXPECT_NEAR(F.Knee, 0.5, 0.051);
  EXPECT_NEAR(F.Slope, 0.6, 0.05);
  EXPECT_NEAR(F.slopeAfter(), 0.2, 0.05);
}

TEST(FitCurve, SeesACurveThatFallsAgainOnlyWithEvidence) {
  EXPECT_LT(fitCurve(points(falling, 0.005), rule(0.005)).slopeAfter(), -0.3);
  EXPECT_GE(fitCurve(points(falling, 0.005), rule(0.5)).slopeAfter(), 0);
}

TEST(FitCurve, TakesNoiseForNoKnee) {
  unsigned Knees = 0;
  for (unsigned Seed = 0; Seed < 200; ++Seed)
    Knees += fitCurve(points(half, 0.05, Seed), rule(0.05)).Knee > 0;
  EXPECT_LT(Knees, 40u);
}

double gradual(double S) { return 0.3 * (1 - std::exp(-3 * S)); }

TEST(FitCurve, TakesARoundCurveOnlyWhereItMay) {
  FitRule Rule = rule(0.003);
  EXPECT_GT(fitCurve(points(gradual, 0.003), Rule).Knee, 0);
  Rule.MayFade = true;
  CurveFit Round = fitCurve(points(gradual, 0.003), Rule);
  EXPECT_GT(Round.Scale, 0);
  for (double S : {0.1, 0.3, 0.5, 1.0})
    EXPECT_NEAR(Round.at(S), gradual(S), 0.005) << S;
  EXPECT_EQ(fitCurve(points(capped, 0.003), Rule).Scale, 0);
  EXPECT_EQ(fitCurve(points(half, 0.003), Rule).Scale, 0);
}

// Threads on shared cores with work of their own, which makes 0.12 of the visits.
double unlike(double S) { return 0.12 * S / (1 - S + 0.12 * S); }

TEST(FitCurve, TakesARisingCurveOnlyWhereItMay) {
  FitRule Rule = rule(0.003);
  std::vector<FitPoint> Points = points(unlike, 0.003);
  while (Points.back().Speedup > 0.905)
    Points.pop_back(); // Time is not dilated further.
  EXPECT_EQ(fitCurve(Points, Rule).Scale, 0);
  Rule.MayRise = true;
  CurveFit Rising = fitCurve(Points, Rule);
  EXPECT_LT(Rising.Scale, 0);
  EXPECT_EQ(Rising.parameters(), 2u);
  for (double S : {0.1, 0.3, 0.5, 0.75})
    EXPECT_NEAR(Rising.at(S), unlike(S), 0.02) << S;
  EXPECT_EQ(fitCurve(points(half, 0.003), Rule).Scale, 0);
}

TEST(FitCurve, CountsACellWithoutVisits) {
  // Two visits were expected and none came: weight 0, but it pulls down.
  std::vector<FitPoint> Points = {{0.5, 10, 5}, {1, 0, -2}};
  EXPECT_LT(fitCurve(Points, FitRule()).at(0.5), 0.5);
}

// In a phase without progress there are experiments without a visit: they say nothing of
// the slope where there is nothing else.
TEST(FitCurve, HasNoSlopeOfItsOwnWhereNothingWasVisited) {
  std::vector<FitPoint> Points = {{0.05, 192, 90.4}, {0.25, 152, 66.1}, {0.35, 139.3, 56.7},
                                  {0.7, 0, -67.1},   {0.8, 0, -33.9},   {1.0, 0, -66.3}};
  for (double Dispersion : {0.1, 1.0, 60.0}) {
    FitRule Rule{Dispersion, std::log(8.0)};
    Rule.MayFade = true;
    EXPECT_LT(std::fabs(fitCurve(Points, Rule).at(1)), 1000);
    EXPECT_LT(std::fabs(mixCurves(Points, Rule).at(1)), 1000);
  }
}

TEST(FitCurve, OfNothingIsZero) { EXPECT_EQ(fitCurve({}, FitRule()).at(0.5), 0); }

TEST(FitWeights, GiveTheValueOfTheFit) {
  for (auto Gain : {half, capped, slowing}) {
    std::vector<FitPoint> Points = points(Gain, 0.005);
    CurveFit F = fitCurve(Points, rule(0.005));
    for (double S : {0.2, 0.4, 0.9}) {
      llvm::SmallVector<double, 24> W = fitWeights(Points, F, S);
      double Sum = 0;
      for (size_t I = 0; I < Points.size(); ++I)
        Sum += W[I] * Points[I].Weighted / Points[I].Weight;
      EXPECT_NEAR(Sum, F.at(S), 1e-9) << S;
    }
  }
}

// Half of the evidence for either of two curves is half of each, not one of them.
TEST(MixCurves, IsTheMeanOfWhatIsPossible) {
  FitRule Rule = rule(0.02);
  std::vector<FitPoint> Points = points(slowing, 0.02);
  CurveMix Mix = mixCurves(Points, Rule);
  ASSERT_GT(Mix.Parts.size(), 1u);
  double Sum = 0, Least = HUGE_VAL, Most = -HUGE_VAL, Heaviest = 0, Best = 0;
  for (const CurveMix::Part &P : Mix.Parts) {
    Sum += P.Weight;
    Least = std::min(Least, P.Fit.at(0.5));
    Most = std::max(Most, P.Fit.at(0.5));
    if (P.Weight > Heaviest) {
      Heaviest = P.Weight;
      Best = P.Fit.at(0.5);
    }
  }
  EXPECT_NEAR(Sum, 1, 1e-9);
  EXPECT_NEAR(Best, fitCurve(Points, Rule).at(0.5), 1e-9);
  EXPECT_GT(Mix.at(0.5), Least);
  EXPECT_LT(Mix.at(0.5), Most);
  std::array<float, 21> Values;
  Mix.sample(5, Values);
  for (unsigned I = 0; I < Values.size(); ++I)
    EXPECT_NEAR(Values[I], Mix.at(I * 5 / 100.0), 1e-5) << I;
}

// A corner somewhere between what was measured or a round curve fit as well, and differ
// there.
TEST(MixCurves, SpreadWhereTheDataDoNotTellThemApart) {
  std::vector<FitPoint> Few;
  for (double S : {0.05, 0.1, 0.15, 0.95, 1.0})
    Few.push_back({S, 1, std::min(S, 0.365)});
  FitRule Rule{0.005 * 0.005, std::log(5.0)};
  Rule.MayFade = true;
  CurveMix Mix = mixCurves(Few, Rule);
  ASSERT_GT(Mix.Parts.size(), 1u);
  EXPECT_GT(Mix.spread(0.4), 5 * Mix.spread(0.1));
  EXPECT_GT(Mix.spread(0.4), 0.005);
  CurveMix One;
  One.Parts.push_back({{0.5}, 1});
  EXPECT_EQ(One.spread(0.4), 0);
}

} // namespace
