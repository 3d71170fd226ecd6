//===- SpeedupModelTest.cpp
//--------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/SpeedupModel.h"
#include "ProfileText.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

using namespace causal;

namespace {

/// Experiments of 1 s on a line at every speedup, \p Each a speedup and four at
/// the baseline, with the visits that a period of Period(s) microseconds gives.
template <typename F> void sweep(ProfileText &T, unsigned Line, unsigned Each, F Period) {
  for (unsigned S = 0; S <= 100; S += 5)
    for (unsigned I = 0; I < (S ? Each : 4 * Each); ++I)
      T.experiment(Line, S, 1000, std::llround(1e6 / Period(S / 100.0)));
}

const LineCurve &curveOf(const Profile &P, const std::vector<LineCurve> &Curves, unsigned Line) {
  for (const LineCurve &C : Curves)
    if (P.lines()[C.Line].Line == Line)
      return C;
  ADD_FAILURE() << "no curve of line " << Line;
  static LineCurve None{};
  return None;
}

TEST(SpeedupModel, FindsTheCurvesOfASerialProgram) {
  // 300 us in line 1, 200 us in line 2: the effect is linear in the share.
  ProfileText T;
  T.run();
  sweep(T, 1, 1, [](double S) { return 500 - 300 * S; });
  sweep(T, 2, 1, [](double S) { return 500 - 200 * S; });
  Profile P = read(T);
  std::vector<LineCurve> Curves = rankLines(P, 0, ModelOptions());
  ASSERT_EQ(Curves.size(), 2u);
  EXPECT_EQ(P.lines()[Curves[0].Line].Line, 1u);
  for (double S : {25, 50, 75, 100}) {
    EXPECT_NEAR(Curves[0].gainAt(S)->Value, 0.6 * S / 100, 0.002) << S;
    EXPECT_NEAR(Curves[1].gainAt(S)->Value, 0.4 * S / 100, 0.002) << S;
  }
  EXPECT_EQ(Curves[0].Says, Verdict::SpeedsUp);
}

TEST(SpeedupModel, FindsTheCapOfForkJoin) {
  // Two threads of 6700 and 6400 us: speeding the longer one up stops to help
  // where the other one becomes the longer.
  ProfileText T;
  T.run();
  sweep(T, 1, 3, [](double S) { return std::max(6700 * (1 - S), 6400.0); });
  sweep(T, 2, 3, [](double) { return 6700; });
  Profile P = read(T);
  std::vector<LineCurve> Curves = rankLines(P, 0, ModelOptions());
  for (double S : {25, 50, 75}) {
    EXPECT_NEAR(curveOf(P, Curves, 1).gainAt(S)->Value, 1 - 6400.0 / 6700, 0.005) << S;
    EXPECT_NEAR(curveOf(P, Curves, 2).gainAt(S)->Value, 0, 0.005) << S;
  }
  EXPECT_EQ(curveOf(P, Curves, 1).Says, Verdict::SpeedsUp);
  EXPECT_EQ(curveOf(P, Curves, 2).Says, Verdict::NoEffect);
}

/// Of a gain that hardly any data support, what is to be expected beforehand takes this.
constexpr double Shrunk = 0.005;

TEST(SpeedupModel, SubtractsInsertedDelay) {
  ProfileText T;
  T.run()
      .experiment(1, 0, 1000, ProfileText::throughput(1000))
      .experiment(1, 50, 500, ProfileText::throughput(1000), 0, 400);
  EXPECT_NEAR(rankLines(read(T), 0, ModelOptions())[0].gainAt(50)->Value, 0.5, Shrunk);
}

TEST(SpeedupModel, CountsExperimentsWithoutAVisit) {
  ProfileText T;
  T.run().experiment(1, 0, 1000, 10).experiment(1, 50, 1000, 10).experiment(1, 50, 1000, 0);
  LineCurve C = rankLines(read(T), 0, ModelOptions())[0];
  EXPECT_NEAR(C.gainOf(C.Cells.back()).Value, -1, 1e-9);
}

// In phases without progress there are no visits, whatever is made faster.
TEST(SpeedupModel, KnowsLittleOfALineTriedInPhasesWithoutProgress) {
  ProfileText T;
  T.run();
  for (unsigned I = 0; I < 60; ++I)
    T.experiment(1, 0, 400, I % 3 ? 0 : 100);
  T.experiment(2, 5, 400, 88);
  for (unsigned Speedup : {35, 40, 70, 80, 100})
    T.experiment(2, Speedup, 400, 0);
  Profile P = read(T);
  std::vector<LineCurve> Curves = rankLines(P, 0, ModelOptions());
  const LineCurve &C = curveOf(P, Curves, 2);
  EXPECT_EQ(C.Says, Verdict::Unclear);
  EXPECT_GT(C.gainAt(100)->Value, -10);
}

// One file has many functions, and a line may be a target beside its function.
TEST(SpeedupModel, AFunctionIsATargetOfItsOwn) {
  ProfileText T;
  T.run();
  sweep(T, 0, 1, [](double S) { return 500 - 300 * S; });
  std::string First = T.Text;
  T.Text.clear();
  sweep(T, 0, 1, [](double) { return 500; });
  for (size_t At; (At = T.Text.find("\"f\"")) != std::string::npos;)
    T.Text.replace(At, 3, "\"g\"");
  T.Text = First + T.Text;
  sweep(T, 3, 1, [](double S) { return 500 - 100 * S; });
  Profile P = read(T);
  std::vector<LineCurve> Curves = rankLines(P, 0, ModelOptions());
  ASSERT_EQ(Curves.size(), 3u);
  EXPECT_EQ(P.lines()[Curves[0].Line].Function, "f");
  EXPECT_EQ(P.lines()[Curves[0].Line].Kind, TargetKind::Function);
  EXPECT_NEAR(Curves[0].gainAt(50)->Value, 0.3, 0.002);
  EXPECT_NEAR(curveOf(P, Curves, 3).gainAt(50)->Value, 0.1, 0.002);
  EXPECT_EQ(P.lines()[Curves[2].Line].Function, "g");
}

// Of a section it is the share of all that threads did, with a lock and without.
TEST(SpeedupModel, SharesOfSamplesAreThoseOfTargetsOfOneKind) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 4; ++I)
    T.experiment(1, 0, 500, 500).experiment(1, 50, 400, 500);
  T.line(1, 300, 300).line(2, 100, 100).snapshot(8000, 4000, 2);
  ProfileText Sections;
  Sections.Id = "r2";
  Sections.run();
  for (int I = 0; I < 4; ++I)
    Sections.experiment(1, 0, 500, 500).experiment(1, 50, 400, 500);
  Sections.line(1, 100, 100).snapshot(8000, 4000, 1);
  const std::string Function = R"("function":"f",)", Lines = R"("lines":1,)";
  for (size_t At = 0; (At = Sections.Text.find(Function, At)) != std::string::npos;)
    Sections.Text.insert(At += Function.size(), R"("section":true,)");
  Sections.Text.insert(Sections.Text.find(Lines), R"("unlocked":400,)");
  T.Text += Sections.Text;
  Profile P = read(T);
  ASSERT_EQ(P.lines().size(), 3u);
  std::vector<LineCurve> Curves = rankLines(P, 0, ModelOptions());
  ASSERT_EQ(Curves.size(), 2u);
  for (const LineCurve &C : Curves)
    EXPECT_NEAR(C.SampleShare, P.lines()[C.Line].Kind == TargetKind::Section ? 0.2 : 0.75, 1e-9);
}

TEST(SpeedupModel, PoolsBaselinesOnlyWhereALineHasTooFewVisits) {
  ProfileText T;
  T.run().experiment(1, 0, 1000, 1000).experiment(1, 50, 1000, 2000);
  T.experiment(2, 0, 1000, 4).experiment(2, 50, 1000, 2000).experiment(3, 50, 1000, 2000);
  Profile P = read(T);
  std::vector<LineCurve> Curves = rankLines(P, 0, ModelOptions());
  EXPECT_FALSE(curveOf(P, Curves, 1).PooledBaseline);
  EXPECT_TRUE(curveOf(P, Curves, 1).RunsApart);
  EXPECT_NEAR(curveOf(P, Curves, 1).gainAt(50)->Value, 0.5, Shrunk);
  for (unsigned Line : {2, 3}) {
    EXPECT_TRUE(curveOf(P, Curves, Line).PooledBaseline);
    EXPECT_NEAR(curveOf(P, Curves, Line).baseline().Period, 2e9 / 1004, 1);
  }
}

TEST(SpeedupModel, ALineWhoseBaselineMayDifferByChanceIsNotSaidToRunApart) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 4; ++I) // 1.3 standard errors from the others.
    T.experiment(1, 0, 1000, 1000)
        .experiment(1, 50, 1000, 1500)
        .experiment(2, 0, 1000, 1030)
        .experiment(2, 50, 1000, 1500);
  Profile P = read(T);
  std::vector<LineCurve> Curves = rankLines(P, 0, ModelOptions());
  EXPECT_FALSE(curveOf(P, Curves, 1).PooledBaseline);
  EXPECT_FALSE(curveOf(P, Curves, 1).RunsApart);
}

TEST(SpeedupModel, CallsAShorterLatencyASpeedup) {
  // Little: W = L / lambda. In flight and rate both change: 2/100 -> 1.5/150.
  ProfileText T;
  T.run()
      .experiment(1, 0, 1000, ProfileText::latency(100, 2))
      .experiment(1, 50, 1000, ProfileText::latency(150, 1.5));
  Profile P = read(T);
  ASSERT_EQ(P.points()[0].Kind, PointKind::Latency);
  LineCurve C = rankLines(P, 0, ModelOptions())[0];
  EXPECT_NEAR(C.baseline().Period, 20e6, 1);
  EXPECT_NEAR(C.gainAt(50)->Value, 0.5, 1e-9);
}

TEST(SpeedupModel, WeighsWhatIsInFlightByTime) {
  ProfileText T;
  T.run()
      .experiment(1, 0, 1000, ProfileText::latency(100, 4))
      .experiment(1, 0, 3000, ProfileText::latency(300, 0));
  T.experiment(1, 50, 1000, ProfileText::latency(100, 1));
  EXPECT_NEAR(rankLines(read(T), 0, ModelOptions())[0].baseline().Period, 10e6, 1);
}

TEST(SpeedupModel, LeavesOutExperimentsThatDidNotKnowThePoint) {
  ProfileText T;
  T.run().experiment(1, 0, 9000, ProfileText::throughput(1, "other")).experiment(1, 0, 1000, 1000);
  T.experiment(1, 50, 500, 1000);
  EXPECT_NEAR(rankLines(read(T), 1, ModelOptions())[0].gainAt(50)->Value, 0.5, Shrunk);
}

TEST(SpeedupModel, RanksASureGainBeforeALuckyOne) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 4; ++I)
    T.experiment(1, 0, 1000, 1000 + (I % 2) * 10).experiment(1, 50, 1000, 1100 + (I % 2) * 10);
  T.experiment(2, 0, 10, 6)
      .experiment(2, 0, 10, 14)
      .experiment(2, 50, 10, 8)
      .experiment(2, 50, 10, 22);
  Profile P = read(T);
  std::vector<LineCurve> Curves = rankLines(P, 0, ModelOptions());
  EXPECT_GT(Curves[1].gainAt(50)->Value, Curves[0].gainAt(50)->Value);
  EXPECT_EQ(P.lines()[Curves[0].Line].Line, 1u);
  EXPECT_EQ(Curves[1].Says, Verdict::Unclear);
}

TEST(SpeedupModel, RanksWhatIsSureFirstAndWhatWasHotForNothingLast) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 30; ++I) {
    int64_t Odd = I % 2;
    T.experiment(1, 0, 1000, 1000 + Odd).experiment(1, 80, 1000, 1000 + Odd);
    T.experiment(2, 0, 1000, 1000 + Odd).experiment(2, 80, 1000, 850 + Odd);
    T.experiment(3, 0, 1000, 1000 + Odd).experiment(3, 80, 1000, 1200 + Odd);
  }
  T.experiment(4, 80, 10, 5).experiment(4, 50, 10, 14);
  for (int Line : {1, 2, 3, 4}) { // A sample is of 250 us, the run of 90 s.
    int64_t Samples = Line == 1 ? 180000 : Line == 4 ? 36000 : 72000;
    T.line(Line, Samples, Samples);
  }
  T.snapshot(9e4, 5e4, 4);
  Profile P = read(T);
  std::vector<Verdict> Says;
  for (const LineCurve &C : rankLines(P, 0, ModelOptions()))
    Says.push_back(C.Says);
  EXPECT_EQ(Says, (std::vector<Verdict>{Verdict::SpeedsUp, Verdict::SlowsDown, Verdict::Unclear,
                                        Verdict::NoEffect}));
}

TEST(SpeedupModel, RanksUnclearLinesByWhatTheyMayBring) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 9; ++I) { // Noise hides what it brings.
    T.experiment(1, 0, 1000, 1000 + 150 * (I % 3), 50).experiment(1, 25, 1000, 1100, 50);
    T.experiment(1, 75, 1000, 1020 + 150 * (I % 3), 50);
  }
  T.experiment(2, 50, 100, 190, 100); // Hardly ever there, and lucky.
  T.line(1, 5000, 5000).line(2, 100, 100).line(3, 94900, 94900).snapshot(26000, 26000, 3);
  T.Text.replace(T.Text.find("\"final\":true"), 12, "\"final\":false"); // A server.
  Profile P = read(T);
  std::vector<LineCurve> Curves = rankLines(P, 0, ModelOptions());
  ASSERT_EQ(Curves.size(), 2u);
  for (const LineCurve &C : Curves)
    EXPECT_EQ(C.Says, Verdict::Unclear);
  EXPECT_EQ(P.lines()[Curves[0].Line].Line, 1u);
  EXPECT_LT(Curves[0].gainAt(50)->Value, Curves[1].gainAt(50)->Value) << "or it shows nothing";
  EXPECT_LT(Curves[1].Possible, 0.01);
}

// All replicates are the same but for rounding, which made an interval of 0 %.
TEST(SpeedupModel, OneBlockHasTheNoiseOfItsCells) {
  ProfileText T;
  T.run();
  for (unsigned S : {30, 75, 0, 0, 15, 90, 75, 0, 30, 0, 100, 5})
    T.experiment(1, S, 100, 500 + S % 7);
  LineCurve C = rankLines(read(T), 0, ModelOptions())[0];
  for (double S : {25, 50, 75, 100}) {
    Estimate E = *C.gainAt(S);
    EXPECT_GT(E.High - E.Value, 0.01) << S;
    EXPECT_GT(E.Value - E.Low, 0.01) << S;
  }
}

// Where a curve bends between its few cells is not known.
TEST(SpeedupModel, KnowsLittleBetweenCellsFarApart) {
  std::mt19937 Random(1);
  std::normal_distribution<double> Noise(1, 0.01);
  ProfileText T;
  T.run();
  for (int I = 0; I < 6; ++I)
    for (unsigned S : {0, 5, 10, 15, 95, 100})
      T.experiment(1, S, 100, int(1000 / (1 - std::min(S / 100.0, 0.36)) * Noise(Random)));
  LineCurve C = rankLines(read(T), 0, ModelOptions())[0];
  Estimate Between = *C.scatterAt(40), At = *C.scatterAt(95);
  EXPECT_GT(Between.High - Between.Low, 2 * (At.High - At.Low));
  EXPECT_GT(Between.High, 0.36);
}

// The noise of large speedups is larger. Against that of small ones all of it would be
// outliers.
TEST(SpeedupModel, OutliersAreFoundAmongSimilarSpeedups) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 24; ++I) {
    int Sign = I % 2 ? 1 : -1;
    T.experiment(1, 0, 100, 1000 + Sign);
    T.experiment(1, 20, 100, 1111 + Sign);
    T.experiment(1, 30, 100, 1176 + Sign);
    T.experiment(1, 90 + I % 3 * 5, 100, 1900 + 400 * Sign);
  }
  LineCurve Curve = rankLines(read(T), 0, ModelOptions())[0];
  double Visits = 0;
  for (const Cell &C : Curve.Cells)
    if (C.Speedup >= 90)
      Visits += C.Visits;
  EXPECT_NEAR(Visits, 24 * 1900, 1);
}

// A curve may bend to go through an experiment that the machine disturbed, whatever it
// weighs. Of five that count for much.
TEST(SpeedupModel, ASingleExperimentIsNoEvidence) {
  ProfileText T;
  for (int I = 0; I < 60; ++I)
    T.experiment(2, 0, 100, 1000 + 5 * (I % 5 - 2)).experiment(2, 50, 100, 1000 + 5 * (I % 3 - 1));
  constexpr unsigned Speedups[] = {20, 85, 50, 55, 5};
  for (unsigned Speedup : Speedups)
    T.experiment(1, Speedup, 100, Speedup == 20 ? 870 : 1010);
  std::vector<LineCurve> Curves = rankLines(read(T), 0, ModelOptions());
  const LineCurve &C = *std::find_if(Curves.begin(), Curves.end(),
                                     [](const LineCurve &L) { return L.Experiments == 5; });
  EXPECT_EQ(C.Says, Verdict::Unclear);
  EXPECT_GT(C.gainAt(20)->High, 0);
}

TEST(SpeedupModel, SeesContention) {
  ProfileText T;
  T.run();
  sweep(T, 1, 2, [](double S) { return 500 + 200 * S; });
  EXPECT_EQ(rankLines(read(T), 0, ModelOptions())[0].Says, Verdict::SlowsDown);
}

// Nor is what gains at last a sure loss.
TEST(SpeedupModel, WhatLosesFirstIsNoGain) {
  ProfileText V, Peak;
  V.run();
  sweep(V, 1, 2, [](double S) { return S < 0.6 ? 500 + 200 * S : 620 - 600 * (S - 0.6); });
  EXPECT_EQ(rankLines(read(V), 0, ModelOptions())[0].Says, Verdict::Unclear);
  Peak.run();
  sweep(Peak, 1, 2, [](double S) { return S < 0.5 ? 500 - 300 * S : 350 + 600 * (S - 0.5); });
  EXPECT_EQ(rankLines(read(Peak), 0, ModelOptions())[0].Says, Verdict::SpeedsUp);
}

TEST(SpeedupModel, HasNoCurveWithoutBaselineOrWithoutSpeedup) {
  EXPECT_TRUE(
      rankLines(read(ProfileText().run().experiment(1, 50, 1000, 100)), 0, ModelOptions()).empty());
  EXPECT_TRUE(
      rankLines(read(ProfileText().run().experiment(1, 0, 1000, 100)), 0, ModelOptions()).empty());
}

// Runs of 1 s that differ by 1 %, each an experiment on /a.c:1, whose gain is 0.6 of its
// speedup.
TEST(SpeedupModel, ARunIsAVisitOfItsOwnPoint) {
  ProfileText T;
  std::mt19937_64 Random(3);
  std::normal_distribution<double> Noise(1, 0.01);
  for (int I = 0; I < 60; ++I) {
    unsigned Speedup = I % 3 ? (I % 3 == 1 ? 20 : 80) : 0;
    T.Id = "r" + std::to_string(I);
    T.run().experiment(1, Speedup, 1000 * (1 - 0.6 * Speedup / 100) * Noise(Random),
                       R"({"name":"run","kind":"run","visits":1})");
  }
  Profile P = read(T);
  ASSERT_EQ(P.points()[0].Kind, PointKind::Run);
  PointSummary Summary = summarize(P, 0);
  EXPECT_DOUBLE_EQ(Summary.Visits, 60);
  EXPECT_NEAR(Summary.Baseline.Period, 1e9, 1e7);
  std::vector<LineCurve> Curves = rankLines(P, 0, ModelOptions());
  ASSERT_EQ(Curves.size(), 1u);
  const LineCurve &C = Curves[0];
  EXPECT_EQ(C.Says, Verdict::SpeedsUp);
  EXPECT_EQ(C.Experiments, 60u);
  EXPECT_NEAR(C.Visits, 60, 3); // Outliers count for less.
  ASSERT_EQ(C.Cells.size(), 3u);
  EXPECT_NEAR(C.Cells[2].Period, 0.52e9, 0.01e9);
  for (unsigned At : {20, 50, 80}) {
    Estimate E = *C.scatterAt(At);
    EXPECT_NEAR(E.Value, 0.006 * At, 0.015);
    EXPECT_LT(E.High - E.Low, 0.06) << "far less than counting whole visits would leave";
  }
}

TEST(SpeedupModel, SumsRuns) {
  ProfileText A, B;
  B.Id = "r2";
  A.run()
      .experiment(1, 0, 1000, 1000)
      .line(1, 4000, 4000)
      .line(2, 10000, 10000)
      .snapshot(1000, 1000, 2);
  B.run()
      .experiment(1, 50, 1000, 2000)
      .line(1, 8000, 8000)
      .line(2, 8000, 8000)
      .snapshot(2000, 1000, 2);
  ReadResult R({A.Text, B.Text});
  LineCurve C = rankLines(R.P, 0, ModelOptions())[0];
  EXPECT_NEAR(C.gainAt(50)->Value, 0.5, Shrunk);
  EXPECT_NEAR(C.SampleShare, 0.4, 1e-9);
}

} // namespace
