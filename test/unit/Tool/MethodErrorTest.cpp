//===- MethodErrorTest.cpp ------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/MethodError.h"
#include "ProfileText.h"
#include "lib/causal/RunTarget.h"
#include "lib/causal/Sentence.h"
#include "lib/statistics/Bootstrap.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace causal;

namespace {

/// Of a run that had so many threads.
MethodError withThreads(int Threads) {
  ProfileText T;
  T.run();
  T.snapshot(1000, 1000, 0, 0, "\"threads\":" + std::to_string(Threads));
  return MethodError(read(T));
}

TEST(MethodError, GrowsWithTheDelaysAndWithTheGain) {
  MethodError Method = withThreads(2);
  EXPECT_EQ(Method.of(0, 0), 0) << "who does nothing errs by nothing";
  EXPECT_GT(Method.of(0.4, 0), 0) << "what is gained for nothing may be noise of delays";
  EXPECT_DOUBLE_EQ(Method.of(0.8, 0.4), 2 * Method.of(0.4, 0.2));
  EXPECT_EQ(Method.of(0.4, -0.2), Method.of(0.4, 0.2));
  EXPECT_GT(Method.of(0.4, 0.4), Method.of(0.4, 0.2));
}

TEST(MethodError, IsLessWhereNobodyIsHeldBack) {
  double Two = withThreads(2).of(0.4, 0.4);
  EXPECT_LT(withThreads(1).of(0.4, 0.4), Two / 2);
  EXPECT_GT(withThreads(1).of(0.4, 0.4), 0);
  EXPECT_EQ(withThreads(0).of(0.4, 0.4), Two) << "a profile that does not say";
  EXPECT_EQ(MethodError(Profile()).of(0.4, 0.4), Two);
}

TEST(MethodError, IsIndependentOfTheScatter) {
  Estimate E = widen({0.2, 0.03, 0.2 - 0.06, 0.2 + 0.08}, 0.04);
  EXPECT_DOUBLE_EQ(E.Value, 0.2);
  EXPECT_DOUBLE_EQ(E.StdErr, 0.05);
  EXPECT_DOUBLE_EQ(E.Low, 0.2 - std::hypot(0.06, Z95 * 0.04));
  EXPECT_DOUBLE_EQ(E.High, 0.2 + std::hypot(0.08, Z95 * 0.04));
}

/// Line 1 gains \p Gain at full speed, line 2, which is as hot, nothing; each is experimented
/// with \p Each times at every speedup, and hardly any scatter.
Profile precise(unsigned Each, double Gain = 0.4) {
  ProfileText T;
  T.run();
  for (unsigned I = 0; I < Each; ++I)
    for (unsigned S = 0; S <= 100; S += 5) {
      double Delay = 1000 * 0.4 * S / 100;
      auto Add = [&](unsigned Line, double Period) {
        T.experiment(Line, S, 1000, ProfileText::throughput(std::llround(1e6 / Period)), 0, Delay);
      };
      Add(1, 100 * (1 - Gain * S / 100));
      Add(2, 100);
    }
  return read(T);
}

TEST(MethodError, IsLeftHoweverManyExperimentsThereAre) {
  Profile P = precise(/*Each=*/10);
  LineCurve C = rankLines(P, 0, ModelOptions())[0];
  ASSERT_EQ(P.lines()[C.Line].Line, 1u);
  Estimate All = *C.gainAt(50), Scatter = *C.scatterAt(50);
  double Method = MethodError(P).of(C.Delays / 2, All.Value);
  EXPECT_LT(Scatter.High - Scatter.Low, 0.01);
  EXPECT_GT(All.High - All.Low, 2 * Z95 * Method - 1e-9);
  EXPECT_LT(All.High - All.Low, 2 * Z95 * Method + 0.01);
  EXPECT_EQ(All.Value, Scatter.Value);
}

TEST(MethodError, IsNothingToWaitFor) {
  Precision Now = precisionOf(precise(/*Each=*/10), ModelOptions());
  ASSERT_TRUE(Now.HalfWidth);
  EXPECT_LT(*Now.HalfWidth, 0.005);
}

// Less than it, but more than nothing: to go on would not help.
TEST(MethodError, IsSaidToBeWhatLeavesALineOpen) {
  Profile P = precise(/*Each=*/10, /*Gain=*/0.035);
  std::vector<LineCurve> Curves = rankLines(P, 0, ModelOptions());
  const LineCurve &C = P.lines()[Curves[0].Line].Line == 1 ? Curves[0] : Curves[1];
  EXPECT_GT(C.scatterAt(100)->Low, 0.03);
  EXPECT_EQ(C.Says, Verdict::Unclear);
  EXPECT_TRUE(C.WithinMethodError);
  EXPECT_THAT(describe(C, PointKind::Throughput),
              testing::HasSubstr("more experiments will not tell"));
  EXPECT_FALSE(timeUntilClear(Curves, KnownWell, 10));
}

// Of a latency that nearly vanishes, too.
TEST(MethodError, DoesNotReachBeyondAllThatThereIs) {
  ProfileText T;
  T.run();
  for (unsigned I = 0; I < 10; ++I)
    for (unsigned S : {0, 50, 100})
      T.experiment(1, S, 1000, ProfileText::latency(1000, S ? 0.02 : 1), 0, 8.0 * S);
  LineCurve C = rankLines(read(T), 0, ModelOptions())[0];
  EXPECT_NEAR(C.gainAt(100)->Value, 0.98, 0.01);
  EXPECT_LE(C.gainAt(100)->High, 1);
}

// That delays do nothing is seen, however many there are.
TEST(MethodError, DoesNotHideThatAHotLineIsUseless) {
  Profile P = precise(/*Each=*/10);
  LineCurve C = rankLines(P, 0, ModelOptions())[1];
  ASSERT_EQ(P.lines()[C.Line].Line, 2u);
  EXPECT_EQ(C.Says, Verdict::NoEffect);
  EXPECT_GT(C.gainAt(100)->High, 2 * C.scatterAt(100)->High);
}

} // namespace
