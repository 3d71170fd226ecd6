//===- PhaseCorrection.h - Lines that run only part of the time -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A line is selected just when it runs, so its experiments overrate a line that
// runs in one phase of the program only. The correction (Coz, SOSP'15, eq. 5-8)
// scales the effect by density of the line's samples over the whole run /
// density while selected. Both are taken where no delay was inserted
// (experiments at speedup 0, time between experiments): under a virtual speedup
// the other threads pause, and the density of the selected line rises by the
// very effect measured.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_PHASECORRECTION_H
#define CAUSAL_ANALYSIS_PHASECORRECTION_H

#include "lib/causal/Discards.h"
#include "lib/container/Profile.h"
#include "lib/statistics/Statistics.h"

namespace causal {

struct PhaseFactor {
  enum Reason {
    Applied, ///< More likely than not the line runs in phases.
    Disabled,
    TooFewSamples,  ///< Less than MinSamples on either side: not known.
    NotSignificant, ///< More likely than not it does not.
  };
  double Factor = 1; ///< To multiply the effect with: what is likely, of Measured and 1.
  double StdErr = 0; ///< Of Factor.
  double Measured = 1;
  Reason Why = TooFewSamples;

  static constexpr double MinSamples = 100;
  static constexpr double Largest = 2;
};

const char *toString(PhaseFactor::Reason Why);

/// Samples per ns of line \p Line over all runs while nothing was delayed, and the number of
/// samples behind it, with its variance. Of the time in which somebody is at work where that is
/// nearly always so in experiments, and less what other programs had of it (\p Discarded).
struct Density {
  double Samples = 0, Variance = 0, Time = 0;
  double value() const { return Time > 0 ? Samples / Time : 0; }
  /// So many samples, each of which counted for one, would vary as much.
  double taken() const { return Variance > 0 ? Samples * Samples / Variance : 0; }
  void count(double Counted, const Run &R) {
    Samples += Counted;
    Variance += Counted * R.dispersion();
  }
};
Density undelayedDensity(const Profile &P, unsigned Line, const Discards &Discarded);

/// \p Experiments: all experiments on the line; those at speedup 0 are used.
PhaseFactor phaseCorrection(const Profile &P, unsigned Line,
                            llvm::ArrayRef<const Experiment *> Experiments,
                            const Discards &Discarded);

} // namespace causal

#endif // CAUSAL_ANALYSIS_PHASECORRECTION_H
