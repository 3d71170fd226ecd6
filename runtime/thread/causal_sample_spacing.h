//===- causal_sample_spacing.h - How far apart samples are ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// perf stops a thread's event when it gives its core up, and starts it again when it has
// one. Each time the kernel sets a timer, which in a virtual machine the host has to do: of a
// thread that gives its core up every 50 µs that takes a fifth of the time. The timer is
// left alone where the next sample is farther off than the kernel's own next tick; so such a
// thread has fewer samples, each of which stands for more periods.
//
// Pure code; the thread's own, in the sample handler too, but for periods(). Zeroed it is as
// restart() leaves it.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SAMPLE_SPACING_H
#define CAUSAL_SAMPLE_SPACING_H

#include <stdint.h>

namespace __causal {

class SampleSpacing {
public:
  static constexpr uint32_t Most = 8;
  /// In percent of a thread's CPU time, what its event may cost. It may take half of that
  /// before samples come closer again: to and fro would make experiments unlike baselines.
  static constexpr uint64_t Affordable = 5;

  void restart() {
    SeenEpisode = 0;
    set(0);
  }

  /// Periods of CPU time that one sample stands for. Any thread.
  uint32_t periods() const { return 1u << __atomic_load_n(&Doublings, __ATOMIC_RELAXED); }

  /// By now the thread has had CPUTime, and given its core up Switches times. Episode: of time
  /// in which it does what it always does, 0 if it does not; only within one it is judged.
  /// Cost: of stopping and starting an event with a period of one, in ns as CPUTime. Returns
  /// whether periods() has changed.
  bool observe(uint64_t CPUTime, uint64_t Switches, uint64_t Cost, uint64_t Episode,
               uint64_t Affordable = SampleSpacing::Affordable) {
    uint64_t Ran = CPUTime - SeenTime, Stopped = Switches - SeenSwitches;
    bool Judges = Episode && Episode == SeenEpisode && Ran;
    SeenTime = CPUTime;
    SeenSwitches = Switches;
    SeenEpisode = Episode;
    if (!Judges)
      return false;
    uint64_t Percent = Stopped * Cost * 100 / Ran; // With a period of one.
    uint32_t Before = Doublings;
    while (periods() < Most && Percent > Affordable * periods())
      set(Doublings + 1);
    if (Doublings && Percent * 4 < Affordable * periods())
      set(Doublings - 1);
    return Doublings != Before;
  }

private:
  void set(uint32_t Number) { __atomic_store_n(&Doublings, Number, __ATOMIC_RELAXED); }

  uint64_t SeenTime = 0, SeenSwitches = 0, SeenEpisode = 0;
  uint32_t Doublings = 0;
};

} // namespace __causal

#endif // CAUSAL_SAMPLE_SPACING_H
