//===- BookCostTest.cpp - What the law's books cost a thread --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal/law/causal_book_cost.h"
#include "causal/law/causal_pause.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

TEST(BookCost, IsWhatExperimentsTakeLongerThanBaselines) {
  BookCost C;
  EXPECT_EQ(C.note(700, /*InBaseline=*/false), 0) << "nothing to compare with";
  for (int I = 0; I < 100; ++I)
    EXPECT_EQ(C.note(I % 2 ? 250 : 150, /*InBaseline=*/true), 0);
  EXPECT_NEAR(static_cast<double>(C.note(700, false)), 500, 15);
  EXPECT_NEAR(static_cast<double>(C.note(100, false)), -100, 15);
}

TEST(BookCost, LeavesOutInterruptions) {
  BookCost C;
  C.note(200, true);
  C.note(4000000, true);
  EXPECT_EQ(C.note(4000000, false), 0);
  EXPECT_EQ(C.note(300, false), 100);
}

struct Clock {
  uint64_t &Time;
  uint64_t now() const { return Time; }
  void sleepUntil(uint64_t Until) const { Time = Until; }
  uint64_t burn(uint64_t Length) const {
    Time += Length;
    return Length;
  }
};

TEST(BookCost, IsTakenOffTheNextPause) {
  uint64_t Time = 0, Burnt = 0;
  Clock C{Time};
  Pauses P;
  P.tookMore(300);
  EXPECT_EQ(P.pause(1000, Pause::Awake, C, Burnt), 700u);
  P.tookMore(-200);
  EXPECT_EQ(P.pause(1000, Pause::Awake, C, Burnt), 1200u);
  EXPECT_EQ(P.pause(1000, Pause::Awake, C, Burnt), 1000u) << "once only";
}

TEST(BookCost, IsPaidOnSharedCoresToo) {
  uint64_t Time = 0, Burnt = 0;
  Clock C{Time};
  Pauses P;
  P.Overshoot = 5000; // That others had the core for.
  P.tookMore(300);
  EXPECT_EQ(P.burn(1000, C, Burnt), 700u);
  EXPECT_EQ(P.burn(1000, C, Burnt), 1000u);
  EXPECT_EQ(Burnt, 1700u);
  P.tookMore(3000);
  EXPECT_EQ(P.burn(1000, C, Burnt), 0u);
  EXPECT_EQ(P.Cost, 2000);
}

// A thread in the target line hardly ever pays, and is not to be let off then.
TEST(BookCost, DoesNotPileUp) {
  Pauses P;
  for (int I = 0; I < 10000; ++I)
    P.tookMore(1000);
  EXPECT_EQ(P.Cost, 50000);
  for (int I = 0; I < 10000; ++I)
    P.tookMore(-1000);
  EXPECT_EQ(P.Cost, -50000);
  Pauses Interrupted;
  Interrupted.tookMore(4000000);
  EXPECT_EQ(Interrupted.Cost, 0);
}

} // namespace
