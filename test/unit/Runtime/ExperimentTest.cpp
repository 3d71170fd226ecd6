//===- ExperimentTest.cpp - The schedule of experiments -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScriptedHost.h"

#include <algorithm>
#include <map>

using namespace __causal;

namespace {

TEST_F(ExperimentTest, ZeroedIsInert) {
  S.tick(~0ull - 1, H);
  EXPECT_EQ(H.Begun, 0u);
  EXPECT_EQ(S.target().Line, 0u);
  EXPECT_FALSE(S.undelayed());
}

static void shareCoresAndNeverWait(GlobalDelay &G) {
  ThreadDelay T;
  for (int I = 0; I != 100; ++I)
    T.observe(G, 1 * Ms, 1 * Ms);
  ASSERT_TRUE(T.neverWaits());
  G.setCrowd(4, 2, 4);
}

TEST_F(ExperimentTest, DilatesTimeWhereThreadsShareCoresAndNeverWait) {
  Config.FixedSpeedup = 75;
  shareCoresAndNeverWait(S.Delays);
  H.Unpaid = 3 * Ms;
  start();
  advance(20 * Ms);
  EXPECT_EQ(S.Delays.dilation(), 75u);
  advance(250 * Ms);
  ASSERT_EQ(H.Results.size(), 1u);
  EXPECT_EQ(H.Results[0].Speedup, 75u);
  EXPECT_EQ(H.Results[0].Delay, H.Results[0].Wall * 3 / 4 - 3 * Ms);
  EXPECT_TRUE(H.Results[0].Dilated);
}

TEST_F(ExperimentTest, DilatesBaselinesNot) {
  Config.FixedSpeedup = 0;
  shareCoresAndNeverWait(S.Delays);
  start();
  advance(20 * Ms);
  EXPECT_EQ(S.Delays.dilation(), 0u);
}

TEST_F(ExperimentTest, DilationLeavesTheProgramATenthOfItsSpeed) {
  Config.FixedSpeedup = 100;
  shareCoresAndNeverWait(S.Delays);
  start();
  advance(270 * Ms);
  ASSERT_EQ(H.Results.size(), 1u);
  EXPECT_EQ(H.Results[0].Speedup, 90u);
}

TEST_F(ExperimentTest, StopEndsADilation) {
  Config.FixedSpeedup = 75;
  shareCoresAndNeverWait(S.Delays);
  start();
  advance(20 * Ms);
  ASSERT_TRUE(S.stop());
  EXPECT_EQ(S.Delays.dilation(), 0u);
}

TEST_F(ExperimentTest, WaitsForASampledLine) {
  H.Line = 0;
  start();
  advance(50 * Ms);
  EXPECT_EQ(H.Begun, 0u);
  H.Line = 7;
  advance(2 * Ms);
  EXPECT_EQ(H.Begun, 1u);
  EXPECT_EQ(S.target().Line, 7u);
}

TEST_F(ExperimentTest, WarmUpComesFirst) {
  Config.WarmUp = 100 * Ms;
  start();
  advance(99 * Ms);
  EXPECT_EQ(H.Begun, 0u);
  advance(2 * Ms);
  EXPECT_EQ(H.Begun, 1u);
}

TEST_F(ExperimentTest, EffectiveDurationIsWallLessDelay) {
  Config.FixedSpeedup = 50;
  start();
  advance(1 * Ms);
  ThreadDelay Hitter;
  Hitter.charge(S.Delays, 30 * Ms);
  H.Samples = 12;
  H.Worked = 5 * Ms;
  advance(260 * Ms);
  ASSERT_EQ(H.Results.size(), 1u);
  const ExperimentResult &R = H.Results[0];
  EXPECT_EQ(R.Line, 7u);
  EXPECT_EQ(R.Speedup, 50u);
  EXPECT_EQ(R.Samples, 12u);
  EXPECT_EQ(R.Work, 5 * Ms);
  EXPECT_EQ(R.Delay, 30 * Ms);
  EXPECT_GE(R.Wall, 250 * Ms);
  EXPECT_LE(R.Wall, 252 * Ms);
}

TEST_F(ExperimentTest, AWholeRunIsOneExperimentFromItsBeginning) {
  Config.WholeRun = true;
  Config.Paired = true;
  Config.FixedSpeedup = 40;
  H.Line = 0; // No sample yet.
  uint64_t Begin = Now;
  start();
  Now += 3 * Ms;
  advance(5 * Ms);
  EXPECT_EQ(S.target().Line, 0u);
  EXPECT_FALSE(S.undelayed());
  H.Line = 7;
  H.Samples = 12;
  advance(20000 * Ms); // Longer than any other one.
  EXPECT_EQ(S.target().Line, 7u);
  EXPECT_EQ(S.target().Speedup, 40u);
  EXPECT_TRUE(H.Results.empty());
  ThreadDelay Hitter;
  Hitter.charge(S.Delays, 30 * Ms);
  ASSERT_TRUE(S.tryLock());
  S.stopHits();
  EXPECT_EQ(S.target().Line, 0u);
  S.endRun(Now, H);
  S.unlock();
  ASSERT_EQ(H.Results.size(), 1u);
  EXPECT_EQ(H.Results[0].Start, 0u);
  EXPECT_EQ(H.Results[0].Wall, Now - Begin);
  EXPECT_EQ(H.Results[0].Delay, 30 * Ms);
  EXPECT_EQ(H.Results[0].Samples, 12u);
  advance(1000 * Ms);
  EXPECT_EQ(H.Results.size(), 1u) << "nothing comes after it";
}

TEST_F(ExperimentTest, AWholeRunWhoseLineWasNeverSeenIsNone) {
  Config.WholeRun = true;
  H.Line = 0;
  start();
  advance(300 * Ms);
  ASSERT_TRUE(S.tryLock());
  S.stopHits();
  S.endRun(Now, H);
  EXPECT_TRUE(H.Results.empty());
}

TEST_F(ExperimentTest, TheEndIsStampedOnlyWhenEveryDebtIsPaid) {
  Config.FixedSpeedup = 100;
  start();
  advance(1 * Ms);
  H.Debt = 3 * Ms;
  advance(252 * Ms);
  EXPECT_TRUE(H.Results.empty());
  EXPECT_EQ(S.target().Line, 0u) << "hits stop, settling goes on";
  EXPECT_FALSE(S.undelayed());
  H.Debt = 0;
  advance(1 * Ms);
  ASSERT_EQ(H.Results.size(), 1u);
  EXPECT_EQ(H.Results[0].Unsettled, 0u);
}

TEST_F(ExperimentTest, GivesUpOnThreadsThatDoNotPay) {
  Config.FixedSpeedup = 100;
  start();
  advance(1 * Ms);
  H.Debt = 5 * Ms;
  advance(300 * Ms);
  ASSERT_EQ(H.Results.size(), 1u);
  EXPECT_EQ(H.Results[0].Unsettled, 5 * Ms) << "and says so";
}

TEST_F(ExperimentTest, SpansOfVisitsBeginWhenTheProgramHasSettledIn) {
  start();
  advance(45 * Ms); // Of 250; the first fifth is not over.
  EXPECT_GT(H.Polls, 10u);
  EXPECT_EQ(H.EarlyPolls + H.LatePolls, 0u);
  advance(100 * Ms); // Two more fifths are nearly over.
  EXPECT_GT(H.EarlyPolls, 50u);
  EXPECT_EQ(H.LatePolls, 0u);
  advance(10 * Ms);
  EXPECT_GT(H.LatePolls, 0u);
}

TEST_F(ExperimentTest, ANewExperimentForgivesOldDebts) {
  Config.FixedSpeedup = 100;
  start();
  advance(1 * Ms);
  ThreadDelay Hitter, Sleeping;
  Hitter.charge(S.Delays, 10 * Ms);
  advance(275 * Ms); // Cool-off of 10 ms over, the next one runs.
  ASSERT_EQ(H.Begun, 2u);
  EXPECT_EQ(Sleeping.owed(S.Delays), 0u);
}

TEST_F(ExperimentTest, LengthDoublesWithFewVisitsAndStopsAtTheMaximum) {
  Config.MaxLength = 600 * Ms;
  H.Visits = 2;
  start();
  advance(3000 * Ms);
  ASSERT_GE(H.Results.size(), 3u);
  EXPECT_NEAR(double(H.Results[0].Wall), 250e6, 2e6);
  EXPECT_NEAR(double(H.Results[1].Wall), 500e6, 2e6);
  EXPECT_NEAR(double(H.Results[2].Wall), 600e6, 2e6);
}

TEST_F(ExperimentTest, GetsLongerWhereTheProgramSettlesLate) {
  Config.Paired = true;
  H.SettlesLate = true;
  start();
  advance(30000 * Ms);
  EXPECT_NEAR(double(H.Results[0].Wall), 250e6, 2e6);
  EXPECT_NEAR(double(H.Results[1].Wall), 1000e6, 2e6);
  EXPECT_NEAR(double(H.Results[2].Wall), 4000e6, 2e6) << "as these were too short as well";
  EXPECT_NEAR(double(H.Results.back().Wall), 8000e6, 2e6) << "and no longer";
}

// Queues run empty, too, when their consumer gets more of the cores than their producer.
TEST_F(ExperimentTest, WithoutWorkForAWhileSaysNothingOfLateness) {
  Config.Paired = true;
  H.SettlesLate = true;
  start();
  advance(100 * Ms);
  Now += 80 * Ms;
  advance(2000 * Ms);
  ASSERT_GE(H.Results.size(), 3u);
  EXPECT_GT(H.Results[0].Idle, 70 * Ms);
  EXPECT_NEAR(double(H.Results[1].Wall), double(Config.Length), double(Ms));
  EXPECT_GT(H.Results[2].Wall, 3 * Config.Length) << "that one was not idle";
}

TEST_F(ExperimentTest, ThatOtherProgramsDisturbSaysNothingOfLateness) {
  Config.Paired = true;
  H.SettlesLate = true;
  S.Delays.setCrowd(2, 2, 0);
  start();
  ThreadDelay T;
  for (int I = 0; I < 20; ++I) {
    advance(100 * Ms);
    H.Worked += 20 * Ms;
    T.observe(S.Delays, 20 * Ms, 5 * Ms);
  }
  ASSERT_GT(H.Results.size(), 4u);
  EXPECT_NEAR(double(H.Results.back().Waited), 0.25 * double(H.Results.back().Work), 2e6);
  EXPECT_NEAR(double(H.Results.back().Wall), 250e6, 2e6);
  S.Delays.setCrowd(4, 2, 0); // They wait for each other.
  advance(3000 * Ms);
  EXPECT_GT(double(H.Results.back().Wall), 900e6);
}

TEST_F(ExperimentTest, TheScheduleOfThePaperKeepsItsLength) {
  ASSERT_FALSE(Config.Paired);
  H.SettlesLate = true;
  start();
  advance(3000 * Ms);
  EXPECT_NEAR(double(H.Results.back().Wall), 250e6, 2e6);
}

TEST_F(ExperimentTest, LengthComesBackWithManyVisits) {
  H.Visits = 2;
  start();
  advance(600 * Ms);
  H.Visits = 100;
  advance(2500 * Ms);
  EXPECT_NEAR(double(H.Results.back().Wall), 250e6, 2e6);
}

TEST_F(ExperimentTest, DrawsTheBaselineAndEverySpeedup) {
  Config.Length = 1 * Ms;
  Config.CoolOff = 0;
  start();
  advance(5000 * Ms);
  std::map<uint32_t, unsigned> Count;
  for (const ExperimentResult &R : H.Results)
    ++Count[R.Speedup];
  double Total = double(H.Results.size());
  ASSERT_GT(Total, 2000);
  EXPECT_NEAR(Count[0] / Total, 0.30, 0.04);
  EXPECT_EQ(Count.size(), 21u) << "0 and 20 steps of 5 %";
  EXPECT_EQ(Count.rbegin()->first, 100u);
  EXPECT_NEAR(Count[50] / Total, 0.035, 0.015);
}

TEST_F(ExperimentTest, ABaselineHasALineAsWell) {
  Config.FixedSpeedup = 0;
  start();
  advance(100 * Ms);
  EXPECT_EQ(S.target().Line, H.Line);
}

TEST_F(ExperimentTest, WithoutSpeedupsNothingIsCompared) {
  Config.MaxSpeedup = 0;
  start();
  advance(100 * Ms);
  EXPECT_EQ(H.Begun, 1u);
  EXPECT_EQ(S.target().Line, 0u);
}

TEST_F(ExperimentTest, PairedKeepsALineForABaselineAndTwoSpeedups) {
  Config.Length = 1 * Ms;
  Config.CoolOff = 0;
  Config.Paired = true;
  start();
  std::map<uint32_t, unsigned> Count, First;
  size_t Blocks = 0;
  for (; Blocks < 600; ++Blocks) {
    H.Line = 1 + Blocks % 7;
    while (H.Results.size() < 3 * (Blocks + 1)) {
      H.Samples += 10;
      advance(Ms / 10);
    }
    // Three on the line that was picked first, whatever is sampled later.
    std::vector<uint32_t> Speedups;
    for (size_t I = 3 * Blocks; I < 3 * Blocks + 3; ++I) {
      EXPECT_EQ(H.Results[I].Line, H.Results[3 * Blocks].Line);
      Speedups.push_back(H.Results[I].Speedup);
      ++Count[H.Results[I].Speedup];
    }
    ++First[Speedups[0] == 0 ? 0 : 1 + (Speedups[0] > 50)];
    std::sort(Speedups.begin(), Speedups.end());
    EXPECT_EQ(Speedups[0], 0u);
    EXPECT_EQ(Speedups[1] + Speedups[2], 105u);
  }
  EXPECT_EQ(Count.size(), 21u) << "0 and 20 steps of 5 %";
  for (auto [Which, N] : First)
    EXPECT_NEAR(N, 200, 40) << "no order is preferred";
}

TEST_F(ExperimentTest, PairedGivesUpALineThatIsNotSampledAnyMore) {
  Config.Length = 1 * Ms;
  Config.CoolOff = 0;
  Config.Paired = true;
  start();
  advance(Ms / 2);
  H.Line = 9; // No sample comes: after one experiment another line is tried.
  while (H.Results.size() < 2)
    advance(Ms / 10);
  EXPECT_EQ(H.Results[0].Line, 7u);
  EXPECT_EQ(H.Results[1].Line, 9u);
}

TEST_F(ExperimentTest, EqualSeedsDrawEqualSchedules) {
  Config.Length = 1 * Ms;
  ScriptedHost Other;
  ExperimentScheduler T;
  start();
  T.configure(Config, Now, 42);
  uint64_t Begin = Now;
  advance(200 * Ms);
  for (uint64_t Time = Begin; Time < Begin + 200 * Ms; Time += Ms / 10)
    T.tick(Time, Other);
  ASSERT_EQ(H.Results.size(), Other.Results.size());
  for (size_t I = 0; I < H.Results.size(); ++I)
    EXPECT_EQ(H.Results[I].Speedup, Other.Results[I].Speedup);
}

// Behind delays threads pause for a while longer: on shared cores for up to 10 ms.
TEST_F(ExperimentTest, UndelayedTimeIsBaselinesAndTheCoolOffBehindThem) {
  Config.CoolOff = 20 * Ms;
  start();
  uint64_t Begin = Now;
  advance(27000 * Ms); // About a hundred rounds of 250 + 20 ms.
  size_t Baselines = 0;
  for (const ExperimentResult &R : H.Results)
    Baselines += !R.Speedup;
  ASSERT_GT(Baselines, 10u);
  EXPECT_NEAR(double(S.undelayedWall(Now)), double(Baselines) * 270e6, 280e6);
  EXPECT_LT(S.undelayedWall(Now), (Now - Begin) / 2);
}

TEST_F(ExperimentTest, ADilationIsFollowedByItsLongestPause) {
  Config.FixedSpeedup = 75;
  Config.CoolOff = 0;
  shareCoresAndNeverWait(S.Delays);
  start();
  while (H.Results.empty())
    advance(1 * Ms);
  ASSERT_TRUE(H.Results[0].Dilated);
  EXPECT_EQ(H.Begun, 1u);
  advance(GlobalDelay::LongestPause - 2 * Ms);
  EXPECT_EQ(H.Begun, 1u);
  EXPECT_FALSE(S.undelayed());
  advance(3 * Ms);
  EXPECT_EQ(H.Begun, 2u);
}

TEST_F(ExperimentTest, ABusyLockMeansSomebodyElseTicks) {
  start();
  ASSERT_TRUE(S.tryLock());
  advance(10 * Ms);
  EXPECT_EQ(H.Begun, 0u);
  S.unlock();
  advance(1 * Ms);
  EXPECT_EQ(H.Begun, 1u);
}

// Delays stay within the budget in the long run; the experiments of a block stay together.
TEST_F(ExperimentTest, RestsBetweenBlocksForItsBudget) {
  Config.Paired = true;
  Config.DelayBudget = 10000; // 1 %
  start();
  for (int I = 0; I < 60000; ++I) {
    advance(Ms);
    ++H.Samples; // The program stays in the line.
    Target T = S.target();
    if (T.Line && T.Speedup)
      S.Delays.raise(S.Delays.total() + T.Speedup * Ms / 200, {});
  }
  uint64_t Delay = 0;
  for (const ExperimentResult &R : H.Results)
    Delay += R.Delay;
  ASSERT_GE(H.Results.size(), 6u);
  EXPECT_LT(double(Delay), 1.5 * 0.01 * 60000e6) << "the last block may not have rested yet";
  EXPECT_GT(double(Delay), 0.5 * 0.01 * 60000e6) << "and no more than is needed";
  for (size_t I = 0; I + 2 < H.Results.size(); I += 3)
    EXPECT_LT(H.Results[I + 2].Start - H.Results[I].Start, 1000 * Ms);
  uint64_t Without = H.Results.size();
  H.Results.clear();
  S = ExperimentScheduler();
  Config.DelayBudget = 0;
  start();
  advance(60000 * Ms);
  EXPECT_GT(H.Results.size(), 5 * Without);
}

TEST_F(ExperimentTest, StopEndsHits) {
  start();
  advance(5 * Ms);
  ASSERT_NE(S.target().Line, 0u);
  EXPECT_TRUE(S.stop());
  EXPECT_EQ(S.target().Line, 0u);
  advance(600 * Ms);
  EXPECT_TRUE(H.Results.empty());
}

} // namespace
