//===- SettlingTest.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "causal/experiment/causal_settling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace __causal;

namespace {

constexpr uint64_t Ms = 1000000;

/// Of an experiment of 100 ms.
VisitSpans spans(uint64_t LeadIn, uint64_t Early, uint64_t Late) {
  VisitSpans S;
  S.begin(0, 0);
  S.poll(20 * Ms, LeadIn, ExperimentPart::Early);
  S.poll(60 * Ms, LeadIn + Early, ExperimentPart::Late);
  S.poll(100 * Ms, LeadIn + Early + Late, ExperimentPart::Late);
  return S;
}

/// Experiments in which a point is visited 200 times without speedups, give or take a few.
class Experiments {
public:
  SettlingTest Test = {};

  explicit Experiments(unsigned Seed = 1) : Random(Seed) {}

  /// EarlyShare: visits per time in the early part per visit in the late part. Backlog: in
  /// visits. Returns whether experiments should be longer.
  bool add(uint32_t Speedup, double EarlyShare, double Backlog = 0, uint32_t Line = 1) {
    return Test.add(Line, Speedup,
                    spans(visits(40 * EarlyShare, Backlog), visits(80 * EarlyShare), visits(80)));
  }

private:
  uint64_t visits(double Mean, double More = 0) {
    return static_cast<uint64_t>(std::lround(Mean * Noise(Random) + More));
  }
  std::mt19937 Random;
  std::normal_distribution<double> Noise{1, 0.05};
};

TEST(Settling, IsInTimeWhereThePartsAreAlike) {
  Experiments E;
  for (uint32_t I = 0; I < 1000; ++I)
    ASSERT_FALSE(E.add(I * 5 % 105, 1)) << "after " << I;
}

// Drift within experiments that does not depend on the speedup is the machine's.
TEST(Settling, IsInTimeWhereAllExperimentsChangeAlike) {
  Experiments E;
  for (uint32_t I = 0; I < 1000; ++I)
    ASSERT_FALSE(E.add(I * 5 % 105, 1.2, -6)) << "after " << I;
}

// The machine stands still for a while now and then, which one experiment has to bear.
TEST(Settling, AnAccidentIsNone) {
  unsigned TakenForLate = 0;
  constexpr uint32_t Programs = 40;
  for (uint32_t At = 0; At < Programs; ++At) {
    Experiments E(At);
    bool Late = false;
    for (uint32_t I = 0; I < 60; ++I)
      Late |= E.add(I * 5 % 105, I == At ? 0.1 : 1);
    TakenForLate += Late;
  }
  EXPECT_LE(TakenForLate, 1u) << "of " << Programs;
}

// Of two lines in turn one empties a queue, at once where its speedup is large.
TEST(Settling, IsLateWhereALineHasABacklog) {
  Experiments E;
  uint32_t I = 0;
  for (bool Late = false; !Late && I < 200; ++I) {
    uint32_t Line = I % 2, Speedup = I * 5 % 105;
    Late = E.add(Speedup, 1, Line && Speedup > 50 ? 16 : 0, Line);
  }
  EXPECT_LT(I, 25u);
}

// It is a part of what experiments see that grows smaller as they get longer.
TEST(Settling, ASmallBacklogIsInTime) {
  Experiments E;
  for (uint32_t I = 0; I < 100; ++I)
    ASSERT_FALSE(E.add(I * 5 % 105, 1, I * 5 % 105 > 50 ? 3 : 0)) << "after " << I;
}

TEST(Settling, ExperimentsWithHardlyAVisitSayNothing) {
  SettlingTest Test = {};
  for (uint32_t I = 0; I < 100; ++I)
    ASSERT_FALSE(Test.add(1, I * 5 % 105, spans(9, I % 3, 1)));
}

} // namespace
