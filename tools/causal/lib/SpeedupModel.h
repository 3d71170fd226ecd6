//===- SpeedupModel.h - What speeding a line up would bring ------*- C++
//-*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For one progress point: each line's program speedup 1 - p(s) / p(0) as a
// function of the line's virtual speedup s, and the ranking of the lines. p is
// the period of Statistics.h, so a shorter latency is a positive speedup as
// well. The report, the JSON and the Coz export are thin over this.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_SPEEDUPMODEL_H
#define CAUSAL_ANALYSIS_SPEEDUPMODEL_H

#include "PhaseCorrection.h"
#include "Profile.h"
#include "Statistics.h"

namespace causal {

struct ModelOptions {
  bool PhaseCorrection = true;
};

/// What the curve says, in a word.
enum class Verdict {
  SpeedsUp,  ///< Some speedup of the line surely speeds the program up.
  SlowsDown, ///< Some speedup of the line surely slows it down (contention).
  NoEffect,  ///< Whatever is done to the line, the program gains little.
  Unclear,   ///< Not known yet: more experiments are needed.
};
const char *toString(Verdict V);

struct LineCurve {
  unsigned Line; ///< Index into Profile::lines().
  std::vector<Cell>
      Cells; ///< With visits, by speedup; the first is the baseline.
  bool PooledBaseline =
      false; ///< The line's own was too thin: all lines' is used.
  unsigned Experiments = 0; ///< On this line, where the point was observed.
  double Visits = 0;
  double SampleShare = 0; ///< Of all samples in scope, 0..1.
  PhaseFactor Phase;
  /// The largest share of wall time that delays took at one speedup, phase-
  /// corrected. Pausing threads does not make a program faster, so no gain can
  /// truly be above it, however the noise falls.
  double Ceiling = 0;
  double Bound = 0; ///< See rankLines().
  Verdict Says = Verdict::Unclear;

  const Cell &baseline() const { return Cells.front(); }
  /// The smoothed curve, phase-corrected; none where there is no data near.
  std::optional<Estimate> gainAt(double Speedup) const;
  /// One cell as measured, phase-corrected.
  Estimate gainOf(const Cell &C) const;

private:
  Estimate corrected(Estimate Raw) const;
};

/// Curves of all lines that have experiments above speedup 0, best first: by
/// the largest lower 95 % bound (value - 1.64 standard errors) that the curve
/// reaches at any speedup up to 100 %, or the ceiling if that is less.
std::vector<LineCurve> rankLines(const Profile &P, unsigned Point,
                                 const ModelOptions &Options);

/// Totals of one point, for headers.
struct PointSummary {
  unsigned Point;
  double Visits = 0;   ///< In all experiments.
  double Exposure = 0; ///< Effective time of the experiments that observed it.
  Cell Baseline; ///< Pooled over all lines; Experiments is 0 if there is none.
};
PointSummary summarize(const Profile &P, unsigned Point);

/// Experiments by line, and samples by line over all runs.
std::vector<std::vector<const Experiment *>>
experimentsByLine(const Profile &P);
std::vector<LineCounts> samplesByLine(const Profile &P);

} // namespace causal

#endif // CAUSAL_ANALYSIS_SPEEDUPMODEL_H
