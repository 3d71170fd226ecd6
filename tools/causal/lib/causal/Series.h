//===- Series.h - A point's experiments in time, against baselines -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the experiments that observed one progress point in the order of time,
// and cuts them into strata: stretches of a run short enough that the machine
// was the same throughout, each with baselines of its own. An experiment is
// compared with the baselines of its stratum, so that drift cancels. Also groups
// them into the blocks that the bootstrap draws. Called by SpeedupModel; knows
// nothing of curves. docs/internals/statistics.md names the methods.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_SERIES_H
#define CAUSAL_ANALYSIS_SERIES_H

#include "lib/container/Profile.h"
#include "lib/statistics/Statistics.h"

namespace causal {

/// What is known beforehand of how CPU time per visit depends on delays.
enum class WorkPrior : uint8_t {
  Unknown,
  Independent, ///< Threads are in nobody's way, the user says. Not believed against the data.
  NotUsed,     ///< Experiments are compared by time alone.
};

/// With fewer visits a baseline is not compared with.
constexpr double MinBaselineVisits = 5;

/// A run is visited once, and no visit of it is cut through: so it counts as many. How
/// many says how much runs are taken to differ until enough of them are known: by 1 %.
constexpr double PartsOfRun = 10000;
/// What visits have to be divided by.
inline double partsOfVisit(PointKind Kind) { return Kind == PointKind::Run ? PartsOfRun : 1; }

struct TimedObservation {
  const Experiment *Of;
  Observation O; ///< Scaled down if it is an outlier.
  double Work;   ///< CPU time that the program took for it.
  unsigned Stratum = 0, Block = 0;
};

/// The baselines of a stratum, all lines together.
struct StratumBaseline {
  double Amount = 0, Visits = 0;
  /// Visits per Amount; 0 if there is none.
  double rate() const { return Amount > 0 ? Visits / Amount : 0; }
};

struct Series {
  std::vector<TimedObservation> All; ///< By run, then by time.
  std::vector<StratumBaseline> Strata;
  unsigned Blocks = 0;
  unsigned Runs = 0;     ///< With experiments that observed the point.
  Cell Baseline;         ///< Sums over all baselines, without a variance.
  double Dispersion = 1; ///< Variance of baseline visits over their number.
  unsigned Freedom = 0;  ///< Of Dispersion.
  /// Dispersion, unless too few baselines agree by chance: then Poisson's at least.
  double noise() const { return Freedom >= 10 || Dispersion > 1 ? Dispersion : 1; }
  /// By line, where work is taken off: by what its periods, relatively and by share of
  /// delays, are uncertain for that.
  std::vector<double> WorkErrors;
  uint64_t Seed = 0; ///< From the data: equal profiles, equal intervals.

  /// Visits that baselines of its stratum would have had in its stead.
  double expected(const TimedObservation &T) const { return T.O.Amount * Strata[T.Stratum].rate(); }
};

/// What a point's measurement says: from its first visit seen to the last one,
/// where these are enough, so that no visit is cut through at either end.
Observation observe(const Experiment &E, const Measurement &M, PointKind Kind);
/// Nothing if the point did not exist yet when the experiment began.
std::optional<Observation> observe(const Experiment &E, unsigned Point, PointKind Kind);

/// CPU time for what these observe, the late part or not. Of earlier profiles, which have it
/// of whole experiments, in proportion.
double workOf(const Experiment &E, const Measurement &M, const Observation &O, bool Late);

/// What the late part of an experiment says; nothing if there are too few visits in it.
std::optional<Observation> observeLate(const Measurement &M, PointKind Kind);

/// Less what the CPU time per visit explains, if it is much (WorkCovariate).
Series makeSeries(const Profile &P, unsigned Point, WorkPrior Prior = WorkPrior::NotUsed);

} // namespace causal

#endif // CAUSAL_ANALYSIS_SERIES_H
