//===- RunTargetTest.cpp - Is enough known? -------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/RunTarget.h"
#include "ProfileText.h"

using namespace causal;

namespace {

/// Line 1 surely gains 10 % at 50 %. \p Delay: of line 2, in ms of 100, which a few
/// experiments have hit by chance.
Precision precision(double Delay) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 60; ++I)
    for (unsigned Speedup : {0, 50})
      T.experiment(1, Speedup, 1000, 5 * (Speedup ? 2222 : 2000) + I % 3 - 1);
  for (int Visits : {150, 300, 210, 260})
    T.experiment(2, 50, 20, ProfileText::throughput(Visits), 5, Delay * 0.2);
  return precisionOf(read(T), ModelOptions());
}

TEST(RunTarget, IsReachedWhereNothingElseCanMatter) {
  Precision Cold = precision(/*Delay=*/0.5);
  ASSERT_TRUE(Cold.HalfWidth);
  EXPECT_LT(*Cold.HalfWidth, 0.01);
  EXPECT_NEAR(Cold.LeaderGain.Value, 0.1, 0.01);
}

TEST(RunTarget, IsNotReachedWhereAnotherLineMayBringMore) {
  Precision Hot = precision(/*Delay=*/40);
  ASSERT_TRUE(Hot.HalfWidth);
  EXPECT_GT(*Hot.HalfWidth, 0.05);
  EXPECT_NEAR(Hot.LeaderGain.Value, 0.1, 0.01);
}

TEST(RunTarget, NothingIsKnownWithoutASureGain) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 20; ++I)
    T.experiment(1, 0, 1000, 1000 + I % 3).experiment(1, 50, 1000, 1000 + I % 3);
  EXPECT_FALSE(precisionOf(read(T), ModelOptions()).HalfWidth);
}

TEST(RunTarget, TimeLeftFollowsTheSquareRoot) {
  Precision Now;
  EXPECT_FALSE(timeLeft(Now, 0.02, 10));
  Now.HalfWidth = 0.04;
  EXPECT_DOUBLE_EQ(*timeLeft(Now, 0.02, 10), 30);
  Now.HalfWidth = 0.01;
  EXPECT_DOUBLE_EQ(*timeLeft(Now, 0.02, 10), 0);
}

LineCurve curve(Verdict Says, double HalfWidth, unsigned Experiments = 9) {
  LineCurve C{};
  C.Says = Says;
  C.Experiments = Experiments;
  C.Scatter.assign(21, Estimate{0.1, HalfWidth / 2, 0.1 - HalfWidth, 0.1 + HalfWidth});
  return C;
}

TEST(RunTarget, ToClearUpTheFirstThatAreUnclearTakesLonger) {
  std::vector<LineCurve> Curves = {
      curve(Verdict::SpeedsUp, 0.2), curve(Verdict::Unclear, 0.9, /*Experiments=*/2),
      curve(Verdict::Unclear, 0.02), curve(Verdict::NoEffect, 0.3),
      curve(Verdict::Unclear, 0.06), curve(Verdict::Unclear, 0.01)};
  EXPECT_DOUBLE_EQ(*timeUntilClear(Curves, 0.02, 10), 80);
  Curves.push_back(curve(Verdict::Unclear, 0.5));
  EXPECT_DOUBLE_EQ(*timeUntilClear(Curves, 0.02, 10), 80) << "it is the fourth";
  Curves.resize(2);
  EXPECT_FALSE(timeUntilClear(Curves, 0.02, 10));
}

} // namespace
