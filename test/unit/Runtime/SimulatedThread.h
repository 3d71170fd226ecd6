//===- SimulatedThread.h - A simulated thread's state -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What causal_thread.h is in the runtime. Shared by the simulator's own files.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_SIMULATED_THREAD_H
#define CAUSAL_TEST_SIMULATED_THREAD_H

#include "Simulator.h"
#include "base/causal_flags.h"

#include <algorithm>

namespace __causal {

struct Simulator::Thread : SimulatedMachine::Task {
  ThreadDelay Delay;
  Role *Plays = nullptr;
  Random Rng;
  uint64_t UntilSample = 0, Period = 0, UntilFirst = 0, LastSample = 0, SeenWait = 0, LastLook = 0,
           RanBeforeSpinning = 0, Paused = 0;
  Simulator::Identity Id;
  size_t Index = 0; ///< In Live.
  Simulator::Flag *SpinsOn = nullptr;
  size_t SpinIndex = 0; ///< In Spinning, while SpinsOn.
  bool Blocked = false, Outside = false, Joining = false, Spinning = false;
  bool InKernel = false; ///< In a call to the outside world that does not wait.
  Thread *Joiner = nullptr;

  /// As in causal_sampler.cpp. Without a period no sample comes.
  void drawFirstPeriod(uint64_t Mean) {
    constexpr uint64_t Least = 1000 * LeastFirstPeriodUs, Never = ~0ull >> 2;
    Period = Mean;
    UntilSample = UntilFirst =
        Mean ? std::max<uint64_t>(Rng.below(static_cast<uint32_t>(Mean)), Least) : Never;
  }
  void drawPeriod(uint64_t Mean) {
    uint32_t Quarter = static_cast<uint32_t>(Mean / 4);
    Period = UntilSample = Mean - Quarter / 2 + Rng.below(Quarter);
  }
};

} // namespace __causal

#endif // CAUSAL_TEST_SIMULATED_THREAD_H
