//===- causal_work_time.h - What of a thread's CPU time is work -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pause may keep the core busy. So not all CPU time that samples stand for is the
// program's own.
//
// Pure code. Context: own thread, sample handler included. Nanoseconds.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_WORK_TIME_H
#define CAUSAL_WORK_TIME_H

#include <stdint.h>

namespace __causal {

/// CPU time of a thread since its last sample that counted, and what of it was work.
struct CPUTimes {
  uint64_t Ran, Work;
};

struct WorkTime {
  /// CPU time since the last sample that counted: burnt in pauses, and of samples that
  /// fell into them.
  uint64_t Burnt = 0, Dropped = 0;
  /// Pauses in sample handlers since the last sample that counted, and when the last of
  /// them ended by the thread's CPU time.
  uint64_t HandlerPause = 0, HandlerPauseEnd = 0;

  /// CPU time since the last sample that counted, by one of CPUTime; before work(). It is
  /// with this that waits for a core compare: while the thread pauses others do, too.
  uint64_t ran(uint64_t CPUTime) const { return Dropped + CPUTime; }
  /// What a sample of CPUTime stands for: the program's own work. A pause that kept
  /// the core busy begins at a sample, so that the next one is mostly pause. Once for
  /// each sample that counts.
  uint64_t work(uint64_t CPUTime) {
    uint64_t Time = Dropped + CPUTime;
    uint64_t Work = Time > Burnt ? Time - Burnt : 0;
    Burnt = Burnt > Time ? Burnt - Time : 0;
    Dropped = 0;
    return Work;
  }

  /// The thread has paused for Time in a sample's handler, until CPUTime of its own. All
  /// before that is accounted for, and of the samples that were due most never come.
  void pausedInHandler(uint64_t Time, uint64_t CPUTime) {
    Burnt = Dropped = 0;
    HandlerPause += Time;
    HandlerPauseEnd = CPUTime;
  }
  /// ran() and work() of the first sample after that. A clock that went back is another's.
  CPUTimes sinceHandlerPause(uint64_t CPUTime) {
    uint64_t End = HandlerPauseEnd + Burnt;
    uint64_t Work = CPUTime > End ? CPUTime - End : 0;
    CPUTimes Result = {Work + Burnt + HandlerPause, Work};
    Burnt = Dropped = HandlerPause = 0;
    return Result;
  }
};

} // namespace __causal

#endif // CAUSAL_WORK_TIME_H
