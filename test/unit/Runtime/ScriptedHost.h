//===- ScriptedHost.h - Experiments on what a test says ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tests of the schedule of experiments are made of.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_SCRIPTED_HOST_H
#define CAUSAL_TEST_SCRIPTED_HOST_H

#include "causal/experiment/causal_experiment.h"

#include <gtest/gtest.h>

#include <vector>

namespace __causal {

inline constexpr uint64_t Ms = 1000000;

/// A Host whose every answer the test sets.
struct ScriptedHost {
  uint32_t Line = 7;
  uint64_t Samples = 0, Worked = 0, Sampled = 0, Debt = 0, Unpaid = 0, Visits = 100;
  bool SettlesLate = false, CanExperiment = true;
  unsigned Begun = 0, Polls = 0, EarlyPolls = 0, LatePolls = 0;
  std::vector<ExperimentResult> Results;

  bool canExperiment() { return CanExperiment; }
  uint32_t pickLine(Random &) { return Line; }
  uint64_t lineSamples(uint32_t) { return Samples; }
  uint64_t work() { return Worked; }
  uint64_t sampledTime() { return Sampled; }
  uint64_t unsettled() { return Debt; }
  uint64_t unpaidForOwn() { return Unpaid; }
  void beginPoints(uint64_t) { ++Begun; }
  void pollPoints(uint64_t, ExperimentPart Part) {
    ++Polls;
    EarlyPolls += Part == ExperimentPart::Early;
    LatePolls += Part == ExperimentPart::Late;
  }
  uint64_t endPoints(uint64_t) { return Visits; }
  bool settlesLate(uint32_t, uint32_t) { return SettlesLate; }
  void finish(const ExperimentResult &R) { Results.push_back(R); }
};

struct ExperimentTest : testing::Test {
  ExperimentScheduler S;
  ScriptedHost H;
  ExperimentConfig Config;
  uint64_t Now = 1000 * Ms;

  ExperimentTest() { Config.Length = 250 * Ms; }
  void start() { S.configure(Config, Now, 42); }
  /// Ticks every 100 us until T has passed, in which one thread works.
  void advance(uint64_t T) {
    for (uint64_t End = Now + T; Now < End; Now += Ms / 10, H.Sampled += Ms / 10)
      S.tick(Now, H);
  }
};

} // namespace __causal

#endif // CAUSAL_TEST_SCRIPTED_HOST_H
