//===- causal_idle_time.h - When nobody is at work --------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A server without requests: its threads wait for the outside world, or look at their
// timers now and then. Time is looked at in windows that are no shorter than Gap; one in
// which threads had next to no CPU time is idle. Pure code, for the holder of the
// scheduler's lock.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_IDLE_TIME_H
#define CAUSAL_IDLE_TIME_H

#include <stdint.h>

namespace __causal {

class IdleTime {
public:
  /// CPUTime: of all threads, so far, as far as samples have seen it.
  void begin(uint64_t Now, uint64_t CPUTime, uint64_t LeastGap) {
    Gap = LeastGap;
    Total = 0;
    cut(Now, CPUTime);
  }
  /// Called often while somebody is at work. Returns the idle time that has been found.
  uint64_t note(uint64_t Now, uint64_t CPUTime) {
    uint64_t Found = inWindow(Now, CPUTime);
    Total += Found;
    if (Now - WindowBegin >= Gap)
      cut(Now, CPUTime);
    Last = Now;
    LastCPUTime = CPUTime;
    return Found;
  }
  /// A window is not to reach from before Now to after it.
  void cut(uint64_t Now, uint64_t CPUTime) {
    WindowBegin = Last = Now;
    CPUTimeBefore = LastCPUTime = CPUTime;
  }
  /// All that note() has found.
  uint64_t total() const { return Total; }
  /// What it would find. Since nobody called is a window of its own, if it is long enough.
  uint64_t inWindow(uint64_t Now, uint64_t CPUTime) const {
    return Now - Last >= Gap ? ifIdle(Now - Last, CPUTime - LastCPUTime)
                             : ifIdle(Now - WindowBegin, CPUTime - CPUTimeBefore);
  }

private:
  /// Of one core.
  static constexpr uint64_t Part = 16;
  uint64_t ifIdle(uint64_t Length, uint64_t CPUTime) const {
    return Length >= Gap && CPUTime * Part <= Length ? Length : 0;
  }

  uint64_t Gap = ~0ull, Total = 0;
  uint64_t WindowBegin = 0, CPUTimeBefore = 0;
  uint64_t Last = 0, LastCPUTime = 0;
};

} // namespace __causal

#endif // CAUSAL_IDLE_TIME_H
