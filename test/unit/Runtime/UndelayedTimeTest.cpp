//===- UndelayedTimeTest.cpp - What experiments are compared with ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScriptedHost.h"

using namespace __causal;

namespace {

TEST_F(ExperimentTest, IdleIsTimeInWhichNobodyIsAtWork) {
  Config.FixedSpeedup = 0;
  start();
  advance(100 * Ms);
  Now += 15 * Ms; // As any program may be.
  advance(10 * Ms);
  EXPECT_EQ(S.idle(Now, H.Sampled), 0u);
  Now += 50 * Ms;
  EXPECT_NEAR(double(S.idle(Now, H.Sampled)), 50.0 * Ms, Ms) << "it goes on";
  advance(120 * Ms);
  ASSERT_EQ(H.Results.size(), 1u);
  EXPECT_NEAR(double(H.Results[0].Idle), 50.0 * Ms, Ms);
  Now += 1000 * Ms; // Between two experiments, or nearly.
  advance(500 * Ms);
  EXPECT_NEAR(double(S.idle(Now, H.Sampled)), 1050.0 * Ms, 2 * Ms);
  EXPECT_EQ(S.undelayedIdle(Now, H.Sampled), S.idle(Now, H.Sampled));
}

TEST_F(ExperimentTest, IdleTimeBehindDelaysIsNotUndelayed) {
  Config.FixedSpeedup = 50;
  start();
  advance(251 * Ms);
  ASSERT_EQ(H.Results.size(), 1u);
  Now += 1000 * Ms;
  advance(5 * Ms);
  EXPECT_GT(S.idle(Now, H.Sampled), 900 * Ms);
  EXPECT_EQ(S.undelayedIdle(Now, H.Sampled), 0u);
}

TEST_F(ExperimentTest, AnExperimentIsIdleForNoLongerThanItLasts) {
  Config.FixedSpeedup = 0;
  start();
  for (int I = 0; I < 500; ++I) { // Timers expire, and there is nothing to do.
    Now += Ms;
    S.tick(Now, H);
  }
  ASSERT_EQ(H.Results.size(), 1u);
  EXPECT_LE(H.Results[0].Idle, H.Results[0].Wall);
  EXPECT_GT(H.Results[0].Idle, H.Results[0].Wall * 9 / 10);
}

// A program that loads before its first unit of work is not the one that does these.
TEST_F(ExperimentTest, TimeBeforeExperimentsCanBeginDoesNotCount) {
  Config.FixedSpeedup = 0;
  H.CanExperiment = false;
  start();
  advance(2000 * Ms);
  EXPECT_FALSE(S.undelayed());
  EXPECT_EQ(S.undelayedWall(Now), 0u);
  H.CanExperiment = true;
  advance(100 * Ms);
  EXPECT_TRUE(S.undelayed());
  EXPECT_NEAR(double(S.undelayedWall(Now)), 100.0 * Ms, 11.0 * Ms);
}

TEST_F(ExperimentTest, TimeCountsAlthoughThereIsNoSampleOfALineYet) {
  Config.FixedSpeedup = 0;
  H.Line = 0;
  start();
  advance(500 * Ms);
  EXPECT_NEAR(double(S.undelayedWall(Now)), 500.0 * Ms, 1.0 * Ms);
}

TEST_F(ExperimentTest, TimeInWhichExperimentsAreStoppedDoesNotCount) {
  Config.FixedSpeedup = 0;
  start();
  advance(260 * Ms);
  ASSERT_EQ(H.Results.size(), 1u);
  H.CanExperiment = false;
  advance(2000 * Ms); // What is left of a block goes on.
  EXPECT_FALSE(S.undelayed());
  uint64_t Before = S.undelayedWall(Now);
  advance(500 * Ms);
  EXPECT_EQ(S.undelayedWall(Now), Before);
}

TEST_F(ExperimentTest, AWholeRunCountsFromItsBeginning) {
  Config.FixedSpeedup = 0;
  Config.WholeRun = true;
  H.CanExperiment = false;
  start();
  advance(500 * Ms);
  EXPECT_NEAR(double(S.undelayedWall(Now)), 500.0 * Ms, 1.0 * Ms);
}

} // namespace
