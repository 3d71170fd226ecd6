//===- AccrualTest.cpp - Delays that accrue -------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal_delay.h"

#include <deque>
#include <gtest/gtest.h>

using namespace __causal;

namespace {

constexpr uint64_t Us = 1000, Ms = 1000000;
constexpr uint64_t Start = 100 * Ms; // The threads are older than that.
constexpr uintptr_t Here = 0x1000, There = 0x2000;

/// A thread that was hit in context Here, for Delay.
struct AccrualTest : testing::Test {
  GlobalDelay G;
  ThreadDelay T;

  void hit(uint64_t Delay, uint64_t Now = Start) {
    T.Accruing.enter(Here);
    T.hit(G, Delay, nullptr, T.Accruing.metOthers(Now), Now);
  }
  void meet(uintptr_t Context, uint64_t Now) {
    T.suspend(G, Now);
    T.Accruing.enter(Context);
    T.resume(G, Now);
  }
};

TEST_F(AccrualTest, AHitAccruesWithTime) {
  hit(500 * Us);
  EXPECT_EQ(G.total(), 0u);
  T.suspend(G, Start + 250 * Us);
  EXPECT_EQ(G.total(), 125 * Us);
  EXPECT_EQ(T.local(), 125 * Us) << "the thread itself owes nothing";
}

TEST_F(AccrualTest, AllOfItDoes) {
  hit(500 * Us);
  for (int I = 1; I <= 40; ++I)
    meet(Here, Start + I * 200 * Us);
  EXPECT_NEAR(double(G.total()), 500 * Us, 1 * Us);
}

TEST_F(AccrualTest, OverFourSamplePeriods) {
  T.Accruing.begin(0, 250 * Us);
  hit(100 * Us);
  T.suspend(G, Start + 500 * Us);
  EXPECT_EQ(G.total(), 50 * Us);
}

TEST_F(AccrualTest, InItsContextOnly) {
  hit(500 * Us);
  meet(There, Start + 100 * Us);
  EXPECT_EQ(G.total(), 50 * Us);
  meet(Here, Start + 900 * Us);
  EXPECT_EQ(G.total(), 50 * Us);
  meet(There, Start + 1000 * Us);
  EXPECT_EQ(G.total(), 95 * Us);
}

TEST_F(AccrualTest, ARareContextIsNotWaitedForTwice) {
  hit(500 * Us);
  meet(There, Start);
  uint64_t Late = Start + T.Accruing.longest() + 1;
  meet(Here, Late);
  EXPECT_EQ(G.total(), 0u);
  meet(There, Late + 10 * Us);
  EXPECT_EQ(G.total(), 500 * Us);
  EXPECT_FALSE(T.Accruing.any());
}

TEST_F(AccrualTest, WithoutAMeetingItIsDueAtOnce) {
  hit(100 * Us);
  EXPECT_EQ(G.total(), 0u);
  EXPECT_FALSE(T.Accruing.metOthers(Start + 1 * Ms));
  T.hit(G, 100 * Us, nullptr, false, Start + 1 * Ms);
  EXPECT_GE(G.total(), 100 * Us);
}

TEST_F(AccrualTest, AYoungThreadMayNotLiveToSeeIt) {
  T.Accruing.begin(Start, 1 * Ms);
  T.Accruing.enter(Here);
  EXPECT_FALSE(T.Accruing.metOthers(Start + 1 * Ms));
  T.Accruing.enter(Here);
  EXPECT_TRUE(T.Accruing.metOthers(Start + 2 * T.Accruing.longest()));
}

TEST_F(AccrualTest, WhatIsLeftIsDueAtTheEnd) {
  hit(500 * Us);
  T.finishAccrual(G, Start + 250 * Us);
  EXPECT_EQ(G.total(), 500 * Us);
  EXPECT_FALSE(T.Accruing.any());
}

TEST_F(AccrualTest, DoesNotOutliveTheExperiment) {
  hit(500 * Us);
  G.nextEpoch();
  T.suspend(G, Start + 250 * Us);
  T.resume(G, Start + 250 * Us);
  T.finishAccrual(G, Start + 500 * Us);
  EXPECT_EQ(G.total(), 0u);
}

// More contexts than there is room for: the one with the least is due.
TEST_F(AccrualTest, LosesNothingToManyContexts) {
  uint64_t Sum = 0;
  for (uintptr_t I = 1; I <= 9; ++I) {
    meet(I, Start);
    T.Accruing.metOthers(Start);
    T.hit(G, I * Us, nullptr, true, Start);
    Sum += I * Us;
  }
  EXPECT_EQ(G.total(), (1 + 2 + 3 + 4 + 5) * Us);
  T.finishAccrual(G, Start);
  EXPECT_EQ(G.total(), Sum);
}

// Two threads that accrue side by side are one delay, as two hits are.
TEST_F(AccrualTest, SideBySideCountsOnce) {
  ThreadDelay Other;
  Other.Accruing.enter(Here);
  Other.hit(G, 500 * Us, nullptr, true, Start);
  hit(500 * Us);
  T.suspend(G, Start + 500 * Us);
  Other.suspend(G, Start + 500 * Us);
  EXPECT_EQ(G.total(), 250 * Us);
}

TEST_F(AccrualTest, OthersSeeWhatIsNotOnTheBooksYet) {
  AccrualTable Table;
  EXPECT_TRUE(Table.empty());
  hit(500 * Us);
  Table.update(T, G, Start);
  EXPECT_FALSE(Table.empty());
  Table.chargeAll(G, Start + 500 * Us);
  EXPECT_EQ(G.total(), 250 * Us);
  EXPECT_EQ(T.local(), 0u);
  T.suspend(G, Start + 500 * Us);
  EXPECT_EQ(G.total(), 250 * Us) << "the same delay";
  EXPECT_EQ(T.owed(G), 0u);
  T.finishAccrual(G, Start + 500 * Us);
  Table.update(T, G, Start + 500 * Us);
  EXPECT_TRUE(Table.empty());
}

TEST_F(AccrualTest, OthersDoNotLookWhileTheOwnerWrites) {
  hit(500 * Us);
  {
    Accrual::Writing W(T.Accruing);
    T.chargeFromOutside(G, Start + 500 * Us);
  }
  EXPECT_EQ(G.total(), 0u);
  T.chargeFromOutside(G, Start + 500 * Us);
  EXPECT_EQ(G.total(), 250 * Us);
}

TEST_F(AccrualTest, WithoutAPlaceInTheTableItIsDueAtOnce) {
  AccrualTable Table;
  std::deque<ThreadDelay> Threads(65);
  for (ThreadDelay &D : Threads) {
    EXPECT_EQ(G.total(), 0u);
    D.Accruing.enter(Here);
    D.hit(G, 100 * Us, nullptr, true, Start);
    Table.update(D, G, Start);
  }
  EXPECT_EQ(G.total(), 100 * Us);
  Table.leave(Threads[7]);
  EXPECT_EQ(Threads[7].AccrualSlot, 0u);
}

} // namespace
