//===- Statistics.h - Periods and curves with standard errors ----*- C++
//-*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numerical part of the model, which knows nothing of lines and files: a
// period as a ratio of sums over experiments, and a local-linear smoother over
// the periods at several speedups. docs/reading-a-report.md explains the
// choices.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_STATISTICS_H
#define CAUSAL_ANALYSIS_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace causal {

/// One experiment as one progress point saw it. The period is Amount / Visits:
/// effective time per visit, or for latency (Little's law, W = L / lambda) the
/// time integral of what was in flight per end.
struct Observation {
  double Exposure; ///< Effective duration, ns.
  double Amount;
  double Visits;
};

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
Cell makeCell(unsigned Speedup, llvm::ArrayRef<Observation> Observations,
              const Dispersion &Noise);

/// A value and its standard error; fractions, not percent.
struct Estimate {
  double Value;
  double StdErr;
};

/// 1 - m / Baseline, where m is the sum of Weights[i] * Cells[i].Period and
/// Cells may contain the baseline itself (at speedup 0), with which m is then
/// correlated.
Estimate gainOver(const Cell &Baseline, llvm::ArrayRef<Cell> Cells,
                  llvm::ArrayRef<double> Weights);

/// Weights by which a local-linear fit at \p Speedup combines the periods of
/// \p Cells (sorted by speedup, each with visits): tricube kernel times inverse
/// variance, half-width 15 percent, widened up to 30 where cells are scarce.
/// None if no cell is near enough for the fit to be more than a guess.
std::optional<llvm::SmallVector<double, 24>>
localLinearWeights(llvm::ArrayRef<Cell> Cells, double Speedup);

} // namespace causal

#endif // CAUSAL_ANALYSIS_STATISTICS_H
