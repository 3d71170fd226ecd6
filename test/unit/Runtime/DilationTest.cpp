//===- DilationTest.cpp - Time that is dilated, step by step --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal/law/causal_delay.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

constexpr uint64_t Ms = 1000000;

/// Works for itself: sleeps and burns are noted, in time that passes.
struct FakeClock {
  uint64_t &Time;
  GlobalDelay &G;
  uint64_t EndsAt = ~0ull, Queued = 0;
  uint64_t queued() const { return Queued; }
  uint64_t now() const { return Time; }
  void sleepUntil(uint64_t T) const {
    Time = T;
    if (Time >= EndsAt)
      G.endDilation(Time, 0);
  }
  uint64_t burn(uint64_t CPUTime) const {
    sleepUntil(Time + CPUTime);
    return CPUTime;
  }
  CoreDelay *core() const { return nullptr; }
  void chargeOthers() const {}
  bool interrupted() const { return false; }
};

OutsidePoint beganAt(uint64_t Time) { return {0, 0, Time, /*Queued=*/0}; }

TEST(Dilation, TakesItsShareOfAllTime) {
  GlobalDelay G;
  G.beginDilation(10 * Ms, 75);
  EXPECT_EQ(G.wall(14 * Ms), 3 * Ms);
  G.endDilation(18 * Ms, /*Unpaid=*/1 * Ms);
  EXPECT_EQ(G.wall(99 * Ms), 5 * Ms);
}

// At 75 % a millisecond is to take four.
TEST(Dilation, WorkTakesLonger) {
  GlobalDelay G;
  ThreadDelay T;
  G.beginDilation(0, 75);
  T.slowDown(G, 1 * Ms * 75 / 100);
  uint64_t Time = 1 * Ms;
  EXPECT_TRUE(T.mustPay(G, 0));
  T.pay(G, 0, FakeClock{Time, G});
  EXPECT_EQ(Time, 4 * Ms);
  EXPECT_FALSE(T.mustPay(G, 0));
  EXPECT_EQ(T.Working.work(4 * Ms), 1 * Ms) << "what it pays is no work";
}

TEST(Dilation, NobodyElsePays) {
  GlobalDelay G;
  ThreadDelay T;
  G.beginDilation(0, 75);
  T.charge(G, 1 * Ms);
  EXPECT_EQ(G.total(), 0u);
  EXPECT_EQ(T.owedForOwn(G), 1 * Ms);
}

TEST(Dilation, EndsInTheMiddleOfAPause) {
  GlobalDelay G;
  ThreadDelay T;
  G.beginDilation(0, 50);
  T.slowDown(G, 100 * Ms);
  uint64_t Time = 0;
  T.pay(G, 0, FakeClock{Time, G, /*EndsAt=*/10 * Ms});
  EXPECT_LT(Time, 11 * Ms);
  EXPECT_EQ(T.owedForOwn(G), 95 * Ms) << "which the end takes into account";
  G.nextEpoch();
  EXPECT_FALSE(T.mustPay(G, 0));
  EXPECT_EQ(T.Own, 0u) << "or locks would take the slow way for it";
}

TEST(Dilation, EndsInTheMiddleOfALongWait) {
  GlobalDelay G;
  ThreadDelay T;
  G.beginDilation(0, 90);
  uint64_t Time = 100 * Ms;
  EXPECT_LE(T.dilate(G, beganAt(0), FakeClock{Time, G, /*EndsAt=*/110 * Ms}), 12 * Ms);
}

TEST(Dilation, PausesAreNeverVeryLong) {
  for (uint32_t Percent = 5; Percent <= GlobalDelay::MostDilation; Percent += 5) {
    uint64_t Left = GlobalDelay::leftByDilation(Percent);
    EXPECT_LE(Left * 100 / (100 - Percent), 10 * Ms) << Percent;
    EXPECT_GE(Left, 1 * Ms * Percent / 100) << "of a sample period";
  }
}

TEST(Dilation, WaitsForTheOutsideWorldTakeLonger) {
  GlobalDelay G;
  ThreadDelay T;
  G.beginDilation(5 * Ms, 75);
  uint64_t Time = 6 * Ms;
  EXPECT_EQ(T.dilate(G, beganAt(1 * Ms), FakeClock{Time, G}), 3 * Ms)
      << "of the part that was in it";
  G.endDilation(Time, 0);
  EXPECT_EQ(T.dilate(G, beganAt(6 * Ms), FakeClock{Time, G}), 0u);
}

TEST(Dilation, WaitsForCoresDoNotTakeLonger) {
  GlobalDelay G;
  ThreadDelay T;
  G.beginDilation(0, 75);
  auto Longer = [&](uint64_t Queued) {
    uint64_t Time = 6 * Ms;
    return T.dilate(G, beganAt(1 * Ms), FakeClock{Time, G, ~0ull, Queued});
  };
  EXPECT_EQ(Longer(0), 15 * Ms);
  EXPECT_EQ(Longer(1 * Ms), 12 * Ms);
  EXPECT_EQ(Longer(5 * Ms), 0u);
  EXPECT_EQ(Longer(7 * Ms), 15 * Ms) << "which cannot be of this wait";
}

TEST(Dilation, IsForThreadsThatWaitForCoresOnly) {
  GlobalDelay G;
  ThreadDelay T;
  for (int I = 0; I != 49; ++I)
    T.observe(G, 1 * Ms, 3 * Ms);
  EXPECT_FALSE(T.neverWaits());
  T.observe(G, 1 * Ms, 3 * Ms);
  EXPECT_TRUE(T.neverWaits());
  G.setCrowd(8, 2, 5);
  EXPECT_FALSE(G.canDilate()) << "too few of them";
  G.setCrowd(8, 2, 6);
  EXPECT_TRUE(G.canDilate());
  G.setCrowd(2, 2, 2);
  ASSERT_TRUE(G.sharesCores());
  EXPECT_FALSE(G.canDilate()) << "each has a core, now";
  T.observe(G, 1 * Ms, 0, /*WaitedElsewhere=*/true);
  EXPECT_FALSE(T.neverWaits());
  EXPECT_FALSE(ThreadDelay::waitedElsewhere(4 * Ms, 4 * Ms));
  EXPECT_TRUE(ThreadDelay::waitedElsewhere(5 * Ms, 4 * Ms));
}

} // namespace
