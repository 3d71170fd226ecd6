//===- WorkCovariateTest.cpp ----------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkCovariate.h"
#include "ProfileText.h"
#include "Sentence.h"
#include "SpeedupModel.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

using namespace causal;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// Two threads that share nothing, and one line that has half of the time of both. Units of
/// work differ in size from experiment to experiment.
struct UnlikeUnits {
  double Differ = 0.5;   ///< Standard deviation of their logarithm.
  double Contention = 0; ///< So much less CPU time per share of delays.
  double Measured = 0.005; ///< Standard deviation of how CPU time is measured.
  bool WholeRuns = false;
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
      double Unit = (WholeRuns ? 200e6 : 100e3) * std::exp(Differ * Normal(Random)) *
                    (1 - Contention * Gain);
      double Visits = WholeRuns ? 1 : std::floor(200e6 / Unit / (1 - Gain));
      double Work = Visits * Unit * (1 + Measured * Normal(Random));
      double Effective = Visits * Unit * (1 - Gain) / 2;
      double Delay = Effective * Gain / (1 - Gain);
      std::string Point =
          Kind == std::string("latency")
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
    return read(T);
  }
};

WorkCovariate covariateOf(const Profile &P) { return WorkCovariate(P, 0, Discards(P)); }

LineCurve curveOf(const Profile &P, bool PerCPUTime) {
  ModelOptions Options;
  Options.PerCPUTime = PerCPUTime;
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
  EXPECT_TRUE(W.helpsMuch());
}

TEST(WorkCovariate, MakesIntervalsNarrowAndKeepsThemRight) {
  Profile P = UnlikeUnits().make();
  LineCurve Plain = curveOf(P, false), PerCPUTime = curveOf(P, true);
  for (unsigned Speedup : {50u, 100u}) {
    Estimate E = *PerCPUTime.scatterAt(Speedup);
    EXPECT_LT(width(PerCPUTime, Speedup), width(Plain, Speedup) / 5);
    EXPECT_NEAR(E.Value, Speedup / 200.0, 0.01);
    EXPECT_LE(E.Low, Speedup / 200.0);
    EXPECT_GE(E.High, Speedup / 200.0);
  }
  EXPECT_EQ(PerCPUTime.Says, Verdict::SpeedsUp);
}

// Of CPU time that is measured to 3 %, say by samples.
TEST(WorkCovariate, IntervalsHoldTheTruthAsOftenAsTheySay) {
  UnlikeUnits Units;
  Units.Measured = 0.03;
  double Covered = 0, Number = 0, Error = 0, Width = 0;
  for (Units.Seed = 1; Units.Seed <= 100; ++Units.Seed) {
    LineCurve C = curveOf(Units.make(40), true);
    for (unsigned Speedup : {25u, 50u, 75u, 100u}) {
      Estimate E = *C.scatterAt(Speedup);
      double Truth = Speedup / 200.0;
      Covered += E.Low <= Truth && Truth <= E.High;
      Error += E.Value - Truth;
      Width += (E.High - E.Low) / 2;
      ++Number;
    }
  }
  EXPECT_GE(Covered / Number, 0.92);
  EXPECT_LE(Covered / Number, 0.995);
  EXPECT_LT(std::fabs(Error), 0.3 * Width);
}

// That others pause saves work here, which is no gain that could be had.
TEST(WorkCovariate, IsNotTakenIfItDependsOnTheDelays) {
  UnlikeUnits Contended;
  Contended.Differ = 0.05;
  Contended.Contention = 0.5;
  Profile P = Contended.make();
  WorkCovariate W = covariateOf(P);
  EXPECT_TRUE(W.dependsOnDelays());
  EXPECT_FALSE(W.applies());
  EXPECT_FALSE(W.helpsMuch());
  EXPECT_EQ(curveOf(P, true).gainAt(50)->Value, curveOf(P, false).gainAt(50)->Value);
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
  EXPECT_LT(width(curveOf(P, true), 50), width(curveOf(P, false), 50) / 3);
}

TEST(WorkCovariate, IsSpokenOf) {
  PointSummary Helps{};
  Helps.Work = {0.98, false, true, true};
  EXPECT_THAT(describeWork(Helps, /*Asked=*/false, /*AnyUnclear=*/true),
              HasSubstr("explains 98 % of the scatter: causal report --per-cpu-time takes it off"));
  EXPECT_THAT(describeWork(Helps, false, false), IsEmpty());
  EXPECT_THAT(describeWork(Helps, true, false), HasSubstr("per CPU time, which explains 98 %"));
  PointSummary Depends{};
  Depends.Work = {0.98, true, false, false};
  EXPECT_THAT(describeWork(Depends, false, true), IsEmpty());
  EXPECT_THAT(describeWork(Depends, true, true), HasSubstr("depends on the delays"));
  EXPECT_THAT(describeWork(PointSummary{}, true, true), HasSubstr("explains 0 %"));
}

} // namespace
