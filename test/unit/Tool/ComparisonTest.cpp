//===- ComparisonTest.cpp -------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Comparison.h"

#include "gtest/gtest.h"

using namespace causal;

namespace {

TEST(Comparison, GainOfTwoBaselines) {
  Baseline Before, After;
  Before.Period = 200;
  Before.Variance = 4; // 1 %
  After.Period = 150;
  After.Variance = 2.25;                    // 1 %
  EXPECT_FALSE(gainBetween(Before, After)); // Nothing is known of either.
  Before.Freedom = After.Freedom = 1000;
  std::optional<Estimate> Gain = gainBetween(Before, After);
  ASSERT_TRUE(Gain);
  EXPECT_DOUBLE_EQ(Gain->Value, 0.25);
  EXPECT_NEAR(Gain->StdErr, 0.75 * 0.01 * 1.41421, 1e-6);
  EXPECT_NEAR(Gain->High - Gain->Low, 2 * 1.96 * Gain->StdErr, 1e-4);
}

TEST(Comparison, FewPartsMakeAWideInterval) {
  Baseline B;
  B.Period = 100;
  B.Variance = 1;
  B.Freedom = 2;
  std::optional<Estimate> Few = gainBetween(B, B);
  B.Freedom = 200;
  std::optional<Estimate> Many = gainBetween(B, B);
  EXPECT_GT(Few->High - Few->Low, 1.3 * (Many->High - Many->Low));
}

TEST(Comparison, WideIntervalsAgreeWithNothing) {
  Estimate Said{0.085, 0.02, 0.04, 0.13};
  EXPECT_EQ(agreementOf(Said, {0.275, 0.1, 0.05, 0.5}), Agreement::CannotTell);
  EXPECT_EQ(agreementOf(Said, {0.1, 0.02, 0.06, 0.14}), Agreement::Agree);
  EXPECT_EQ(agreementOf(Said, {0.275, 0.02, 0.235, 0.315}), Agreement::Differ);
  EXPECT_EQ(agreementOf(Said, {0.7, 0.2, 0.3, 1.1}), Agreement::Differ) << "however wide";
  // Of a large gain less precision is enough.
  EXPECT_EQ(agreementOf({0.4, 0.08, 0.24, 0.56}, {0.5, 0.08, 0.34, 0.66}), Agreement::Agree);
  EXPECT_EQ(agreementOf({0.1, 0.08, -0.06, 0.26}, {0.1, 0.01, 0.08, 0.12}), Agreement::CannotTell);
}

TEST(Comparison, PredictionsAddUp) {
  LineChange A{LineChange::Same}, B{LineChange::Same}, None{LineChange::New};
  EXPECT_FALSE(sumOfPredictions({None}));
  A.Predicted = Estimate{0.2, 0.03, 0.14, 0.26};
  B.Predicted = Estimate{0.1, 0.04, 0.02, 0.18};
  std::optional<Estimate> Sum = sumOfPredictions({A, None, B});
  ASSERT_TRUE(Sum);
  EXPECT_DOUBLE_EQ(Sum->Value, 0.3);
  EXPECT_DOUBLE_EQ(Sum->StdErr, 0.05);
  EXPECT_DOUBLE_EQ(Sum->Low, 0.2);
  EXPECT_DOUBLE_EQ(Sum->High, 0.4);
}

} // namespace
