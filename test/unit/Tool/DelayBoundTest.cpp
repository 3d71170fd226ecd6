//===- DelayBoundTest.cpp - What delays can have brought -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileText.h"
#include "lib/causal/SpeedupModel.h"

#include <random>

using namespace causal;

namespace {

TEST(DelayBound, NoLuckMakesAColdLineCount) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 4; ++I) // 30 % better, by delays of 1 ms in a second.
    T.experiment(1, 0, 1000, 1000)
        .experiment(1, 75, 1000, ProfileText::throughput(1300), 2,
                    /*InsertedDelay=*/1);
  LineCurve C = rankLines(read(T), 0, ModelOptions())[0];
  EXPECT_NEAR(C.Ceiling, 0.001, 1e-5);
  EXPECT_LE(C.Bound, C.Ceiling);
  EXPECT_EQ(C.Says, Verdict::NoEffect);
}

// Whatever the noise: nothing is gained or lost by far more than delays can have done.
TEST(DelayBound, KnowsThatAColdLineCannotMatter) {
  std::mt19937 Random(1);
  std::normal_distribution<double> Noise(1, 0.3);
  ProfileText T;
  T.run();
  for (int I = 0; I < 40; ++I) {
    T.experiment(1, 0, 100, int64_t(1000 * Noise(Random)));
    T.experiment(1, 60, 100, ProfileText::throughput(int64_t(1000 * Noise(Random))), 20, 20);
  }
  for (unsigned Speedup : {20, 85, 50})
    T.experiment(2, Speedup, 100, ProfileText::throughput(int64_t(1000 * Noise(Random))), 2,
                 0.005 * Speedup);
  Profile P = read(T);
  std::vector<LineCurve> Curves = rankLines(P, 0, ModelOptions());
  ASSERT_EQ(Curves.size(), 2u);
  bool ColdFirst = P.lines()[Curves[0].Line].Line == 2;
  const LineCurve &OfHot = Curves[ColdFirst], &OfCold = Curves[!ColdFirst];
  Estimate Hot = *OfHot.gainAt(50), Cold = *OfCold.gainAt(50);
  EXPECT_GT(Hot.High - Hot.Low, 0.08);
  EXPECT_LT(Cold.High - Cold.Low, 0.02);
  EXPECT_LE(Cold.Low, 0);
  EXPECT_GE(Cold.High, 0.0025);
  EXPECT_EQ(OfCold.Says, Verdict::NoEffect);
  // A few experiments without a sample may have missed it.
  ProfileText U;
  U.run().experiment(1, 0, 100, 1000).experiment(1, 0, 100, 1000);
  U.experiment(1, 50, 20, ProfileText::throughput(200), 0, 0);
  EXPECT_EQ(rankLines(read(U), 0, ModelOptions())[0].Says, Verdict::Unclear);
}

// What has not been sampled may be as much as three samples stand for.
TEST(DelayBound, ASampleMayStandForSeveralPeriods) {
  auto Says = [](const char *Weight) {
    ProfileText T;
    T.run().experiment(1, 0, 100, 1000).experiment(1, 0, 100, 1000);
    T.experiment(1, 50, 100, ProfileText::throughput(1000), 0, 0);
    T.snapshot(10000, 5000, 0, 0, R"("dropped":0)", 0, Weight);
    return rankLines(read(T), 0, ModelOptions())[0].Says;
  };
  EXPECT_EQ(Says(""), Verdict::NoEffect);
  EXPECT_EQ(Says(R"(,"sample_weight":8)"), Verdict::Unclear);
}

// Of a line of a phase that experiments have missed they say little.
TEST(DelayBound, KnowsLittleOfALineThatExperimentsHaveMissed) {
  auto Widths = [](int64_t Samples) {
    ProfileText T;
    T.run();
    for (int I = 0; I < 20; ++I)
      T.experiment(1, 0, 100, 1000 + 300 * (I % 3));
    for (unsigned Speedup : {20, 85, 50, 90})
      T.experiment(2, Speedup, 100, ProfileText::throughput(1100), 0, 0);
    T.line(2, Samples, Samples).snapshot(10000, 5000, 1);
    LineCurve C = rankLines(read(T), 0, ModelOptions())[0];
    Estimate E = *C.gainAt(50);
    return std::pair(E.Value - E.Low, C.Says);
  };
  auto [Cold, OfCold] = Widths(40); // 10 ms of 10 s.
  auto [Hot, OfHot] = Widths(8000);
  EXPECT_EQ(OfCold, Verdict::NoEffect);
  EXPECT_EQ(OfHot, Verdict::Unclear);
  EXPECT_GT(Hot, 3 * Cold);
}

// It was selected when it ran, for a fifth of each experiment. Of the run it has 1 %.
TEST(DelayBound, ALineOfFewExperimentsIsWorthWhatItHasOfTheRun) {
  auto Curve = [](bool Ended) {
    ProfileText T;
    T.run();
    for (int64_t Visits : {90, 110, 95, 105})
      T.experiment(1, 0, 100, Visits, 80);
    for (int64_t Visits : {100, 150, 140})
      T.experiment(1, 50, 100, ProfileText::throughput(Visits), 80, /*InsertedDelay=*/12);
    T.line(1, 400, 90);
    if (Ended)
      T.snapshot(10000, 5000, 1);
    return rankLines(read(T), 0, ModelOptions())[0];
  };
  ASSERT_EQ(Curve(true).Phase.Why, PhaseFactor::TooFewSamples);
  EXPECT_LT(Curve(true).gainAt(50)->High, 0.01);
  EXPECT_EQ(Curve(true).Says, Verdict::NoEffect);
  EXPECT_GT(Curve(false).gainAt(50)->High, 0.05) << "how long it still runs is not known";
}

TEST(DelayBound, NoLuckBringsMoreThanTheDelays) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 4; ++I) { // A fifth of the time: 1 % delays at 5 %.
    T.experiment(1, 0, 1000, 1000);
    T.experiment(1, 5, 990, ProfileText::throughput(1600), 2, 10);
    T.experiment(1, 75, 850, ProfileText::throughput(1000), 2, 150);
  }
  LineCurve C = rankLines(read(T), 0, ModelOptions())[0];
  EXPECT_NEAR(C.Ceiling, 0.15, 1e-5);
  EXPECT_LE(C.gainAt(5)->High, 1.5 * 0.2 * 0.05 + 1e-9);
  EXPECT_LE(C.Best.Gain.Value, 1.5 * C.Ceiling);
  EXPECT_LE(C.Bound, C.Ceiling);
}

// That was a gain of 0 % width, and causal run took it for all that is to be known.
TEST(DelayBound, ABoundIsNoKnowledge) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 12; ++I) {
    T.experiment(1, 0, 1000, 1000 + 20 * (I % 4));
    T.experiment(1, 50, 900, ProfileText::throughput(1600 + 40 * (I % 3)), 2, 100);
  }
  LineCurve C = rankLines(read(T), 0, ModelOptions())[0];
  std::optional<Estimate> E = C.gainAt(50);
  ASSERT_TRUE(E);
  EXPECT_NEAR(E->High, 1.5 * C.Ceiling, 1e-9);
  EXPECT_LT(E->Low, E->High - 0.005);
}

TEST(DelayBound, LatencyMayFallByMoreThanTheWorkInIt) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 4; ++I) { // Half the requests in flight at 10 % delays.
    T.experiment(1, 0, 1000, ProfileText::latency(1000, 10));
    T.experiment(1, 50, 900, ProfileText::latency(1000, 5), 2, 100);
  }
  LineCurve C = rankLines(read(T), 0, ModelOptions())[0];
  EXPECT_NEAR(C.gainAt(50)->Value, 1 - 0.5 * 0.9, 0.01);
}

} // namespace
