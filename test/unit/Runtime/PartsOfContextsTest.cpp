//===- PartsOfContextsTest.cpp - What threads do behind one meeting -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Law 11 tells by the last meeting what a thread does. Where that does not tell it all,
// there are parts.
//
//===----------------------------------------------------------------------===//
#include "BiasPrograms.h"

using namespace __causal;

namespace {

/// The first one has the kernel work for it.
void inKernel(Simulator &S, const RandomProgram &P) {
  Simulator::Barrier B{2, {}, {}};
  meet(S, P, B, [&](unsigned I, Random &R) {
    if (!I)
      S.callKernel([&] { P.work(S, 1, R); });
    P.work(S, I ? 2 : 3, R);
  });
}

/// Two regions in turn. In the first one waits for the other, in the second nobody does.
void regions(Simulator &S, const RandomProgram &P) {
  bool ToldApart = P.Shape[0];
  Simulator::Barrier B{2, {}, {}};
  meet(S, P, B, [&](unsigned I, Random &R) {
    if (ToldApart)
      S.beginPart(1);
    P.work(S, I ? 1 : 2, R);
    S.wait(B);
    if (ToldApart)
      S.beginPart(2);
    P.work(S, 3, R);
  });
}

// Hits in a call may not wait for its end, nor come all at once.
TEST(Bias, WorkInTheKernel) {
  for (uint32_t Speedup : {20, 50}) {
    RandomProgram P = program(inKernel, 2, 2, 200, 350, 1, Speedup);
    P.Cost.push_back(200_us);
    EXPECT_NEAR(error(P), 0, 1.5) << Speedup;
  }
}

TEST(Bias, RegionsInTurn) {
  RandomProgram P = program(regions, 2, 2, 120, 40, 1, 50);
  P.Cost.push_back(60_us);
  double Mixed = error(P);
  EXPECT_LT(Mixed, -5) << "or there is nothing to tell apart";
  P.Shape[0] = 1;
  EXPECT_NEAR(error(P), 0, 1.5);
}

// Each of many threads is seldom sampled, but what one of them does is known by all of its kind.
TEST(Bias, ManyThreadsAreKnownSoon) {
  RandomProgram P = program(kind("mutex"), 50, 39, 28, 20, 1, 75);
  P.Shape[0] = 2; // Three mutexes.
  constexpr uint64_t Short = 1000;
  EXPECT_NEAR(predict(P, {}, Short).error(), 0, 4);
}

} // namespace
