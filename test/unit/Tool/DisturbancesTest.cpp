//===- DisturbancesTest.cpp -----------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Disturbances.h"
#include "Diagnosis.h"
#include "Series.h"
#include "SpeedupModel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace causal;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr int64_t Ms = 1000000, Length = 100 * Ms;

/// One run on Cores, of experiments of 100 ms on one line.
struct Disturbed : testing::Test {
  Profile P;
  unsigned Run, Line, Point;
  int64_t Next = 0;

  Disturbed() { begin(2); }
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
    P.addExperiment(E);
  }
  std::vector<int64_t> found() const {
    Disturbances D(P);
    std::vector<int64_t> Indices;
    for (const Experiment &E : P.experiments())
      if (D.contain(E))
        Indices.push_back(E.Index);
    EXPECT_EQ(Indices.size(), D.count());
    return Indices;
  }
};

TEST_F(Disturbed, AreThoseThatWaitedForCoresAndDidNotFillThem) {
  for (int I = 0; I < 10; ++I)
    I == 3 || I == 4 ? add(100, 90) : add(195, 1);
  EXPECT_THAT(found(), ElementsAre(3, 4));
}

TEST_F(Disturbed, NotByThreadsOfTheProgram) {
  for (int I = 0; I < 10; ++I)
    I == 3 ? add(198, 190) : add(150, 1);
  EXPECT_THAT(found(), IsEmpty()) << "it had both cores, and more threads than these";
}

TEST_F(Disturbed, PausesLeaveCoresToNobody) {
  // One thread of two pauses for half of the time: 150 is all that they can have.
  for (int I = 0; I < 10; ++I)
    I == 3 ? add(148, 30, 100, 50, 50) : add(150, 1, 100, 50, 50);
  EXPECT_THAT(found(), IsEmpty());
  add(100, 30, 100, 50, 50);
  EXPECT_THAT(found(), ElementsAre(10));
}

TEST_F(Disturbed, NotWhereThreadsShareCoresAllTheTime) {
  for (int I = 0; I < 10; ++I)
    I == 3 ? add(100, 900) : add(195, 200);
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(Disturbed, NotKnownWithoutTheNumberOfCores) {
  begin(0);
  for (int I = 0; I < 10; ++I)
    I == 3 ? add(100, 90) : add(195, 1);
  EXPECT_THAT(found(), IsEmpty());
}

// Every fifth experiment has half of the cores; the line brings 20 % at 50 %.
TEST_F(Disturbed, CountForNothing) {
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

} // namespace
