//===- WorkCovariateTest.cpp ----------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/WorkCovariate.h"
#include "ProfileText.h"
#include "lib/causal/Sentence.h"
#include "lib/causal/SpeedupModel.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

using namespace causal;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// Two threads that share nothing, and one line that has half of the time of both. Units of
/// work differ in size from experiment to experiment.
struct UnlikeUnits {
  double Differ = 0.5;     ///< Standard deviation of their logarithm.
  double Contention = 0;   ///< So much less CPU time per share of delays.
  double Measured = 0.005; ///< Standard deviation of how CPU time is measured.
  double Waits = 0;        ///< And of how long things take, whatever their work.
  bool WholeRuns = false;
  bool OneThread = false;
  const char *Kind = "throughput";
  uint64_t Seed = 7;

  Profile make(unsigned Blocks = 60) const {
    std::mt19937_64 Random(Seed);
    std::normal_distribution<double> Normal;
    ProfileText T;
    T.run();
    for (unsigned I = 0; I < 3 * Blocks; ++I) {
      if (WholeRuns && I) {
        T.Id = "r" + std::to_string(I);
        T.run();
      }
      unsigned Speedup = I % 3 == 0 ? 0 : I % 3 == 1 ? 5 + 5 * (I % 10) : 55 + 5 * (I % 10);
      double Gain = Speedup / 200.0;
      double Unit =
          (WholeRuns ? 200e6 : 100e3) * std::exp(Differ * Normal(Random)) * (1 - Contention * Gain);
      double Visits = WholeRuns ? 1 : std::floor(200e6 / Unit / (1 - Gain));
      double Work = Visits * Unit * (1 + Measured * Normal(Random));
      double Effective = Visits * Unit * (1 - Gain) / 2;
      if (Waits > 0)
        Effective *= std::exp(Waits * Normal(Random));
      double Delay = Effective * Gain / (1 - Gain);
      std::string Point = Kind == std::string("latency")
                              ? ProfileText::latency(int64_t(Visits), 2)
                              : llvm::formatv(R"({{"name":"item","kind":"{0}","visits":{1}})",
                                              WholeRuns ? "run" : Kind, int64_t(Visits))
                                    .str();
      T.add(llvm::formatv(
          R"({{"type":"experiment","run":"{0}","index":{1},"file":"/a.c","line":1,)"
          R"("function":"f","speedup":{2},"start":{1},"wall":{3},"delay":{4},"samples":9,)"
          R"("work":{5},"unsettled":0,"points":[{6}]})",
          T.Id, WholeRuns ? 0 : I, Speedup, int64_t(Effective + Delay), int64_t(Delay),
          int64_t(Work), Point));
    }
    if (OneThread)
      T.snapshot(1e5, 1e4, 0, 0, R"("threads":1)");
    return read(T);
  }
};

WorkCovariate covariateOf(const Profile &P) {
  return WorkCovariate(P, 0, Discards(P), WorkPrior::Unknown);
}

LineCurve curveOf(const Profile &P, WorkPrior Work) {
  ModelOptions Options;
  Options.Work = Work;
  return rankLines(P, 0, Options).at(0);
}

double width(const LineCurve &C, unsigned Speedup) {
  Estimate E = *C.scatterAt(Speedup);
  return E.High - E.Low;
}

TEST(WorkCovariate, ExplainsWhatUnitsOfWorkDifferBy) {
  Profile P = UnlikeUnits().make();
  WorkCovariate W = covariateOf(P);
  EXPECT_GT(W.explains(), 0.99);
  EXPECT_TRUE(W.applies());
  EXPECT_FALSE(W.dependsOnDelays());
}

TEST(WorkCovariate, MakesIntervalsNarrowAndKeepsThemRight) {
  Profile P = UnlikeUnits().make();
  LineCurve Plain = curveOf(P, WorkPrior::NotUsed), Unknown = curveOf(P, WorkPrior::Unknown),
            Independent = curveOf(P, WorkPrior::Independent);
  for (unsigned Speedup : {50u, 100u}) {
    EXPECT_LT(width(Unknown, Speedup), 0.8 * width(Plain, Speedup));
    EXPECT_LT(width(Independent, Speedup), width(Plain, Speedup) / 5);
    Estimate E = *Independent.scatterAt(Speedup);
    EXPECT_NEAR(E.Value, Speedup / 200.0, 0.01);
    EXPECT_LE(E.Low, Speedup / 200.0);
    EXPECT_GE(E.High, Speedup / 200.0);
  }
  EXPECT_EQ(Independent.Says, Verdict::SpeedsUp);
}

// As in a pipeline on a machine that is now faster, now slower.
TEST(WorkCovariate, IsWorthItWhereItExplainsHalf) {
  UnlikeUnits Units;
  Units.Differ = Units.Waits = 0.05;
  double Explained = 0, Width = 0, ByTime = 0, Profiles = 20;
  for (Units.Seed = 1; double(Units.Seed) <= Profiles; ++Units.Seed) {
    Profile P = Units.make();
    ASSERT_TRUE(covariateOf(P).applies());
    Explained += covariateOf(P).explains() / Profiles;
    Width += width(curveOf(P, WorkPrior::Unknown), 50);
    ByTime += width(curveOf(P, WorkPrior::NotUsed), 50);
  }
  EXPECT_NEAR(Explained, 0.5, 0.1);
  EXPECT_LT(Width, 0.9 * ByTime);
}

TEST(WorkCovariate, ExplainsNothingByChance) {
  UnlikeUnits Units;
  Units.Differ = 0;
  Units.Waits = Units.Measured = 0.05;
  int Applies = 0, Pairs = 12;
  for (Units.Seed = 1; Units.Seed <= 200; ++Units.Seed)
    Applies += covariateOf(Units.make(Pairs + 1)).applies();
  EXPECT_LE(Applies, 6);
}

struct WorkCase {
  const char *Name;
  double Differ, Contention; ///< Less than 0: as likely as it is taken to be.
  WorkPrior Prior;
  double Least = 0.92; ///< Share of intervals that hold the truth.
  double Waits = 0;
};
class WorkCoverage : public testing::TestWithParam<WorkCase> {};

// Of CPU time that is measured to 3 %, say by samples.
TEST_P(WorkCoverage, IntervalsHoldTheTruthAsOftenAsTheySay) {
  UnlikeUnits Units;
  Units.Measured = 0.03;
  Units.Differ = GetParam().Differ;
  Units.Contention = GetParam().Contention;
  Units.Waits = GetParam().Waits;
  std::mt19937_64 Random(1);
  std::normal_distribution<double> Normal;
  double Covered = 0, Number = 0, Error = 0, Width = 0;
  for (Units.Seed = 1; Units.Seed <= 100; ++Units.Seed) {
    if (GetParam().Contention < 0)
      Units.Contention = (Units.Seed % 2 ? 0.03 : 0.4) * Normal(Random);
    LineCurve C = curveOf(Units.make(40), GetParam().Prior);
    for (unsigned Speedup : {25u, 50u, 75u, 100u}) {
      Estimate E = *C.scatterAt(Speedup);
      double Gain = Speedup / 200.0;
      double Truth = 1 - (1 - Gain) * (1 - Units.Contention * Gain);
      Covered += E.Low <= Truth && Truth <= E.High;
      Error += E.Value - Truth;
      Width += (E.High - E.Low) / 2;
      ++Number;
    }
  }
  RecordProperty("covered", std::to_string(Covered / Number));
  RecordProperty("width", std::to_string(Width / Number));
  EXPECT_GE(Covered / Number, GetParam().Least);
  EXPECT_LT(std::fabs(Error), 0.5 * Width);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, WorkCoverage,
    testing::Values(WorkCase{"Independent", 0.5, 0, WorkPrior::Independent},
                    WorkCase{"Unknown", 0.5, 0, WorkPrior::Unknown},
                    WorkCase{"UnknownSmall", 0.1, 0, WorkPrior::Unknown},
                    WorkCase{"Any", 0.3, -1, WorkPrior::Unknown, 0.88},
                    WorkCase{"AnySmall", 0.1, -1, WorkPrior::Unknown, 0.88},
                    WorkCase{"Contended", 0.2, 0.5, WorkPrior::Unknown, 0.88},
                    WorkCase{"ContendedSmall", 0.05, 0.5, WorkPrior::Unknown},
                    WorkCase{"BetweenBoth", 0.2, 0.1, WorkPrior::Unknown, 0.85},
                    WorkCase{"HalfExplained", 0.05, 0, WorkPrior::Unknown, 0.92, 0.05},
                    WorkCase{"FifthExplained", 0.05, 0, WorkPrior::Unknown, 0.92, 0.1},
                    WorkCase{"HalfAny", 0.1, -1, WorkPrior::Unknown, 0.88, 0.1},
                    WorkCase{"HalfContended", 0.1, 0.5, WorkPrior::Unknown, 0.88, 0.1}),
    [](const auto &Info) { return std::string(Info.param.Name); });

// That others pause saves work here.
TEST(WorkCovariate, WhatDependsOnTheDelaysIsNotTakenOff) {
  UnlikeUnits Contended;
  Contended.Differ = 0.05;
  Contended.Contention = 0.5;
  Profile P = Contended.make();
  EXPECT_TRUE(covariateOf(P).dependsOnDelays());
  LineCurve ByTime = curveOf(P, WorkPrior::NotUsed);
  for (WorkPrior Prior : {WorkPrior::Unknown, WorkPrior::Independent}) {
    LineCurve C = curveOf(P, Prior);
    EXPECT_NEAR(C.gainAt(50)->Value, ByTime.gainAt(50)->Value, 0.02);
    EXPECT_LT(width(C, 50), 1.2 * width(ByTime, 50));
  }
}

// A delay holds nobody back there.
TEST(WorkCovariate, OneThreadIsInNobodysWay) {
  UnlikeUnits Units;
  Units.OneThread = true;
  Profile P = Units.make();
  EXPECT_FALSE(covariateOf(P).mayDependOnDelays());
  EXPECT_LE(width(curveOf(P, WorkPrior::Unknown), 50),
            width(curveOf(P, WorkPrior::Independent), 50));
}

// Thread A serves the point, B something else, all the time. The line is B's: A pauses, B goes
// on, and CPU time per visit grows the more the longer the delays are.
Profile profileOfThreadsApart(uint64_t Seed, unsigned Experiments, double Scatter) {
  std::mt19937_64 Random(Seed);
  std::normal_distribution<double> Normal;
  ProfileText T;
  T.run();
  constexpr double Wall = 100e6, Unit = 150e3, Share = 0.75;
  for (unsigned I = 0; I < Experiments; ++I) {
    unsigned Speedup = I % 3 == 0 ? 0 : I % 3 == 1 ? 5 + 5 * (I % 10) : 55 + 5 * (I % 10);
    double Delay = Wall * Share * Speedup / 100.0;
    T.add(llvm::formatv(
        R"({{"type":"experiment","run":"{0}","index":{1},"file":"/a.c","line":1,)"
        R"("function":"f","speedup":{2},"start":{1},"wall":{3},"delay":{4},"samples":9,)"
        R"("work":{5},"unsettled":0,"points":[{{"name":"a","kind":"throughput","visits":{6}}]})",
        T.Id, I, Speedup, int64_t(Wall), int64_t(Delay), int64_t(2 * Wall - Delay),
        int64_t((Wall - Delay) / (Unit * std::exp(Scatter * Normal(Random))))));
  }
  return read(T);
}

TEST(WorkCovariate, IsNotTakenWhereOthersHaveNoPartInVisits) {
  struct {
    unsigned Experiments;
    double Scatter;
  } Cases[] = {{120, 0.02}, {60, 0.05}};
  for (auto [Experiments, Scatter] : Cases) {
    int Wrong = 0;
    for (uint64_t Seed = 1; Seed <= 20; ++Seed) {
      Profile P = profileOfThreadsApart(Seed, Experiments, Scatter);
      EXPECT_FALSE(covariateOf(P).applies());
      Verdict Says = curveOf(P, WorkPrior::Unknown).Says;
      Wrong += Says == Verdict::SlowsDown || Says == Verdict::SpeedsUp;
    }
    EXPECT_LE(Wrong, 2) << Scatter;
  }
}

TEST(WorkCovariate, IsFiniteWhereNothingScatters) {
  UnlikeUnits Exact;
  Exact.Measured = 0;
  Profile P = Exact.make();
  WorkCovariate W = covariateOf(P);
  EXPECT_TRUE(W.applies());
  EXPECT_TRUE(std::isfinite(W.error(0)));
  EXPECT_TRUE(std::isfinite(curveOf(P, WorkPrior::Unknown).gainAt(50)->Value));
}

TEST(WorkCovariate, SaysNothingWithFewBaselines) {
  Profile P = UnlikeUnits().make(8);
  EXPECT_EQ(covariateOf(P).explains(), 0);
}

TEST(WorkCovariate, IsNotTakenForLatency) {
  UnlikeUnits Latency;
  Latency.Kind = "latency";
  EXPECT_EQ(covariateOf(Latency.make()).explains(), 0);
}

TEST(WorkCovariate, ComparesWholeRuns) {
  UnlikeUnits Runs;
  Runs.WholeRuns = true;
  Profile P = Runs.make(30);
  EXPECT_GT(covariateOf(P).explains(), 0.99);
  EXPECT_LT(width(curveOf(P, WorkPrior::Independent), 50),
            width(curveOf(P, WorkPrior::NotUsed), 50) / 3);
}

TEST(WorkCovariate, IsSpokenOf) {
  auto Describe = [](PointSummary S, WorkPrior Prior, bool AnyUnclear) {
    return describeWork(S, Prior, AnyUnclear);
  };
  PointSummary Helps{}, Depends{};
  Helps.Work = {0.98, false, true};
  Depends.Work = {0.98, true, true};
  constexpr WorkPrior Unknown = WorkPrior::Unknown, Independent = WorkPrior::Independent;
  EXPECT_THAT(Describe(Helps, Unknown, true),
              HasSubstr("per CPU time, which explains 98 % of the scatter. Should threads"));
  EXPECT_THAT(Describe(Helps, Unknown, false), EndsWith("98 % of the scatter"));
  PointSummary OneThread = Helps;
  OneThread.Work.MayDepend = false;
  EXPECT_THAT(Describe(OneThread, Unknown, true), EndsWith("98 % of the scatter"));
  PointSummary Some{};
  Some.Work = {0.4, false, true};
  EXPECT_THAT(Describe(Some, Unknown, true), EndsWith("40 % of the scatter"));
  EXPECT_THAT(Describe(Helps, Independent, true), HasSubstr("which delays do not change"));
  EXPECT_THAT(Describe(Depends, Unknown, true), EndsWith("98 % of the scatter"));
  EXPECT_THAT(Describe(Depends, Independent, true), HasSubstr("whatever --per-cpu-time says"));
  EXPECT_THAT(Describe(PointSummary{}, Unknown, true), IsEmpty());
  EXPECT_THAT(Describe(PointSummary{}, Independent, true), HasSubstr("explains 0 %"));
}

} // namespace
