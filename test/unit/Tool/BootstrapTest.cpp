//===- BootstrapTest.cpp -----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/statistics/Bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace causal;

namespace {

TEST(BootstrapWeights, AreExponentialAndFollowTheSeed) {
  std::vector<float> A(60000), B(60000), C(60000);
  BootstrapWeights(7).fill(A);
  BootstrapWeights(7).fill(B);
  BootstrapWeights(8).fill(C);
  EXPECT_EQ(A, B);
  EXPECT_NE(A, C);
  double Sum = 0, Squares = 0, Neighbours = 0;
  for (size_t I = 0; I < A.size(); ++I) {
    Sum += A[I];
    Squares += (A[I] - 1) * (A[I] - 1);
    if (I)
      Neighbours += (A[I] - 1) * (A[I - 1] - 1);
    ASSERT_GT(A[I], 0);
  }
  double N = double(A.size());
  EXPECT_NEAR(Sum / N, 1, 0.02);
  EXPECT_NEAR(Squares / N, 1, 0.05);
  EXPECT_NEAR(Neighbours / N, 0, 0.02);
}

TEST(Quantile, Interpolates) {
  std::vector<float> V = {3, 0, 4, 1, 2};
  EXPECT_EQ(quantile(V, 0), 0);
  EXPECT_EQ(quantile(V, 1), 4);
  EXPECT_NEAR(quantile(V, 0.6), 2.4, 1e-6);
  V.clear();
  EXPECT_EQ(quantile(V, 0.5), 0);
}

TEST(StudentQuantile, IsThatOfTheTables) {
  EXPECT_NEAR(studentQuantile(1), 12.706, 0.01);
  EXPECT_NEAR(studentQuantile(2), 4.303, 0.01);
  EXPECT_NEAR(studentQuantile(4), 2.776, 0.02);
  EXPECT_NEAR(studentQuantile(10), 2.228, 0.002);
  EXPECT_NEAR(studentQuantile(1e6), 1.960, 0.001);
}

} // namespace
