//===- SpeedupModel.h - What speeding a line up would bring -----*- C++ -*-===//
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

#include "lib/causal/LineFit.h"
#include "lib/causal/PhaseCorrection.h"
#include "lib/container/Profile.h"
#include "lib/statistics/Statistics.h"

namespace causal {

struct ModelOptions {
  bool PhaseCorrection = true;
  /// What is known of how CPU time per visit depends on delays (WorkCovariate).
  WorkPrior Work = WorkPrior::Unknown;
  /// Of the bootstrap; 0: as many as the size of the profile allows.
  unsigned Replicates = 0;
};

/// What the curve says, in a word.
enum class Verdict {
  SpeedsUp,  ///< Some speedup of the line surely speeds the program up, no smaller one slows it.
  SlowsDown, ///< Some surely slows it down (contention).
  NoEffect,  ///< Whatever is done to the line, the program gains little.
  Unclear,   ///< Not known yet: more experiments are needed.
};
const char *toString(Verdict V);

/// One experiment, for a plot.
struct RawPoint {
  unsigned Speedup; ///< Percent.
  double Gain;
  double Effective; ///< ns
  unsigned Run;     ///< Index into Profile::runs().
};

/// The speedup whose gain is surest: that of the highest lower bound.
struct SureGain {
  unsigned Speedup = 0; ///< Percent.
  Estimate Gain{0, 0};
};

struct LineCurve {
  unsigned Line;               ///< Index into Profile::lines().
  std::vector<Cell> Cells;     ///< With visits, by speedup, drift taken out; first the baseline.
  bool PooledBaseline = false; ///< Of all lines; else the line's own.
  bool RunsApart = false;      ///< Its own surely differs from theirs.
  unsigned Experiments = 0;    ///< On this line, where the point was observed.
  double Visits = 0;
  double SampleShare = 0; ///< Of all samples in scope, 0..1.
  PhaseFactor Phase;
  /// The largest share of wall time that delays took at one speedup, phase-
  /// corrected, or that the line has of the whole run, if that is more. Pausing
  /// threads does not make a program faster, so no gain can truly be above it,
  /// however the noise falls; the curve is kept near. 1 for latency, which may
  /// fall by more than the work in it.
  double Ceiling = 1;
  /// Of the wall time at full speed, 0..1, phase-corrected; by what smaller speedups had.
  double Delays = 0;
  SureGain Best;
  double Bound = 0; ///< See rankLines().
  /// The most that it may bring: the upper end of the interval, or what the line has of the
  /// whole run, if that is less. Of latency, which that does not limit, its share of samples.
  double Possible = 0;
  Verdict Says = Verdict::Unclear;
  /// Unclear, though the scatter is small enough: more experiments would not tell.
  bool WithinMethodError = false;
  CurveFit Fit; ///< In straight pieces, for words; phase-corrected.
  /// The fitted curve with its intervals at 0, 5, ... as far as data reaches.
  std::vector<Estimate> Grid;
  /// The same without the method's own error: by the scatter of experiments alone, which
  /// is what more of them lessen.
  std::vector<Estimate> Scatter;
  Probability Chances;
  std::vector<RawPoint> Points; ///< At most 400, spread over the runs.
  double CellFreedom = 10;      ///< Degrees of freedom of the cells' errors.

  const Cell &baseline() const { return Cells.front(); }
  /// The fitted curve; none where no data reaches.
  std::optional<Estimate> gainAt(double Speedup) const;
  /// The same by the scatter alone.
  std::optional<Estimate> scatterAt(double Speedup) const;
  /// One cell as measured, phase-corrected.
  Estimate gainOf(const Cell &C) const;
};

/// Curves of all lines that have experiments above speedup 0: first those with a sure
/// gain, by the highest lower end of the 95 % interval that the curve reaches, or the
/// ceiling if that is less; then those that slow the program down, those that are not
/// known, by what they may bring, and those without effect, hottest first.
std::vector<LineCurve> rankLines(const Profile &P, unsigned Point, const ModelOptions &Options);
/// Whether rankLines() has any curve, without the work.
bool canRank(const Profile &P, unsigned Point);

/// Totals of one point, for headers.
struct PointSummary {
  unsigned Point;
  double Visits = 0;   ///< In all experiments.
  double Exposure = 0; ///< Effective time of the experiments that observed it.
  Cell Baseline;       ///< Pooled over all lines; Experiments is 0 if there is none.
  /// How much of the scatter the CPU time per visit explains, whether it depends on delays, is
  /// taken off, and could depend on them.
  struct {
    double Explains = 0; ///< 0..1
    bool Depends = false, Applies = false, MayDepend = true;
  } Work;
};
PointSummary summarize(const Profile &P, unsigned Point,
                       const ModelOptions &Options = ModelOptions());

/// Experiments by line.
std::vector<std::vector<const Experiment *>> experimentsByLine(const Profile &P);
/// For each line the share (0..1) that it has of the samples of runs that profile targets
/// of its kind; for critical sections those outside of all count as well.
std::vector<double> sampleShares(const Profile &P);

} // namespace causal

#endif // CAUSAL_ANALYSIS_SPEEDUPMODEL_H
