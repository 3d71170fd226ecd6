//===- OutsideWaitTest.cpp - Waits for the outside world ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal/law/causal_delay.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

/// A thread that sleeps, and then waits for a core.
struct QueuedSleeper {
  uint64_t &Time;
  uint64_t &Waited;
  uint64_t &Asleep;
  CoreDelay *Core = nullptr;
  uint64_t QueuedAfter = 0;
  uint64_t now() const { return Time; }
  void sleepUntil(uint64_t T) const {
    Asleep += T - Time;
    Time = T + QueuedAfter;
    Waited += QueuedAfter;
  }
  uint64_t burn(uint64_t CPUTime) const {
    ADD_FAILURE() << "a wait for the outside world uses no core";
    return CPUTime;
  }
  CoreDelay *core() const { return Core; }
  void chargeOthers() const {}
  bool interrupted() const { return false; }
  uint64_t queued() const { return Waited; }
};

struct OutsideWaits : testing::Test {
  GlobalDelay G;
  ThreadDelay Hits, Waits;
  CoreDelay Shared;
  CoreDelay *Core = nullptr;
  uint64_t Time = 0, Waited = 0, Asleep = 0, QueuedAfter = 0;

  /// The thread is away for For, the last Queued of it waiting for a core, while others
  /// come Delay ahead, which stands for Wall.
  uint64_t wait(uint64_t For, uint64_t Queued, uint64_t Delay, uint64_t Wall) {
    QueuedSleeper S{Time, Waited, Asleep, Core, QueuedAfter};
    OutsidePoint Before = ThreadDelay::outsidePoint(G, S);
    Time += For;
    Waited += Queued;
    G.raise(G.total() + Delay);
    G.addWall(Wall);
    return Waits.prolong(G, Before, /*Tolerance=*/5, S);
  }
};

TEST_F(OutsideWaits, GetLongerByWhatCameUp) {
  Hits.charge(G, 100);
  GlobalDelay Contended;
  Contended.Recent = Contention::One * GlobalDelay::RecentUnits;
  Waits.expect(Contended); // It may lend its core meanwhile.
  EXPECT_EQ(wait(1000, 0, 150, 150), 150u);
  EXPECT_EQ(Asleep, 150u);
  EXPECT_EQ(Waits.owed(G), 100u) << "what it owed before is no part of the wait";
}

TEST_F(OutsideWaits, GetLongerByWallTime) {
  EXPECT_EQ(wait(1000, 0, 150, 50), 50u) << "the cores were spared no more";
  EXPECT_EQ(Waits.owed(G), 0u);
}

TEST_F(OutsideWaits, AreOverBeforeACoreIsWaitedFor) {
  EXPECT_EQ(wait(1000, 250, 400, 400), 300u);
  EXPECT_EQ(Waits.owed(G), 100u) << "this came up while the thread had no core";
}

// A sleep would end in another wait for a core.
TEST_F(OutsideWaits, GetLongerLaterWhereACoreIsWaitedForLonger) {
  EXPECT_EQ(wait(1000, 500, 400, 400), 0u);
  EXPECT_EQ(wait(1000, 500, 400, 400), 0u);
  EXPECT_EQ(wait(1000, 500, 400, 400), 600u) << "all of it at once";
  EXPECT_EQ(wait(1000, 0, 0, 0), 0u);
}

TEST_F(OutsideWaits, AreShorterAfterSleepsThatEndedInAWaitForACore) {
  Core = &Shared;
  QueuedAfter = 250;
  EXPECT_EQ(wait(1000, 0, 400, 400), 650u);
  EXPECT_EQ(Asleep, 400u);
  EXPECT_EQ(wait(1000, 0, 200, 200), 0u) << "it has been 250 too long";
  EXPECT_EQ(wait(1000, 0, 200, 200), 400u);
  EXPECT_EQ(Asleep, 550u);
}

TEST_F(OutsideWaits, OfAnEarlierExperimentAreForgotten) {
  G.setExperiment(1);
  EXPECT_EQ(wait(1000, 500, 400, 400), 0u);
  G.setExperiment(2);
  EXPECT_EQ(wait(1000, 500, 400, 400), 0u);
  EXPECT_EQ(wait(1000, 300, 400, 400), 480u) << "200 of the one before, and 280";
}

TEST_F(OutsideWaits, OfAnEarlierThreadOfTheSlotAreForgotten) {
  EXPECT_EQ(wait(1000, 500, 400, 400), 0u);
  Waits.forgetWork();
  EXPECT_EQ(wait(1000, 100, 400, 400), 360u);
}

TEST_F(OutsideWaits, AreLeftWhereCoresAreAlwaysTaken) {
  GlobalDelay Contended;
  Contended.Recent = 5 * Contention::One * GlobalDelay::RecentUnits;
  Waits.expect(Contended);
  Core = &Shared;
  EXPECT_EQ(wait(1000, 0, 100, 100), 0u);
  Core = nullptr;
  EXPECT_EQ(wait(1000, 0, 100, 100), 100u) << "others' programs' threads wait for them";
}

// Nobody knows when a clock that went back was read.
TEST(OutsideWait, NothingBelongsToAWaitWithoutTime) {
  OutsideWait W({100, 100, 50, 10}, {300, 250, 50, 10}, 200);
  EXPECT_EQ(W.delay(), 0u);
  EXPECT_EQ(W.time(), 0u);
  OutsideWait Back({100, 100, 50, 10}, {300, 90, 150, 0}, 200);
  EXPECT_EQ(Back.delay(), 200u);
  EXPECT_EQ(Back.time(), 0u) << "law 13 may take wall time back";
}

constexpr uint64_t Ms = 1000000;

TEST(OutsideWork, IsNotBelievedAtFirst) {
  OutsideWork W;
  W.sampled(10 * Ms);
  W.took(10 * Ms);
  EXPECT_FALSE(W.isMostOfIt());
  W.sampled(10 * Ms);
  W.took(10 * Ms);
  EXPECT_TRUE(W.isMostOfIt());
}

TEST(OutsideWork, IsWhatHasSamplesLately) {
  OutsideWork W;
  auto Calls = [&](uint64_t Worked) {
    for (int I = 0; I < 200; ++I) {
      W.sampled(Worked);
      W.took(1 * Ms);
    }
    return W.isMostOfIt();
  };
  EXPECT_FALSE(Calls(Ms / 2));
  EXPECT_TRUE(Calls(Ms * 9 / 10));
  EXPECT_FALSE(Calls(0));
}

// Two of five samples are in calls, which others' slices make longer.
TEST(OutsideWork, IsOnSharedCoresWhereTheThreadWaitsForNothingElse) {
  OutsideWork W;
  auto Samples = [&](uint64_t Elsewhere) {
    for (int I = 0; I < 500; ++I) {
      uint64_t InCalls = I % 5 < 2 ? 1 * Ms : 0;
      W.sampled(InCalls);
      W.tookOnSharedCore(InCalls, Elsewhere);
    }
    return W.isMostOfIt();
  };
  EXPECT_TRUE(Samples(0));
  EXPECT_TRUE(Samples(Ms / 20)) << "as little as latencies";
  EXPECT_FALSE(Samples(Ms / 2));
}

} // namespace
