//===- SentenceTest.cpp ------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Sentence.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace causal;

namespace {

/// A curve with intervals of +- \p Half.
LineCurve curve(Verdict Says, CurveFit Fit, double Half = 0.01) {
  LineCurve C{};
  C.Says = Says;
  C.Fit = Fit;
  C.Ceiling = 1;
  for (int S = 0; S <= 100; S += 5) {
    double V = Fit.at(S / 100.0);
    C.Grid.push_back({V, Half / 2, V - Half, V + Half});
  }
  return C;
}

TEST(Sentence, OfALine) {
  EXPECT_EQ(describe(curve(Verdict::SpeedsUp, {0.4, 0, 0}), PointKind::Throughput),
            "if this took 50 % less time, the program would take 20 % less (19 to 21)");
}

TEST(Sentence, OfAKnee) {
  EXPECT_EQ(describe(curve(Verdict::SpeedsUp, {0.5, -0.5, 0.3}), PointKind::Throughput),
            "if this took 30 % less time, the program would take 15 % less (14 to 16); "
            "beyond 30 % nothing more");
  EXPECT_EQ(describe(curve(Verdict::SpeedsUp, {0.5, -0.25, 0.3}), PointKind::Latency),
            "if this took 50 % less time, the latency would be 20 % lower (19 to 21); "
            "beyond 30 % each further percent brings 0.5 times as much");
  EXPECT_EQ(describe(curve(Verdict::SpeedsUp, {0.5, -1, 0.4}), PointKind::Throughput),
            "if this took 40 % less time, the program would take 20 % less (19 to 21); "
            "beyond 40 % it gets slower again");
}

TEST(Sentence, OfAKneeWithNoFallThatIsSure) {
  EXPECT_EQ(describe(curve(Verdict::SpeedsUp, {0.5, -0.52, 0.4}), PointKind::Throughput),
            "if this took 40 % less time, the program would take 20 % less (19 to 21); "
            "beyond 40 % nothing more");
}

TEST(Sentence, OfACurveThatIsDrawnRounderThanItsPieces) {
  LineCurve C = curve(Verdict::SpeedsUp, {0.5, -0.5, 0.3});
  for (size_t I = 6; I < C.Grid.size(); ++I) {
    double V = 0.15 + 0.1 * double(I - 6) * 0.05;
    C.Grid[I] = {V, 0.005, V - 0.01, V + 0.01};
  }
  EXPECT_EQ(describe(C, PointKind::Throughput),
            "if this took 30 % less time, the program would take 15 % less (14 to 16); "
            "beyond 30 % each further percent brings 0.2 times as much");
}

// What lies behind a knee is said only if there surely is one.
TEST(Sentence, OfAKneeThatMayBeNone) {
  EXPECT_EQ(describe(curve(Verdict::SpeedsUp, {0.2, -0.2, 0.75}, 0.08), PointKind::Throughput),
            "if this took 75 % less time, the program would take 15 % less (7 to 23)");
  EXPECT_EQ(describe(curve(Verdict::SpeedsUp, {0.2, -0.2, 0.75}, 0.04), PointKind::Throughput),
            "if this took 75 % less time, the program would take 15 % less (11 to 19); "
            "beyond 75 % nothing more");
  EXPECT_EQ(describe(curve(Verdict::SpeedsUp, {-0.1, 0.5, 0.1}, 0.03), PointKind::Throughput),
            "if this took 50 % less time, the program would take 15 % less (12 to 18)");
  EXPECT_EQ(describe(curve(Verdict::SpeedsUp, {-0.5, 1, 0.1}, 0.03), PointKind::Throughput),
            "if this took 50 % less time, the program would take 15 % less (12 to 18); "
            "beyond 10 % it gets better");
}

TEST(Sentence, OfHarm) {
  EXPECT_EQ(describe(curve(Verdict::SlowsDown, {-0.2, 0, 0}), PointKind::Throughput),
            "if this took 100 % less time, the program would take 20 % more (19 to 21): "
            "it feeds something contended, a lock or a queue");
  LineCurve Turns = curve(Verdict::SlowsDown, {-0.2, 1, 0.6});
  Turns.Best = {100, Turns.Grid.back()};
  EXPECT_EQ(describe(Turns, PointKind::Throughput),
            "if this took 60 % less time, the program would take 12 % more (11 to 13): it feeds "
            "something contended, a lock or a queue; beyond 60 % it gets better");
}

TEST(Sentence, OfNothing) {
  EXPECT_EQ(describe(curve(Verdict::NoEffect, {0, 0, 0}), PointKind::Throughput),
            "making this faster changes the program by less than 1.0 %");
}

TEST(Sentence, OfIgnorance) {
  EXPECT_EQ(describe(curve(Verdict::Unclear, {0, 0, 0}), PointKind::Throughput),
            "not known yet: if this took 50 % less time, the program would take 1 % "
            "more to 1 % less");
}

std::string sum(const std::vector<LineCurve> &Curves) {
  std::vector<const LineCurve *> Each;
  for (const LineCurve &C : Curves)
    Each.push_back(&C);
  return describeSum(Each, "line");
}

TEST(Sentence, OfGainsThatDoNotAddUp) {
  LineCurve Lock = curve(Verdict::SpeedsUp, {0.6, 0, 0});
  EXPECT_EQ(sum({Lock, Lock}),
            "gains do not add up: of 2 lines, each 50 % faster, they come to 60 %, and all code "
            "that much faster would bring 50 %. To know what several bring together, list them: "
            "fixed_line=A,B");
  LineCurve Knee = curve(Verdict::SpeedsUp, {0.6, -0.6, 0.3});
  EXPECT_NE(sum({Knee, Knee}).find("each 25 % faster, they come to 30 %"), std::string::npos)
      << "what is sure at 25 %, if not at 50";
}

TEST(Sentence, OfGainsThatMayAddUp) {
  LineCurve Half = curve(Verdict::SpeedsUp, {0.5, 0, 0});
  EXPECT_EQ(sum({}), "");
  EXPECT_EQ(sum({Half, Half}), "") << "half of the work each";
  EXPECT_EQ(sum({curve(Verdict::SpeedsUp, {1.2, 0, 0})}), "") << "nothing to be added";
  LineCurve Lock = curve(Verdict::SpeedsUp, {0.6, 0, 0}),
            Vague = curve(Verdict::SpeedsUp, {0.6, 0, 0}, 0.1),
            Unclear = curve(Verdict::Unclear, {0.6, 0, 0});
  EXPECT_EQ(sum({Vague, Vague}), "") << "it may be chance";
  EXPECT_EQ(sum({Lock, Unclear}), "");
}

} // namespace
