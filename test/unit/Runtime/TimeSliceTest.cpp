//===- TimeSliceTest.cpp - What spinning makes of a time slice ------------===//
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

/// Two threads on one core, of which T is looked at.
struct TimeSliceTest : testing::Test {
  GlobalDelay G;
  CoreDelay Core;
  ThreadDelay T;

  TimeSliceTest() {
    G.setCrowd(2, 1);
    G.setExperiment(1);
    G.Recent = Contention::One * GlobalDelay::RecentUnits;
    T.expect(G);
    G.Spinning.add(1 * Ms, /*OfSpinning=*/false);
    sample(/*Spins=*/false, /*LostCore=*/true); // A slice begins.
  }
  void sample(bool Spins, bool LostCore = false) {
    T.observeSlice(G, {1 * Ms, 1 * Ms}, Spins, LostCore);
  }
  void hit(uint64_t Delay) { T.charge(G, Delay, &Core); }
};

TEST_F(TimeSliceTest, SparedForNothingIfItEndsSpinning) {
  hit(1 * Ms);
  EXPECT_EQ(G.wall(0), 1 * Ms);
  sample(/*Spins=*/true);
  EXPECT_EQ(G.wall(0), 1 * Ms) << "nobody took the core away";
  sample(/*Spins=*/true, /*LostCore=*/true);
  EXPECT_EQ(G.wall(0), 0u);
  sample(/*Spins=*/true, /*LostCore=*/true);
  EXPECT_EQ(G.wall(0), 0u) << "taken back once";
}

// It gets its core back, and what it waits for has come meanwhile.
TEST_F(TimeSliceTest, HasEndedSpinningIfTheWaitIsOverAtOnce) {
  hit(1 * Ms);
  T.Slice.waitEnded(/*Long=*/true);
  sample(/*Spins=*/false, /*LostCore=*/true);
  EXPECT_EQ(G.wall(0), 0u);
}

// It lost its core while it worked, and has waited for a lock for a moment since.
TEST_F(TimeSliceTest, HasEndedWorkingIfTheWaitWasShort) {
  hit(1 * Ms);
  T.Slice.waitEnded(/*Long=*/false);
  sample(/*Spins=*/false, /*LostCore=*/true);
  EXPECT_EQ(G.wall(0), 1 * Ms);
}

TEST_F(TimeSliceTest, PausesCountToo) {
  struct Clock {
    CoreDelay &C;
    uint64_t now() const { return 0; }
    void sleepUntil(uint64_t) const {}
    uint64_t burn(uint64_t CPUTime) const { return CPUTime; }
    CoreDelay *core() const { return &C; }
    void chargeOthers() const {}
    bool interrupted() const { return false; }
  };
  CoreDelay OtherCore;
  ThreadDelay Other;
  Other.charge(G, 1 * Ms, &OtherCore);
  T.pay(G, 0, Clock{Core});
  EXPECT_EQ(G.wall(0), 2 * Ms);
  sample(/*Spins=*/true, /*LostCore=*/true);
  EXPECT_EQ(G.wall(0), 1 * Ms);
}

// It works for two samples, in which and behind which others spin for four.
TEST_F(TimeSliceTest, SparesOthersSpinningIfItEndsWorking) {
  hit(1 * Ms);
  sample(/*Spins=*/false);
  G.Spinning.add(4 * Ms, /*OfSpinning=*/true);
  sample(/*Spins=*/false, /*LostCore=*/true);
  EXPECT_EQ(G.wall(0), 3 * Ms);
}

TEST_F(TimeSliceTest, ChangesNothingWhereNobodySpins) {
  hit(1 * Ms);
  sample(/*Spins=*/false);
  sample(/*Spins=*/false, /*LostCore=*/true);
  EXPECT_EQ(G.wall(0), 1 * Ms);
}

// What others spin meanwhile is for the work that is left.
TEST_F(TimeSliceTest, DoesNotTakePausesForWork) {
  uint64_t Before = G.Spinning.Worked;
  T.observeSlice(G, {3 * Ms, 1 * Ms}, /*Spins=*/false, /*LostCore=*/false);
  EXPECT_EQ(G.Spinning.Worked, Before + 1 * Ms);
}

// Else more would be taken back from the next experiment than it has.
TEST_F(TimeSliceTest, ForgetsTheExperimentBefore) {
  for (uint32_t Next : {2, 0}) {
    hit(1 * Ms);
    uint64_t Wall = G.wall(0);
    G.setExperiment(Next);
    sample(/*Spins=*/true, /*LostCore=*/true);
    EXPECT_EQ(G.wall(0), Wall);
  }
}

// Who works and then spins in the same slice has not kept others from working.
TEST_F(TimeSliceTest, CountsSlicesThatAreSpunThrough) {
  T.Slice.waitEnded(/*Long=*/true);
  uint64_t Before = G.Spinning.Spun;
  sample(/*Spins=*/true);
  EXPECT_EQ(G.Spinning.Spun, Before);
  sample(/*Spins=*/true, /*LostCore=*/true);
  EXPECT_EQ(G.Spinning.Spun, Before + 1 * Ms);
}

} // namespace
