//===- GrowthFitTest.cpp --------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simulated costs of known growth: what a fit claims has to be true as often as it says.
// Seeds are fixed. docs/measurements/input-fits.md has the whole table.
//
//===----------------------------------------------------------------------===//

#include "lib/input/GrowthFit.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <set>

using namespace causal;
using testing::Each;
using testing::ElementsAre;
using testing::Field;

namespace {

/// Cost of \p Class at inputs from 8 on, evenly spread in their logarithm.
std::vector<GrowthPoint> pointsOf(GrowthClass Class, int Number, double Span, double Noise,
                                  double Base, std::mt19937_64 &Random) {
  std::uniform_real_distribution<> Place(0, 1);
  std::normal_distribution<> Normal(0, 1);
  std::set<double> Inputs;
  for (int I = 0; I < Number; ++I)
    Inputs.insert(std::max(2.0, std::round(8 * std::pow(Span, Place(Random)))));
  std::vector<GrowthPoint> Points;
  for (double X : Inputs)
    Points.push_back({X, (Base + 5 * Class.at(X)) * std::exp(Noise * Normal(Random))});
  return Points;
}

std::vector<GrowthPoint> exact(GrowthClass Class, double Base = 10) {
  std::vector<GrowthPoint> Points;
  for (double X = 10; X < 20000; X = std::floor(1.4 * X))
    Points.push_back({X, Base + 3 * Class.at(X)});
  return Points;
}

struct Setting {
  int Number;
  double Span, Noise;
  // Percent.
  double Exact;     ///< Of fits, that the most likely class is the true one, at least.
  double Size;      ///< Of the set, at most.
  double Undecided; ///< Whether faster than a line, at most.
};

class Simulated : public testing::TestWithParam<Setting> {};

TEST_P(Simulated, ClaimsAreTrueAsOftenAsTheySay) {
  const Setting &S = GetParam();
  std::mt19937_64 Random(7);
  const GrowthClass Truths[] = {{0, 1}, {.5, 0}, {1, 0}, {1, 1}, {1.5, 0}, {2, 0}, {2, 1}, {3, 0}};
  const double Bases[] = {0, 10, 50};
  double Known = 0, Exact = 0, InSet = 0, Size = 0, Decided = 0, Right = 0, Powers = 0, Covered = 0;
  for (GrowthClass Truth : Truths)
    for (int I = 0; I < 40; ++I) {
      Growth G = fitGrowth(pointsOf(Truth, S.Number, S.Span, S.Noise, Bases[I % 3], Random));
      if (G.Is != Growth::Known)
        continue;
      ++Known;
      Exact += G.best().Class == Truth;
      InSet += std::count(G.Set.begin(), G.Set.end(), Truth);
      Size += double(G.Set.size());
      EXPECT_GE(G.Confidence, 0.95);
      if ((Linear < G.Set.front()) == (Linear < G.Set.back())) {
        ++Decided;
        Right += (Linear < G.Set.front()) == (Linear < Truth);
      }
      if (!Truth.Logs) {
        ++Powers;
        Covered += G.Exponent.Low <= Truth.Power && Truth.Power <= G.Exponent.High;
      }
    }
  ASSERT_GT(Known, 100);
  std::printf("| %d, %.0fx, %.0f %% | %.0f %% | %.0f %% (%.1f) | %.0f %% (%.0f %%) | %.0f %% |\n",
              S.Number, S.Span, 100 * S.Noise, 100 * Exact / Known, 100 * InSet / Known,
              Size / Known, 100 * Right / Decided, 100 * (1 - Decided / Known),
              100 * Covered / Powers);
  EXPECT_GE(100 * InSet / Known, 92) << "truth in the set";
  EXPECT_GE(100 * Right / Decided, 97) << "decided right";
  EXPECT_GE(100 * Covered / Powers, 88) << "exponent in its interval";
  EXPECT_GE(100 * Exact / Known, S.Exact);
  EXPECT_LE(Size / Known, S.Size);
  EXPECT_LE(100 * (1 - Decided / Known), S.Undecided);
}

// The first rows are those of the study that this method comes from.
INSTANTIATE_TEST_SUITE_P(
    Settings, Simulated,
    testing::Values(Setting{5, 10, .1, 45, 6, 55}, Setting{8, 100, .1, 70, 3.5, 34},
                    Setting{15, 100, .02, 97, 1.1, 2}, Setting{15, 1000, .3, 72, 3.2, 35},
                    Setting{40, 1000, .1, 96, 1.2, 2}, Setting{5, 100, .02, 90, 2.6, 20},
                    Setting{5, 1000, .3, 50, 6, 60}, Setting{8, 10, .3, 30, 7, 60},
                    Setting{15, 10, .1, 55, 4.2, 42}, Setting{40, 100, .3, 70, 3, 28},
                    Setting{40, 10, .02, 88, 1.7, 4}, Setting{8, 1000, 0, 100, 1.05, 1}));

TEST(GrowthFit, FindsEachClassFromExactCosts) {
  for (const GrowthClass &Class : growthClasses()) {
    Growth G = fitGrowth(exact(Class));
    ASSERT_EQ(G.Is, Growth::Known);
    EXPECT_EQ(toString(G.best().Class), toString(Class));
    EXPECT_THAT(G.Set, ElementsAre(Class)) << toString(Class);
    EXPECT_FALSE(G.Wavy);
    EXPECT_NEAR(G.AtTwice.Value, 10 + 3 * Class.at(2 * G.Largest), 1e-6 * G.AtTwice.Value);
  }
}

TEST(GrowthFit, ConstantCostIsConstant) {
  std::vector<GrowthPoint> Points;
  for (double X = 1; X < 1000; X *= 2)
    Points.push_back({X, 42});
  Growth G = fitGrowth(Points);
  EXPECT_THAT(G.Set, ElementsAre(GrowthClass()));
  EXPECT_EQ(G.Exponent.Value, 0);
  EXPECT_EQ(describeGrowth(G), "constant");
}

TEST(GrowthFit, CostThatFallsIsConstant) {
  std::vector<GrowthPoint> Points;
  for (double X = 1; X < 1000; X *= 2)
    Points.push_back({X, 100 + 1000 / X});
  EXPECT_EQ(fitGrowth(Points).Set.front(), GrowthClass());
}

TEST(GrowthFit, ClaimsNothingFromFewInputs) {
  std::vector<GrowthPoint> Points;
  for (double X : {10, 100, 1000, 10000})
    Points.push_back({X, X * X});
  Growth G = fitGrowth(Points);
  EXPECT_EQ(G.Is, Growth::FewInputs);
  EXPECT_TRUE(G.Fits.empty());
  EXPECT_EQ(describeGrowth(G), "not known: 4 inputs");
  Points.push_back({10100, 10100. * 10100}); // No other input: it differs by a hundredth.
  EXPECT_EQ(fitGrowth(Points).Is, Growth::FewInputs);
  Points.push_back({20000, 4e8});
  EXPECT_EQ(fitGrowth(Points).Is, Growth::Known);
}

TEST(GrowthFit, ClaimsNothingFromANarrowSpan) {
  std::vector<GrowthPoint> Points;
  for (double X = 100; X < 395; X += 10)
    Points.push_back({X, X * X});
  Growth G = fitGrowth(Points);
  EXPECT_EQ(G.Is, Growth::NarrowSpan);
  EXPECT_EQ(describeGrowth(G), "not known: inputs span 3.8x");
}

TEST(GrowthFit, NoPointsAreNoGrowth) {
  EXPECT_EQ(fitGrowth({}).Is, Growth::FewInputs);
  EXPECT_EQ(fitGrowth({{0, 5}, {3, 0}, {7, INFINITY}}).Inputs, 0u);
}

TEST(GrowthFit, OneOutlierDoesNotDecide) {
  std::vector<GrowthPoint> Points = exact(Linear);
  Points[Points.size() / 2].Cost *= 20;
  Growth G = fitGrowth(Points);
  EXPECT_EQ(toString(G.best().Class), "n");
}

TEST(GrowthFit, ManyCallsOfLikeInputsDoNotOutvoteTheRest) {
  // A thousand small inputs with noise, and a few large ones that show a square.
  std::mt19937_64 Random(1);
  std::normal_distribution<> Normal(0, 0.2);
  std::vector<GrowthPoint> Points;
  for (int I = 0; I < 1000; ++I) {
    double X = 10 + I % 10;
    Points.push_back({X, X * X * std::exp(Normal(Random))});
  }
  for (double X : {50., 200., 1000., 5000., 20000.})
    Points.push_back({X, X * X});
  EXPECT_EQ(toString(fitGrowth(Points).best().Class), "n^2");
}

TEST(GrowthFit, KnownVarianceIsWeighted) {
  // Those in the middle are far off, and known to be uncertain.
  std::vector<GrowthPoint> Points = exact(GrowthClass{2, 0});
  for (size_t I = 3; I < 8; ++I) {
    Points[I].Cost *= 1.5;
    Points[I].Variance = 0.25;
  }
  EXPECT_EQ(toString(fitGrowth(Points).best().Class), "n^2");
}

TEST(GrowthFit, WavesMakeTheSetWider) {
  // Doubling of a table: the true cost goes in steps around a line.
  std::vector<GrowthPoint> Points;
  for (double X = 10; X < 1e6; X *= 1.15)
    Points.push_back({X, X * (1 + 0.5 * std::fabs(std::sin(1.5 * std::log(X))))});
  Growth G = fitGrowth(Points);
  EXPECT_TRUE(G.Wavy);
  EXPECT_THAT(G.Set, testing::Contains(Linear));
}

TEST(GrowthFit, OrderOfPointsDoesNotMatter) {
  std::mt19937_64 Random(3);
  std::vector<GrowthPoint> Points = pointsOf({1, 1}, 20, 100, 0.05, 10, Random);
  Growth A = fitGrowth(Points);
  std::shuffle(Points.begin(), Points.end(), Random);
  Growth B = fitGrowth(Points);
  EXPECT_EQ(A.Set, B.Set);
  EXPECT_EQ(A.Exponent.Low, B.Exponent.Low);
}

TEST(GrowthClass, NamesAreReadAsTheyAreWritten) {
  for (const GrowthClass &Class : growthClasses()) {
    auto Read = parseGrowthClass(toString(Class));
    ASSERT_TRUE(bool(Read)) << toString(Class);
    EXPECT_EQ(*Read, Class);
  }
}

TEST(GrowthClass, ReadsWhatPeopleWrite) {
  auto Read = [](const char *Text) {
    auto Class = parseGrowthClass(Text);
    return Class ? toString(*Class) : llvm::toString(Class.takeError());
  };
  EXPECT_EQ(Read("O(1)"), "constant");
  EXPECT_EQ(Read("O(n log n)"), "n log n");
  EXPECT_EQ(Read("N*log(N)"), "n log n");
  EXPECT_EQ(Read("n²"), "n^2");
  EXPECT_EQ(Read(" n ^ 1.50 "), "n^1.5");
  EXPECT_EQ(Read("√n"), "sqrt n");
  EXPECT_EQ(Read("n sqrt n"), "n^1.5");
  EXPECT_EQ(Read("log^2 n"), "log^2 n");
  EXPECT_EQ(Read("n^2log^3n"), "n^2 log^3 n");
  for (const char *Wrong :
       {"", "m", "2", "n^", "n^x", "log", "log^1.5 n", "n log n log n", "n+1", "2^n", "n^10", "n!"})
    EXPECT_THAT(Read(Wrong), testing::HasSubstr("is no growth class")) << Wrong;
}

TEST(GrowthClass, AreInOrder) {
  EXPECT_TRUE(std::is_sorted(growthClasses().begin(), growthClasses().end()));
  EXPECT_TRUE((Linear < GrowthClass{1, 1}));
  EXPECT_TRUE((GrowthClass{.5, 1} < Linear));
}

} // namespace
