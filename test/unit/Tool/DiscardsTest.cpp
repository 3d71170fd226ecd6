//===- DiscardsTest.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Discards.h"
#include "lib/causal/Comparison.h"
#include "lib/causal/Diagnosis.h"
#include "lib/causal/PhaseCorrection.h"
#include "lib/causal/Series.h"
#include "lib/causal/SpeedupModel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace causal;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr int64_t Ms = 1000000, Length = 100 * Ms;

/// One run on Cores, of experiments of 100 ms on one line.
struct DiscardsTest : testing::Test {
  Profile P;
  unsigned Run, Line, Point;
  int64_t Next = 0, Idle = 0, Stolen = 0;

  DiscardsTest() { begin(2); }
  void begin(int64_t Cores) {
    P = Profile();
    Next = 0;
    Run = P.internRun("r");
    causal::Run Header;
    Header.Exe = "/p";
    Header.Cores = Cores;
    P.setHeader(Run, Header);
    Line = P.internLine("a.c", 1, "f");
    Point = P.internPoint("item", PointKind::Throughput);
  }
  /// Threads had cores for Work and waited for them for Waited, in ms.
  void add(double Work, double Waited, int64_t Visits = 100, unsigned Speedup = 0,
           int64_t Delay = 0) {
    Experiment E{};
    E.Run = Run;
    E.Line = Line;
    E.Index = Next++;
    E.Speedup = Speedup;
    E.Start = E.Index * 2 * Length;
    E.Wall = Length;
    E.Delay = E.Pause = Delay * Ms;
    E.Samples = 50;
    E.Work = int64_t(Work * Ms);
    E.Waited = int64_t(Waited * Ms);
    Measurement M{};
    M.Point = Point;
    M.Visits = Visits;
    E.Points = {M};
    E.Idle = int64_t(Idle * Ms);
    E.Stolen = Stolen * Ms;
    P.addExperiment(E);
  }
  /// One worked for Length but Idle, in ms.
  void addIdle(int64_t Idle, unsigned Speedup = 0, int64_t Delay = 0) {
    this->Idle = Idle;
    add(100 - double(Idle), 0, 1000 * (100 - Idle - Delay) / 100, Speedup, Delay);
    this->Idle = 0;
  }
  std::vector<int64_t> found() const {
    Discards D(P);
    std::vector<int64_t> Indices;
    for (const Experiment &E : P.experiments())
      if (D.contain(E))
        Indices.push_back(E.Index);
    EXPECT_EQ(Indices.size(), D.count());
    return Indices;
  }
};

TEST_F(DiscardsTest, DoNotCountInComparisonsEither) {
  for (int I = 0; I < 20; ++I)
    addIdle(I % 5 ? 0 : 90);
  Baseline B = baselineOf(P, Point);
  EXPECT_EQ(B.Experiments, 16u);
  EXPECT_DOUBLE_EQ(B.Period, double(Length) / 1000);
}

TEST_F(DiscardsTest, DisturbedAreThoseThatWaitedForCoresAndDidNotFillThem) {
  for (int I = 0; I < 10; ++I)
    I == 3 || I == 4 ? add(100, 90) : add(195, 1);
  EXPECT_THAT(found(), ElementsAre(3, 4));
}

TEST_F(DiscardsTest, NotByThreadsOfTheProgram) {
  for (int I = 0; I < 10; ++I)
    I == 3 ? add(198, 190) : add(150, 1);
  EXPECT_THAT(found(), IsEmpty()) << "it had both cores, and more threads than these";
}

TEST_F(DiscardsTest, PausesLeaveCoresToNobody) {
  // One thread of two pauses for half of the time: 150 is all that they can have.
  for (int I = 0; I < 10; ++I)
    I == 3 ? add(148, 30, 100, 50, 50) : add(150, 1, 100, 50, 50);
  EXPECT_THAT(found(), IsEmpty());
  add(100, 30, 100, 50, 50);
  EXPECT_THAT(found(), ElementsAre(10));
}

TEST_F(DiscardsTest, NotWhereThreadsShareCoresAllTheTime) {
  for (int I = 0; I < 10; ++I)
    I == 3 ? add(100, 900) : add(195, 200);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(DiscardsTest, NotKnownWithoutTheNumberOfCores) {
  begin(0);
  for (int I = 0; I < 10; ++I)
    I == 3 ? add(100, 90) : add(195, 1);
  EXPECT_THAT(found(), IsEmpty());
}

// Every fifth experiment has half of the cores; the line brings 20 % at 50 %.
TEST_F(DiscardsTest, DisturbedOnesCountForNothing) {
  for (int I = 0; I < 60; ++I) {
    bool Here = I % 5 == 0;
    unsigned Speedup = I % 3 ? 50 : 0;
    int64_t Delay = Speedup ? 20 : 0, Visits = 1000;
    add(Here ? 100 : 200 - double(Delay), Here ? 90 : 0, Here ? Visits / 2 : Visits, Speedup,
        Delay);
  }
  EXPECT_EQ(makeSeries(P, Point).All.size(), 48u);
  EXPECT_DOUBLE_EQ(summarize(P, Point).Baseline.Period, double(Length) / 1000);
  std::vector<LineCurve> Curves = rankLines(P, Point, ModelOptions());
  ASSERT_EQ(Curves.size(), 1u);
  Estimate E = *Curves[0].gainAt(50);
  EXPECT_NEAR(E.Value, 0.2, 0.01);
  EXPECT_GT(E.Low, 0.15);
  EXPECT_LT(E.High, 0.25);
  EXPECT_THAT(warningsOn(P), testing::Contains(HasSubstr("12 of 60 experiments are left out")));
}

// In half of the run the program has half of the cores, and the line half of its samples.
TEST_F(DiscardsTest, WhatOthersHadIsNoPhase) {
  Snapshot S;
  for (int I = 0; I < 60; ++I) {
    bool Here = I >= 30;
    add(Here ? 100 : 200, Here ? 90 : 0);
    S.UndelayedWall += 2 * Length;
    S.Lines[Line].UndelayedSamples += Here ? 50 : 100;
    S.Lines[Line].Samples = S.Lines[Line].UndelayedSamples;
  }
  S.Wall = S.UndelayedWall;
  P.addSnapshot(Run, S);
  Discards Discarded(P);
  EXPECT_EQ(Discarded.countDisturbed(), 30u);
  EXPECT_NEAR(Discarded.lostToOthers(P.runs()[Run]), 0.25, 1e-9);
  PhaseFactor F = phaseCorrection(P, Line, experimentsByLine(P)[Line], Discarded);
  EXPECT_NEAR(F.Measured, 1, 1e-9);
}

// The kernel tells by ticks, so those within half a second count.
TEST_F(DiscardsTest, DisturbedAreThoseWhoseCoresTheHostHad) {
  for (int I = 0; I < 40; ++I) {
    Stolen = I >= 20 && I < 25 ? 100 : 0;
    add(195 - double(Stolen), 1);
  }
  EXPECT_THAT(found(), ElementsAre(19, 20, 21, 22, 23, 24, 25, 26));
  EXPECT_THAT(warningsOn(P), testing::Contains(HasSubstr("8 of 40 experiments are left out")));
  EXPECT_THAT(warningsOn(P), testing::Contains(HasSubstr("gave 6.2 % of its cores' time")));
}

TEST_F(DiscardsTest, NotWhereTheHostHasThemAllTheTime) {
  Stolen = 30;
  for (int I = 0; I < 40; ++I)
    add(165, 1);
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_THAT(warningsOn(P), testing::Contains(HasSubstr("gave 15 % of its cores' time")));
}

TEST_F(DiscardsTest, IdleAreThoseInWhichNobodyWorkedForAGoodPart) {
  for (int I = 0; I < 10; ++I)
    addIdle(I == 3 ? 100 : I == 4 ? 30 : I == 5 ? 20 : 0);
  EXPECT_THAT(found(), ElementsAre(3, 4));
  EXPECT_EQ(Discards(P).countIdle(), 2u);
  EXPECT_TRUE(Discards(P).leaveOutIdleTime());
}

// In 40 ms of effective time 20 idle ones are half, however long the wall time is.
TEST_F(DiscardsTest, IdleTimeIsOfEffectiveTime) {
  for (int I = 0; I < 10; ++I)
    addIdle(I == 3 || I == 4 ? 20 : 0, I % 2 ? 60 : 0, I % 2 ? 60 : 0);
  EXPECT_THAT(found(), ElementsAre(3));
}

TEST_F(DiscardsTest, NotOfAProgramThatWaitsForTheOutsideWorldAsItGoesAlong) {
  for (int I = 0; I < 10; ++I)
    addIdle(I == 3 ? 100 : 40);
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_FALSE(Discards(P).leaveOutIdleTime());
}

TEST_F(DiscardsTest, NotWhereLargeSpeedupsMakeItIdle) {
  for (int I = 0; I < 30; ++I)
    I % 3 ? addIdle(0, I % 3 == 1 ? 0 : 25, I % 3 == 1 ? 0 : 10) : addIdle(40, 75, 20);
  EXPECT_THAT(found(), IsEmpty());
}

// A server that has requests for half of the time. While it does the line brings 40 % at 50 %,
// and it is in every second sample then.
TEST_F(DiscardsTest, IdleTimeCountsForNothing) {
  for (int I = 0; I < 60; ++I) {
    unsigned Speedup = I % 3 ? 50 : 0;
    int64_t Delay = Speedup ? 30 : 0;
    Idle = I % 5 == 0 ? 90 : 0;
    int64_t Visits = Speedup ? 1167 : 1000;
    Idle ? add(20, 0, 100, Speedup, 2) : add(200, 0, Visits, Speedup, Delay);
  }
  Idle = 0;
  Snapshot S;
  S.Final = true;
  S.Wall = 240 * Length;
  S.UndelayedWall = 140 * Length;
  S.Idle = S.UndelayedIdle = 120 * Length;
  S.Lines[Line].Samples = 120 * 50;
  S.Lines[Line].UndelayedSamples = 20 * 50;
  P.addSnapshot(Run, S);

  EXPECT_EQ(makeSeries(P, Point).All.size(), 48u);
  EXPECT_DOUBLE_EQ(summarize(P, Point).Baseline.Period, double(Length) / 1000);
  std::vector<LineCurve> Curves = rankLines(P, Point, ModelOptions());
  ASSERT_EQ(Curves.size(), 1u);
  EXPECT_EQ(Curves[0].Phase.Why, PhaseFactor::NotSignificant)
      << "the line is there whenever anybody is";
  EXPECT_NEAR(Curves[0].gainAt(50)->Value, 0.4, 0.02);
  EXPECT_THAT(warningsOn(P), testing::Contains(HasSubstr("Nobody was at work for 12.0 s of "
                                                         "24.0 s")));
}

} // namespace
