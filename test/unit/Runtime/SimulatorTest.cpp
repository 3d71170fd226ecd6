//===- SimulatorTest.cpp - Predictions against real speedups, simulated ---===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each program is predicted with virtual speedups and then really made faster, in
// simulated time; the two are to agree. The bounds are what the law of delays gives
// with a sample period of 1 ms, noise of the random schedule included.
//
//===----------------------------------------------------------------------===//
#include "Simulator.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

using Costs = std::vector<uint64_t>;
struct Program {
  const char *Name;
  Costs Cost; ///< CPU time of line 1, 2, ... in one round.
  void (*Main)(Simulator &, const Costs &);
};

void forkJoin(Simulator &S, const Costs &C) {
  while (S.running()) {
    int A = S.spawn([&] { S.work(1, C[0]); });
    int B = S.spawn([&] { S.work(2, C[1]); });
    S.join(A);
    S.join(B);
    S.progress();
  }
}

void serial(Simulator &S, const Costs &C) {
  while (S.running()) {
    S.work(1, C[0]);
    S.work(2, C[1]);
    S.progress();
  }
}

void mutex(Simulator &S, const Costs &C) {
  Simulator::Mutex M;
  auto Worker = [&] {
    while (S.running()) {
      S.lock(M);
      S.work(1, C[0]);
      S.unlock(M);
      S.work(2, C[1]);
      S.progress();
    }
  };
  int A = S.spawn(Worker), B = S.spawn(Worker);
  S.join(A);
  S.join(B);
}

void pipeline(Simulator &S, const Costs &C) {
  Simulator::Mutex M;
  Simulator::Condition NotFull, NotEmpty;
  unsigned Queue = 0;
  bool Closed = false;
  int Producer = S.spawn([&] {
    while (S.running()) {
      S.work(1, C[0]);
      S.lock(M);
      while (Queue == 16)
        S.wait(NotFull, M);
      ++Queue;
      S.signal(NotEmpty);
      S.unlock(M);
    }
    S.lock(M);
    Closed = true;
    S.broadcast(NotEmpty);
    S.unlock(M);
  });
  int Consumer = S.spawn([&] {
    for (;;) {
      S.lock(M);
      while (!Queue && !Closed)
        S.wait(NotEmpty, M);
      if (!Queue)
        return S.unlock(M);
      --Queue;
      S.signal(NotFull);
      S.unlock(M);
      S.work(2, C[1]);
      S.progress();
    }
  });
  S.join(Producer);
  S.join(Consumer);
}

void barrier(Simulator &S, const Costs &C) {
  Simulator::Barrier B{2, {}};
  bool Stop = false;
  int Fast = S.spawn([&] {
    while (!Stop) {
      S.work(1, C[0]);
      S.wait(B);
      S.wait(B);
    }
  });
  int Slow = S.spawn([&] {
    while (!Stop) {
      S.work(2, C[1]);
      S.wait(B);
      S.progress();
      Stop = !S.running();
      S.wait(B);
    }
  });
  S.join(Fast);
  S.join(Slow);
}

void ioWait(Simulator &S, const Costs &C) {
  while (S.running()) {
    S.work(1, C[0]);
    S.sleep(300_us);
    S.progress();
  }
}

const Program Programs[] = {
    {"fork_join", {6700_us, 6400_us}, forkJoin},
    {"serial", {300_us, 200_us}, serial},
    {"mutex", {120_us, 80_us}, mutex},
    {"pipeline", {250_us, 400_us}, pipeline},
    {"barrier", {300_us, 500_us}, barrier},
    {"io_wait", {300_us}, ioWait},
};

double trueSpeedup(const Program &P, uint32_t Line, uint32_t Percent) {
  auto Rate = [&](const Costs &C) {
    SimulatorOptions O;
    O.Experiments.WarmUp = ~0ull >> 1; // No experiment, no delay.
    Simulator S(O);
    S.run(2000_ms, [&] { P.Main(S, C); });
    return double(S.visits()) / double(S.now());
  };
  Costs Faster = P.Cost;
  Faster[Line - 1] = Faster[Line - 1] * (100 - Percent) / 100;
  return 100 * (1 - Rate(P.Cost) / Rate(Faster));
}

double predictedSpeedup(const Program &P, uint32_t Line, uint32_t Percent,
                        uint64_t Period) {
  SimulatorOptions O;
  O.Period = Period;
  O.Seed = Line * 100 + Percent;
  O.Experiments.SpeedupStep = Percent; // This speedup and the baseline only.
  O.Experiments.MaxSpeedup = Percent;
  Simulator S(O);
  S.run(30000_ms, [&] { P.Main(S, P.Cost); });
  return S.predicted(Line, Percent);
}

struct SimulatedProgram : testing::TestWithParam<Program> {};

TEST_P(SimulatedProgram, PredictionMatchesRealSpeedup) {
  const Program &P = GetParam();
  double Sum = 0;
  unsigned Count = 0;
  for (uint32_t Line = 1; Line <= P.Cost.size(); ++Line)
    for (uint32_t Percent : {25, 50, 75}) {
      double Truth = trueSpeedup(P, Line, Percent);
      double Predicted = predictedSpeedup(P, Line, Percent, 1000_us);
      double Error = std::abs(Predicted - Truth);
      EXPECT_LT(Error, 9) << "line " << Line << " at " << Percent
                          << " %: predicted " << Predicted << ", really "
                          << Truth;
      Sum += Error;
      ++Count;
    }
  EXPECT_LT(Sum / Count, 3.5) << "mean error in percentage points";
}

INSTANTIATE_TEST_SUITE_P(All, SimulatedProgram, testing::ValuesIn(Programs),
                         [](const auto &Info) { return Info.param.Name; });

TEST(Simulator, ShorterPeriodsAreNoWorse) {
  const Program &P = Programs[4]; // barrier: the most finely coupled one.
  double Truth = trueSpeedup(P, 2, 50);
  EXPECT_LT(std::abs(predictedSpeedup(P, 2, 50, 100_us) - Truth), 1.5);
}

TEST(Simulator, IsDeterministic) {
  EXPECT_EQ(predictedSpeedup(Programs[2], 1, 50, 1000_us),
            predictedSpeedup(Programs[2], 1, 50, 1000_us));
}

} // namespace
