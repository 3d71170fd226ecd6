//===- Statistics.h - Periods and curves with standard errors ---*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numerical part of the model, which knows nothing of lines and files: a
// period as a ratio of sums over experiments, its variance, and what is far from
// it. docs/internals/statistics.md names the methods.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_STATISTICS_H
#define CAUSAL_ANALYSIS_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"

namespace causal {

/// One experiment as one progress point saw it. The period is Amount / Visits:
/// effective time per visit, or for latency (Little's law, W = L / lambda) the
/// time integral of what was in flight per end.
struct Observation {
  double Exposure; ///< Effective duration, ns.
  double Amount;
  double Visits;

  void scale(double Factor) {
    Exposure *= Factor;
    Amount *= Factor;
    Visits *= Factor;
  }
};

/// How large a residual (visits beyond the expected, over their root) may be to
/// count in full: far beyond the spread of \p Sizes, as their median shows it,
/// so that an experiment during which the machine stood still does not decide
/// (Huber, Robust Statistics, 1981). Reorders \p Sizes.
double outlierLimit(llvm::MutableArrayRef<double> Sizes);

/// Noise of a point, to be shared by cells that have too few experiments to
/// know their own: the variance of Amount - period * Visits per ns of exposure.
struct Dispersion {
  double SquaredResiduals = 0; ///< Each over its exposure.
  unsigned Freedom = 0;

  void add(llvm::ArrayRef<Observation> Cell);
  double value() const { return SquaredResiduals / Freedom; }
};

/// All experiments at one speedup.
struct Cell {
  unsigned Speedup = 0; ///< Percent.
  unsigned Experiments = 0;
  double Exposure = 0, Visits = 0;
  double Period = 0;   ///< Meaningless while Visits is 0.
  double Variance = 0; ///< Of Period.
};

/// Pools \p Observations. The variance is that of the linearised ratio
/// (delta method) over the experiments of the cell if there are at least ten,
/// else that of \p Noise. Noise of less than ten degrees of freedom is not
/// trusted to be small: it counts as Poisson visits at least. And never is the
/// variance less than what counting whole visits leaves uncertain.
Cell makeCell(unsigned Speedup, llvm::ArrayRef<Observation> Observations, const Dispersion &Noise);

/// A value, its standard error and its 95 % interval; fractions, not percent.
struct Estimate {
  double Value;
  double StdErr;
  double Low = Value, High = Value;
};

/// 1 - C / Baseline; zero and certain if \p C is the baseline (at speedup 0).
Estimate gainOver(const Cell &Baseline, const Cell &C);

} // namespace causal

#endif // CAUSAL_ANALYSIS_STATISTICS_H
