//===- RecentHitsTest.cpp - When hits were, and when charged --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal/law/causal_recent_hits.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

TEST(RecentHits, WhoCameBetweenHitAndChargeWasAtWork) {
  RecentHits H;
  H.note(/*Began=*/1000, /*Charged=*/3000, /*Delay=*/500);
  EXPECT_EQ(H.chargedLate(/*Since=*/900), 0u) << "it waited when the line was hit";
  EXPECT_EQ(H.chargedLate(2000), 500u);
  EXPECT_EQ(H.chargedLate(3000), 0u) << "it has paid";
}

TEST(RecentHits, WereBeforeTheirHandlersBegan) {
  RecentHits H;
  EXPECT_EQ(H.latency(), 0u);
  for (int I = 0; I < 200; ++I)
    H.arrivedAfter(I % 2 ? 14000 : 16000);
  H.arrivedAfter(4000000); // Interrupted.
  EXPECT_NEAR(static_cast<double>(H.latency()), 15000, 200);
  H.note(100000, 103000, 500);
  EXPECT_EQ(H.chargedLate(90000), 500u);
  EXPECT_EQ(H.chargedLate(80000), 0u);
}

TEST(RecentHits, AreAddedUpAndForgotten) {
  RecentHits H;
  H.note(1000, 3000, 500);
  H.note(1500, 3500, 70);
  EXPECT_EQ(H.chargedLate(2000), 570u);
  EXPECT_EQ(H.chargedLate(1200), 500u);
  for (uint64_t I = 0; I < 16; ++I)
    H.note(5000 + I, 5100 + I, 1);
  EXPECT_EQ(H.chargedLate(2000), 0u);
  EXPECT_EQ(H.chargedLate(5050), 16u);
}

} // namespace
