//===- causal_time_slice.h - What spinning makes of a time slice -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Law 13. A thread that spins on a shared core keeps it until the scheduler takes it
// away, however early it began. So what is done sooner in such a time slice makes
// nothing faster; and where work goes on until the core is taken away, whatever it is
// made shorter by needs less of the slices that others spin through in between.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TIME_SLICE_H
#define CAUSAL_TIME_SLICE_H

#include "causal/law/causal_accrual.h"

#include <stdint.h>

namespace __causal {

/// CPU time of all threads that wait for cores. Spun: in time slices that had been spun
/// through so far. Any thread.
struct SpinTimes {
  uint64_t Spun = 0, Worked = 0;

  SpinTimes load() const {
    return {__atomic_load_n(&Spun, __ATOMIC_RELAXED), __atomic_load_n(&Worked, __ATOMIC_RELAXED)};
  }
  /// What part of it was spun since Before, in units of 1/Contention::One.
  uint32_t shareSince(const SpinTimes &Before) const {
    uint64_t S = Spun - Before.Spun, W = Worked - Before.Worked;
    return S ? static_cast<uint32_t>(S * Contention::One / (S + W)) : 0;
  }
  void add(uint64_t CPUTime, bool OfSpinning) {
    __atomic_fetch_add(OfSpinning ? &Spun : &Worked, CPUTime, __ATOMIC_RELAXED);
  }
};

/// A thread's, since it got its core. Own thread, sample handler included.
struct TimeSlice {
  /// The wall time that its core was spared, in this experiment.
  uint64_t Spared = 0;
  uint32_t InExperiment = 0;
  /// What it waited for by spinning came, in this slice; and after a long wait since the
  /// last sample.
  bool WaitEnded = false, WaitEndedLately = false;
  SpinTimes AtBegin;

  void spare(uint64_t WallTime, uint32_t Experiment) {
    Spared = (InExperiment == Experiment ? Spared : 0) + WallTime;
    InExperiment = Experiment;
  }
  /// Long: what it waited in is a part of a slice, so it may have lost its core while it
  /// spun. Who waits for a lock for a microsecond lost it while it worked.
  void waitEnded(bool Long) {
    WaitEnded = true;
    WaitEndedLately |= Long;
  }

  /// Others had the core since the last sample; now the thread Spins or works. Returns how
  /// much more wall time than Spared was spared. Experiment: 0 if none is running.
  int64_t end(bool Spins, const SpinTimes &All, uint32_t Experiment) {
    bool EndedSpinning = Spins || WaitEndedLately;
    bool First = !AtBegin.Spun && !AtBegin.Worked;
    uint64_t Spun = All.Spun - AtBegin.Spun, Worked = All.Worked - AtBegin.Worked;
    uint64_t Counted = Experiment && InExperiment == Experiment ? Spared : 0;
    *this = TimeSlice();
    AtBegin = All;
    if (EndedSpinning)
      return -static_cast<int64_t>(Counted);
    if (First || !Worked)
      return 0;
    uint64_t Ratio = Spun * Contention::One / Worked;
    Contention OfSpinning{
        static_cast<uint32_t>(Ratio < Contention::Most ? Ratio : Contention::Most)};
    return static_cast<int64_t>(OfSpinning.stretch(Counted) - Counted);
  }
};

} // namespace __causal

#endif // CAUSAL_TIME_SLICE_H
