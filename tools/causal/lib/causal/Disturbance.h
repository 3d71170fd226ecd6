//===- Disturbance.h - What lets no verdict be sure -------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Predictions suppose a run that is as it would be without the profiler, of threads that get
// cores, and of time that is sampled. Where a profile says that it is otherwise, intervals by the
// scatter of experiments are too narrow. Called by the model, for its verdicts, and by the
// warnings, which say why.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_DISTURBANCE_H
#define CAUSAL_ANALYSIS_DISTURBANCE_H

#include "lib/causal/Discards.h"

namespace causal {

/// What \p S counts of samples, or what the time that they stood for says, if that is more:
/// profiles of earlier make do not have both.
double allSamples(const Run &R, const Snapshot &S);

struct Disturbance {
  Disturbance(const Profile &P, const Discards &Discarded);

  /// Waiting for cores per time on one that other programs are to blame for.
  double ForeignWait = 0;
  /// Of all samples: those that hit the profiler itself.
  double Late = 0;
  /// Of the wall time: at least so much no thread had a core.
  double OffCores = 0;
  double WallTime = 0; ///< ns
  /// There were threads to be in each other's way.
  bool Threads = false;

  /// Who pauses leaves its core to other programs, and not to those of its own that would use it.
  bool isOverloaded() const { return Threads && ForeignWait > 1; }
  /// The profiler takes so much of the threads' time that what holds them up is its doing.
  bool isSlowedDown() const { return Late > 0.05; }
  /// Most of the time nothing is sampled: of a line that sleeps nothing is known.
  bool sleepsMostly() const { return OffCores > 0.5; }
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_DISTURBANCE_H
