//===- BiasPrograms.h - Small programs with a known bias --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tests of biases are made of.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_BIAS_PROGRAMS_H
#define CAUSAL_TEST_BIAS_PROGRAMS_H

#include "RandomProgram.h"
#include "RandomProgramKinds.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

namespace __causal {

/// A program of two lines, in microseconds, and what is to be done to which.
inline RandomProgram program(RandomProgram::Main Run, unsigned Threads, unsigned Cores,
                             uint64_t Cost1, uint64_t Cost2, uint32_t Line, uint32_t Speedup) {
  RandomProgram P;
  P.Run = Run;
  P.Seed = 12345;
  P.Threads = Threads;
  P.Cores = Cores;
  P.Cost = {Cost1 * 1000, Cost2 * 1000};
  P.Jitter = 30;
  P.Line = Line;
  P.Speedup = Speedup;
  return P;
}

inline constexpr uint64_t Effort = 30000;

inline double error(const RandomProgram &P, const SimulatorOptions &O = {}) {
  Prediction R = predict(P, O, Effort);
  testing::Test::RecordProperty("real", static_cast<int>(R.Real));
  return R.error();
}

/// Starts Threads workers and waits for them.
template <typename Function> void onThreads(Simulator &S, const RandomProgram &P, Function Worker) {
  std::vector<int> Workers;
  for (unsigned I = 0; I < P.Threads; ++I)
    Workers.push_back(S.spawn([&P, &Worker, I] {
      Random R = P.random(I);
      Worker(I, R);
    }));
  for (int W : Workers)
    S.join(W);
}

/// Threads that meet at B, until the first sees that it is time to end. Work(I, R) is what
/// thread I does in a round.
template <typename Function>
void meet(Simulator &S, const RandomProgram &P, Simulator::Barrier &B, Function Work) {
  uint64_t LastRound = ~0ull;
  onThreads(S, P, [&](unsigned I, Random &R) {
    for (uint64_t Round = 0; Round < LastRound; ++Round) {
      Work(I, R);
      if (!I) {
        S.progress();
        if (!S.running())
          LastRound = Round + 1;
      }
      S.wait(B);
    }
  });
}

inline RandomProgram::Main kind(const char *Name) {
  return std::find_if(std::begin(ProgramKinds), std::end(ProgramKinds),
                      [=](auto &K) { return !std::strcmp(K.Name, Name); })
      ->Run;
}

inline void independent(Simulator &S, const RandomProgram &P) {
  onThreads(S, P, [&](unsigned, Random &R) {
    while (S.running()) {
      P.work(S, 1, R);
      P.work(S, 2, R);
      S.progress();
    }
  });
}

// One thread for each line, started anew in every round.
inline void forkJoin(Simulator &S, const RandomProgram &P) {
  while (S.running()) {
    onThreads(S, P, [&](unsigned I, Random &R) { P.work(S, 1 + I % 2, R); });
    S.progress();
  }
}

inline void locked(Simulator &S, const RandomProgram &P) {
  Simulator::Mutex M;
  onThreads(S, P, [&](unsigned, Random &R) {
    while (S.running()) {
      S.lock(M);
      P.work(S, 1, R);
      S.unlock(M);
      P.work(S, 2, R);
      S.progress();
    }
  });
}

inline void meeting(Simulator &S, const RandomProgram &P) {
  Simulator::Barrier B{P.Threads, {}};
  meet(S, P, B, [&](unsigned I, Random &R) { P.work(S, 1 + I % 2, R); });
}

// A request of the outside world, then work.
inline void served(Simulator &S, const RandomProgram &P) {
  onThreads(S, P, [&](unsigned, Random &R) {
    while (S.running()) {
      S.sleep(P.Wait);
      P.work(S, 1, R);
      P.work(S, 2, R);
      S.progress();
    }
  });
}

} // namespace __causal

#endif // CAUSAL_TEST_BIAS_PROGRAMS_H
