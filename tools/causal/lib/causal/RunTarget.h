//===- RunTarget.h - Is enough known yet? -----------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How precise the answer of a growing profile is, and how long it will take to
// be as precise as asked. `causal run` ends its runs by it.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_RUNTARGET_H
#define CAUSAL_ANALYSIS_RUNTARGET_H

#include "lib/causal/SpeedupModel.h"

namespace causal {

struct Precision {
  unsigned Experiments = 0;
  unsigned Lines = 0;            ///< With experiments.
  llvm::StringRef Word = "line"; ///< What these are: targetWord().
  /// Half the 95 % interval, by the scatter alone, of the least certain of the top
  /// lines, as a fraction; none while no line is known to speed the program up.
  std::optional<double> HalfWidth;
  std::optional<unsigned> Leader; ///< Index into Profile::lines().
  Estimate LeaderGain{0, 0};      ///< At AtSpeedup.

  static constexpr unsigned AtSpeedup = 50; ///< Percent.
  static constexpr unsigned TopLines = 3;
};

/// The run where it is a progress point, else the throughput point visited most, or the
/// latency point where there is no other; none without visits.
std::optional<unsigned> mainPoint(const Profile &P);

/// For the main point. The top lines are the first TopLines of the ranking that surely
/// speed the program up, and those of which it is not known that they bring less than the
/// first one. \p Model: its replicates are few.
Precision precisionOf(const Profile &P, ModelOptions Model);

/// Half of an interval that is narrow enough to decide by, as a fraction.
constexpr double KnownWell = 0.02;

/// How much longer to profile than \p Elapsed until of those lines that are unclear the
/// first TopLines of the ranking are known to plus or minus \p Target. None if there are
/// none, or too few experiments to tell.
std::optional<double> timeUntilClear(llvm::ArrayRef<LineCurve> Curves, double Target,
                                     double Elapsed);

/// Intervals shrink with the root of what was observed. None if \p Now is
/// unknown; 0 if \p Target is reached.
std::optional<double> timeLeft(const Precision &Now, double Target, double Elapsed);

} // namespace causal

#endif // CAUSAL_ANALYSIS_RUNTARGET_H
