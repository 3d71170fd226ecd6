//===- SettlingTest.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "causal_settling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace __causal;

namespace {

/// Experiments of 40 ms that are early and 40 ms that are late, with a visit about every
/// half of one.
class Experiments {
public:
  SettlingTest Test = {};

  explicit Experiments(unsigned Seed = 1) : Random(Seed) {}

  /// EarlyShare: visits in the early part per visit in the late part.
  void add(uint32_t Speedup, double EarlyShare) {
    uint64_t Early = visits(EarlyShare), Late = visits(1);
    Test.add(Speedup, {Late, 40000000}, {Early + Late, 80000000});
  }

private:
  uint64_t visits(double Share) {
    return static_cast<uint64_t>(std::lround(80 * Share * Noise(Random)));
  }
  std::mt19937 Random;
  std::normal_distribution<double> Noise{1, 0.05};
};

TEST(Settling, ZeroedHasSeenNothing) {
  EXPECT_FALSE(SettlingTest().settlesLate());
}

TEST(Settling, IsInTimeWhereThePartsAreAlike) {
  Experiments E;
  for (uint32_t I = 0; I < 1000; ++I) {
    E.add(I * 5 % 105, 1);
    ASSERT_FALSE(E.Test.settlesLate()) << "after " << I;
  }
}

// Drift within experiments that does not depend on the speedup is the machine's.
TEST(Settling, IsInTimeWhereAllExperimentsChangeAlike) {
  Experiments E;
  for (uint32_t I = 0; I < 1000; ++I) {
    E.add(I * 5 % 105, 1.2);
    ASSERT_FALSE(E.Test.settlesLate()) << "after " << I;
  }
}

// The machine stands still for a while now and then, which one experiment has to bear.
TEST(Settling, AnAccidentIsNone) {
  unsigned TakenForLate = 0;
  constexpr uint32_t Programs = 40;
  for (uint32_t At = 0; At < Programs; ++At) {
    Experiments E(At);
    bool Late = false;
    for (uint32_t I = 0; I < 60; ++I) {
      E.add(I * 5 % 105, I == At ? 0.1 : 1);
      Late |= E.Test.settlesLate();
    }
    TakenForLate += Late;
  }
  EXPECT_LE(TakenForLate, 1u) << "of " << Programs;
}

TEST(Settling, IsLateWhereSomeSpeedupsDrainAQueue) {
  Experiments E;
  uint32_t I = 0;
  for (; I < 200 && !E.Test.settlesLate(); ++I) {
    uint32_t Speedup = I * 5 % 105;
    E.add(Speedup, Speedup > 37 && Speedup < 75 ? 1.15 : 1);
  }
  EXPECT_LT(I, 100u);
}

TEST(Settling, ExperimentsWithHardlyAVisitSayNothing) {
  SettlingTest Test = {};
  for (uint32_t I = 0; I < 100; ++I)
    Test.add(I * 5 % 105, {I % 3, 40000000}, {3 + I % 5, 80000000});
  EXPECT_FALSE(Test.settlesLate());
}

} // namespace
