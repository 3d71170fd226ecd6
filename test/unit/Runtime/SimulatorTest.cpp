//===- SimulatorTest.cpp - Predictions against real speedups, simulated ---===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs of each kind are predicted with virtual speedups and then really
// made faster, in simulated time; the two are to agree. The bounds are what the law
// of delays gives with a sample period of 1 ms, noise included; simulation_benchmark
// prints the table for any number of programs.
//
//===----------------------------------------------------------------------===//
#include "RandomProgram.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace __causal;

namespace {

/// In percentage points.
struct Bounds {
  const char *Kind;
  double Mean, Largest;
};
constexpr unsigned Programs = 24;
constexpr uint64_t Effort = 1000;

/// Long enough for queues to fill or run empty; see the bias Memory.
SimulatorOptions longExperiments() {
  SimulatorOptions O;
  O.StepsToSettle = 6000;
  return O;
}

struct RandomPrograms : testing::TestWithParam<Bounds> {};

TEST_P(RandomPrograms, AreAsFastAsPredicted) {
  double Sum = 0;
  unsigned Count = 0;
  for (uint64_t Seed = 1; Count < Programs; ++Seed) {
    RandomProgram P = drawProgram(GetParam().Kind, Seed);
    Prediction R = predict(P, longExperiments(), Effort);
    if (!(R.Noise < 3))
      continue; // Too little was seen, and a report would say so.
    ++Count;
    Sum += std::abs(R.error());
    EXPECT_LT(std::abs(R.error()), GetParam().Largest)
        << R.Predicted << " % predicted, " << R.Real << " % real; seed " << Seed << ", "
        << P.describe();
  }
  EXPECT_LT(Sum / Programs, GetParam().Mean);
}

constexpr Bounds Kinds[] = {
    {"compute", 0.6, 4},       {"fork_join", 0.6, 4.5}, {"mutex", 0.6, 3.5}, {"pipeline", 1, 8},
    {"handover", 0.9, 5},      {"barrier", 0.7, 4},     {"pool", 0.4, 2},    {"rwlock", 1.3, 7.5},
    {"semaphore", 0.45, 2.5},  {"join_tree", 0.5, 3},   {"io", 0.8, 4},      {"phases", 1.1, 6},
    {"short_threads", 1, 4.5}, {"spin", 2.8, 22},
};
INSTANTIATE_TEST_SUITE_P(Kinds, RandomPrograms, testing::ValuesIn(Kinds),
                         [](const auto &Info) { return Info.param.Kind; });

TEST(Simulator, KnowsNoOtherKinds) {
  ASSERT_EQ(programKinds().size(), std::size(Kinds));
  for (size_t I = 0; I < std::size(Kinds); ++I)
    EXPECT_STREQ(programKinds()[I], Kinds[I].Kind);
}

TEST(Simulator, IsDeterministic) {
  RandomProgram P = drawProgram("pipeline", 7);
  EXPECT_EQ(predict(P, longExperiments(), Effort).Predicted,
            predict(P, longExperiments(), Effort).Predicted);
}

// Two threads that have nothing to do with each other, each with a semaphore of its
// own. What is predicted of the one's line for the other.
double predictedApart(Simulator::Semaphore &A, Simulator::Semaphore &B) {
  SimulatorOptions O = longExperiments();
  O.FixedLine = 1;
  Simulator S(O);
  S.run(20000_ms, [&] {
    int Other = S.spawn([&] {
      while (S.running()) {
        S.work(1, 1000_us);
        S.post(A);
      }
    });
    while (S.running()) {
      S.work(2, 1000_us);
      S.post(B);
      S.wait(B);
      S.progress();
    }
    S.join(Other);
  });
  return S.predicted(1, 50);
}

// The runtime knows objects by a hash of their addresses. In simulations it may not
// matter where things lie.
TEST(Simulator, DoesNotDependOnAddresses) {
  auto SlotOf = [](const Simulator::Semaphore &S) {
    return CreditTable::slot(reinterpret_cast<uintptr_t>(&S));
  };
  std::vector<Simulator::Semaphore> S(200 * CreditTable::Slots);
  auto Same = std::find_if(S.begin() + 1, S.end(),
                           [&](auto &Other) { return SlotOf(Other) == SlotOf(S.front()); });
  ASSERT_NE(Same, S.end());
  auto Another = std::find_if(S.begin() + 1, S.end(),
                              [&](auto &Other) { return SlotOf(Other) != SlotOf(S.front()); });
  double Expected = predictedApart(S.front(), *Another);
  S.front() = {};
  EXPECT_EQ(predictedApart(S.front(), *Same), Expected);
}

uint64_t timeFor(unsigned Threads, unsigned Cores, uint64_t *Waited = nullptr) {
  SimulatorOptions O;
  O.Period = 0;
  O.Machine.Cores = Cores;
  Simulator S(O);
  S.run(0, [&] {
    std::vector<int> Workers;
    for (unsigned I = 0; I < Threads; ++I)
      Workers.push_back(S.spawn([&] { S.work(1, 100_ms); }));
    for (int W : Workers)
      S.join(W);
  });
  if (Waited)
    *Waited = S.waited();
  return S.now();
}

TEST(SimulatedMachine, CoresAreUsedAndShared) {
  EXPECT_NEAR(timeFor(4, 8), 100e6, 1e6);
  EXPECT_NEAR(timeFor(8, 4), 200e6, 5e6);
  EXPECT_NEAR(timeFor(5, 1), 500e6, 1e6);
}

TEST(SimulatedMachine, LoadIsBalanced) {
  EXPECT_LT(timeFor(3, 2), 190000000u) << "two of three share a core in turn";
}

// Two have a core each for a second, and share them with a third one from then on.
TEST(SimulatedMachine, WhoHadACoreForLongDoesNotStarve) {
  SimulatorOptions O;
  O.Period = 0;
  O.Machine.Cores = 2;
  Simulator S(O);
  uint64_t Longest = 0;
  auto Compute = [&](uint64_t Until) {
    for (uint64_t Last = S.now(); Last < Until; Last = S.now()) {
      S.work(1, 1_ms);
      Longest = std::max(Longest, S.now() - Last);
    }
  };
  S.run(0, [&] {
    int Second = S.spawn([&] { Compute(2000_ms); });
    Compute(1000_ms);
    int Third = S.spawn([&] { Compute(2000_ms); });
    Compute(2000_ms);
    S.join(Second);
    S.join(Third);
  });
  EXPECT_LT(Longest, 20000000u);
}

TEST(SimulatedMachine, CountsWaitsForACore) {
  uint64_t Waited;
  timeFor(4, 4, &Waited);
  EXPECT_EQ(Waited, 0u);
  timeFor(4, 1, &Waited);
  // The last slices: the four end one after the other.
  EXPECT_NEAR(Waited, 3 * 400e6 - 6 * 3e6, 30e6);
}

} // namespace
