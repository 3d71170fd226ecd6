//===- PhaseCorrectionTest.cpp
//-----------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/PhaseCorrection.h"
#include "ProfileText.h"
#include "lib/causal/SpeedupModel.h"

using namespace causal;

namespace {

PhaseFactor factorOf(const Profile &P) {
  return phaseCorrection(P, 0, experimentsByLine(P)[0], Discards(P));
}

/// A line that takes every sample of the phase it runs in, a quarter of the
/// run: 4000 a second while selected. Under a virtual speedup its density rises
/// further, since the others pause; the correction must not see that.
ProfileText quarter() {
  ProfileText T;
  T.run();
  for (int I = 0; I < 3; ++I) {
    T.experiment(1, 0, 500, 500, 2000);
    T.experiment(1, 50, 500, 1000, 3900 + I);
    T.experiment(1, 75, 500, 2000, 8000);
  }
  return T.line(1, 20000, 10000).snapshot(40000, 10000, 1);
}

TEST(PhaseCorrection, ScalesALineThatRunsAQuarterOfTheTime) {
  Profile P = read(quarter());
  PhaseFactor F = factorOf(P);
  EXPECT_EQ(F.Why, PhaseFactor::Applied);
  EXPECT_NEAR(F.Factor, 0.25, 1e-3);
  // sqrt(1/6000 + 1/10000) of it.
  EXPECT_NEAR(F.StdErr, 0.25 * 0.01633, 1e-4);
}

// In a run that profiles functions no sample could have fallen into a line.
TEST(PhaseCorrection, LooksAtRunsWithTargetsOfThatKindOnly) {
  ProfileText T = quarter();
  T.Id = "r2";
  T.run().line(0, 30000, 15000).snapshot(40000, 40000, 1);
  Profile P = read(T);
  ASSERT_EQ(P.lines().size(), 2u);
  EXPECT_NEAR(factorOf(P).Factor, 0.25, 1e-3);
}

TEST(PhaseCorrection, ScalesEffectAndError) {
  Profile P = read(quarter());
  ModelOptions Off;
  Off.PhaseCorrection = false;
  LineCurve Raw = rankLines(P, 0, Off)[0], Corrected = rankLines(P, 0, ModelOptions())[0];
  EXPECT_NEAR(Raw.gainAt(50)->Value, 0.5, 0.01);
  EXPECT_EQ(Raw.Phase.Why, PhaseFactor::Disabled);
  EXPECT_NEAR(Corrected.gainAt(50)->Value, Corrected.Phase.Factor * Raw.gainAt(50)->Value, 1e-9);
  EXPECT_GT(Corrected.gainAt(50)->StdErr, 0.25 * Raw.gainAt(50)->StdErr);
}

TEST(PhaseCorrection, WantsAHundredSamplesOnEitherSide) {
  ProfileText Few;
  Few.run().experiment(1, 0, 500, 500, 99).line(1, 20000, 10000).snapshot(400000, 100000, 1);
  EXPECT_EQ(factorOf(read(Few)).Why, PhaseFactor::TooFewSamples);
  ProfileText Rare;
  Rare.run().experiment(1, 0, 500, 500, 2000).line(1, 99, 99).snapshot(40000, 10000, 1);
  EXPECT_EQ(factorOf(read(Rare)).Why, PhaseFactor::TooFewSamples);
  EXPECT_EQ(factorOf(read(Rare)).Factor, 1);
  EXPECT_EQ(factorOf(read(ProfileText().run().experiment(1, 0, 500, 500, 2000))).Factor, 1);
}

TEST(PhaseCorrection, LeavesChanceAlone) {
  ProfileText T; // 10 % apart, 200 samples: sqrt(1/200 + 1/200) is 10 %.
  T.run().experiment(1, 0, 500, 500, 200).line(1, 220, 180).snapshot(500, 500, 1);
  PhaseFactor F = factorOf(read(T));
  EXPECT_EQ(F.Why, PhaseFactor::NotSignificant);
  EXPECT_NEAR(F.Factor, 1, 0.02);
  EXPECT_NEAR(F.Measured, 0.9, 1e-9);
}

// Samples of four periods each: a fourth of them was taken.
TEST(PhaseCorrection, KnowsHowManySamplesWereTaken) {
  auto Of = [](const char *Weight, int Samples, int Undelayed) {
    ProfileText T;
    T.run().experiment(1, 0, 500, 500, Samples).line(1, Undelayed, Undelayed);
    return factorOf(read(T.snapshot(500, 500, 1, 0, R"("dropped":0)", 0, Weight)));
  };
  PhaseFactor Taken = Of("", 400, 200), Weighed = Of(R"(,"sample_weight":4)", 1600, 800);
  EXPECT_EQ(Taken.Why, PhaseFactor::Applied);
  EXPECT_EQ(Weighed.Why, PhaseFactor::Applied);
  EXPECT_NEAR(Weighed.Measured, Taken.Measured, 1e-9);
  EXPECT_NEAR(Weighed.Factor, Taken.Factor, 1e-9);
  EXPECT_NEAR(Weighed.StdErr, Taken.StdErr, 1e-9);
  EXPECT_EQ(Of(R"(,"sample_weight":4)", 1600, 396).Why, PhaseFactor::TooFewSamples);
}

TEST(PhaseCorrection, LeavesFivePercentAlone) {
  ProfileText T;
  T.run().experiment(1, 0, 500, 500, 1000000).line(1, 955000, 955000).snapshot(500, 500, 1);
  PhaseFactor F = factorOf(read(T));
  EXPECT_EQ(F.Why, PhaseFactor::NotSignificant);
  EXPECT_NEAR(F.Factor, 1, 0.01);
}

// What may be chance is believed in part, and the error says so; no threshold makes it jump.
TEST(PhaseCorrection, BelievesInPart) {
  auto With = [](int Undelayed) {
    ProfileText T;
    T.run().experiment(1, 0, 500, 500, 200).line(1, Undelayed, Undelayed);
    return factorOf(read(T.snapshot(500, 500, 1)));
  };
  double Before = 1;
  for (int Undelayed = 198; Undelayed >= 120; Undelayed -= 2) {
    PhaseFactor F = With(Undelayed);
    EXPECT_LT(F.Factor, Before);
    EXPECT_GT(F.Factor, Before - 0.06);
    EXPECT_GT(F.Factor, F.Measured - 1e-9);
    Before = F.Factor;
  }
  EXPECT_GT(With(150).StdErr, With(190).StdErr);
  EXPECT_NEAR(With(120).Factor, 0.6, 0.03);
}

TEST(PhaseCorrection, KnowsThatSamplesComeInBunches) {
  ProfileText T; // Plenty of samples, but the two experiments disagree by far.
  T.run().experiment(1, 0, 500, 500, 100).experiment(1, 0, 500, 500, 3900);
  T.line(1, 20000, 20000).snapshot(20000, 20000, 1);
  PhaseFactor F = factorOf(read(T));
  EXPECT_NEAR(F.Measured, 0.25, 1e-9);
  EXPECT_GT(F.Factor, 0.7);
  EXPECT_GT(F.StdErr, 0.25);
}

TEST(PhaseCorrection, RaisesAnEffectThatExperimentsMissedToTwiceAtMost) {
  ProfileText T;
  T.run().experiment(1, 0, 500, 500, 1000).line(1, 20000, 20000).snapshot(2000, 2000, 1);
  PhaseFactor F = factorOf(read(T));
  EXPECT_NEAR(F.Measured, 5, 1e-9);
  EXPECT_EQ(F.Factor, 2);
}

} // namespace
