//===- causal_outside_wait.h - Waits for the outside world ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Law 5: what came up while a thread waited for the outside world makes that wait
// longer. But it is over before the thread is back: where threads share cores it waits
// for one first, and what comes up meanwhile is no part of it. Many a call does not wait,
// though, but works in the kernel. See causal_delay.h.
//
// Pure code. Context: own thread. Zeroed state is valid.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_OUTSIDE_WAIT_H
#define CAUSAL_OUTSIDE_WAIT_H

#include "causal/law/causal_accrual.h"

#include <stdint.h>

namespace __causal {

/// Where the books stood when a thread went away, or was back.
struct OutsidePoint {
  uint64_t Total, Wall; ///< Of GlobalDelay; Wall without dilation.
  uint64_t Time;        ///< Monotonic.
  uint64_t Queued;      ///< How long the thread has waited for a core, ever.
};

/// The span between two of them, of which a thread owes Owed.
class OutsideWait {
public:
  OutsideWait(const OutsidePoint &Before, const OutsidePoint &After, uint64_t Owed)
      : Grown(less(After.Total, Before.Total)), Wall(less(After.Wall, Before.Wall)),
        Queued(less(After.Queued, Before.Queued)) {
    // When in the span it came up is not known.
    uint64_t Away = less(After.Time, Before.Time);
    if (!Grown || Queued >= Away)
      return;
    Share = Owed < Grown ? static_cast<double>(Owed) / static_cast<double>(Grown) : 1;
    Share *= static_cast<double>(Away - Queued) / static_cast<double>(Away);
  }
  /// What belongs to the wait: of the delay, and of the wall time that it stands for.
  uint64_t delay() const { return part(Grown); }
  uint64_t time() const { return part(Wall); }
  /// How long the thread waited for a core.
  uint64_t queued() const { return Queued; }

private:
  static uint64_t less(uint64_t A, uint64_t B) { return A > B ? A - B : 0; }
  uint64_t part(uint64_t Of) const {
    return static_cast<uint64_t>(static_cast<double>(Of) * Share);
  }

  uint64_t Grown, Wall, Queued;
  double Share = 0;
};

/// By how much a thread's waits for the outside world have been too short in an experiment,
/// in wall time; less than nothing: too long. To sleep on means to wait for a core once
/// more, so that is put off until it is not what most of the sleep would be, and the sleeps
/// to come are shorter for it.
class OutsideDebt {
public:
  /// From here on it is cores that all wait for, and sleepers are not missed.
  static constexpr uint32_t CoresAlwaysTaken = 4 * Contention::One;

  /// Wait has ended; returns how long the thread is to sleep on.
  uint64_t toSleep(const OutsideWait &Wait, uint32_t Experiment, uint64_t Tolerance) {
    if (In != Experiment)
      Time = 0;
    In = Experiment;
    Time += static_cast<int64_t>(Wait.time());
    if (Time <= static_cast<int64_t>(Tolerance) || Time <= static_cast<int64_t>(Wait.queued()))
      return 0;
    return static_cast<uint64_t>(Time);
  }
  /// Sleeps for Length and until there is a core; returns how long that took.
  template <typename Sleeper> uint64_t sleep(uint64_t Length, const Sleeper &S) {
    uint64_t Begin = S.now();
    S.sleepUntil(Begin + Length);
    uint64_t Elapsed = S.now() - Begin;
    Time -= static_cast<int64_t>(Elapsed);
    return Elapsed;
  }
  /// The thread pays for all of it.
  uint64_t takeAll() {
    uint64_t All = Time > 0 ? static_cast<uint64_t>(Time) : 0;
    Time = 0;
    return All;
  }

private:
  int64_t Time = 0;
  uint32_t In = 0;
};

/// Whether a thread's calls to the outside world, other than sleeps and polls, work in the
/// kernel or wait, by what of their time was sampled lately.
class OutsideWork {
public:
  void sampled(uint64_t CPUTime) { Worked += CPUTime; }
  void took(uint64_t Time) {
    Took += Time;
    if (Took > Most) {
      Took /= 2;
      Worked /= 2;
    }
  }
  /// Where cores are shared a call takes longer for others that have the core, which is hard to
  /// tell: they often get it right before or behind the call. So at a sample, of which InCalls
  /// is CPU time in such a call, all that the thread has waited for Elsewhere than for cores
  /// since the last one is taken for theirs.
  void tookOnSharedCore(uint64_t InCalls, uint64_t Elsewhere) { took(InCalls + Elsewhere); }
  /// As far as is known: a call that waits is no time in which delay accrues.
  bool isMostOfIt() const { return Took >= Least && Worked >= Took - Took / 4; }

private:
  static constexpr uint64_t Least = 16000000, Most = 4 * Least;
  uint64_t Worked = 0, Took = 0;
};

} // namespace __causal

#endif // CAUSAL_OUTSIDE_WAIT_H
