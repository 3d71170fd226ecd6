//===- LineFit.h - One line's curve and how sure it is ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The experiments of one line against the baselines of their strata: cells, the
// fitted curve, and its distribution over bootstrap replicates. SpeedupModel
// makes one per line, feeds all of them the same replicates (baselines are
// shared between lines), and reads the intervals.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_LINEFIT_H
#define CAUSAL_ANALYSIS_LINEFIT_H

#include "lib/causal/Series.h"
#include "lib/statistics/PiecewiseFit.h"

#include <array>

namespace causal {

class MethodError;

/// Speedups at which a curve is evaluated, percent.
constexpr unsigned GridStep = 5, GridSize = 100 / GridStep + 1;

/// Replicates that are drawn at once: experiments are read once for all of them.
constexpr unsigned Draws = 8;
template <typename T> using PerDraw = std::array<T, Draws>;

/// Where gains are less than this, the line is said to do nothing.
constexpr double Noticeable = 0.005;

/// How likely it is that the line speeds the program up, slows it down, or does
/// neither by a noticeable amount. Sums to 1.
struct Probability {
  double Helps = 0, Hurts = 0, Nothing = 1;
};

class LineFit {
public:
  LineFit(const Series &S, unsigned Line) : S(&S), Line(Line) {}

  /// Takes an experiment on the line, in the order of time.
  void add(const TimedObservation &T);
  /// When all are in: chooses the baseline, tames outliers, makes cells.
  /// False if there is nothing to compare.
  bool prepare();
  /// The noise of the line's own cells, and then what to use in its stead where
  /// that is too little.
  Dispersion noise() const;
  void fit(const Dispersion &Everywhere);

  /// Adds replicates. \p Rates are those of the strata under \p Weights of blocks.
  void replicate(llvm::ArrayRef<PerDraw<float>> Weights, llvm::ArrayRef<PerDraw<double>> Rates);
  /// After the last replicate: before it was measured, any gain between nothing and
  /// \p PerSpeedup times the speedup was to be expected. A normal distribution, so that data
  /// that know better are free to. \p Error: by what a period, relatively and by speedup, is
  /// uncertain besides what replicates show.
  void expectUpTo(double PerSpeedup, double Error);
  /// After that. \p Phase and \p PhaseError scale the effect; \p Delays is what delays
  /// take of the time at full speed, 0..1.
  void finish(double Phase, double PhaseError, double Delays, const MethodError &Method);

  unsigned line() const { return Line; }
  bool ownBaseline() const { return OwnBaseline; }
  /// The program surely is not as elsewhere where the line runs.
  bool runsApart() const { return RunsApart; }
  const std::vector<Cell> &cells() const { return Cells; }
  /// In straight pieces, for words; the grid may be of a rounder curve.
  const CurveFit &pieces() const { return Pieces; }
  /// 0, 5, ... as far as data reaches, with the scatter alone.
  const std::vector<Estimate> &grid() const { return Grid; }
  /// The method's own error is in it.
  const Probability &probability() const { return Chances; }
  double cellFreedom() const { return NoiseFreedom; }
  /// Visits that the line's baseline would have had in an experiment's stead.
  double expected(const TimedObservation &T) const { return S->expected(T) / Level; }

private:
  struct Member {
    unsigned Block, Stratum, Cell;
    Observation O;
  };
  struct CellSum {
    double Expected = 0, Visits = 0;
  };
  struct DrawnSums {
    PerDraw<double> Expected{}, Visits{};
  };

  /// Variance by speedup, relative to the mean.
  struct NoiseModel {
    double Base = 1, PerSquare = 0;
    double relative(double Speedup) const { return Base + PerSquare * Speedup * Speedup; }
  };

  double correction() const;
  void chooseBaseline();
  double residual(const Member &M) const;
  NoiseModel noiseBySpeedup() const;
  void tameOutliers();
  std::vector<CellSum> sums() const;
  void setPoints(llvm::ArrayRef<CellSum> Sums, double Level, std::vector<FitPoint> &Points) const;
  Observation steady(const Member &M) const;
  std::vector<std::vector<Observation>> observations() const;
  Cell baselineCell(llvm::ArrayRef<Observation> OfLine) const;
  double effectiveBlocks() const;
  void jackknife();
  double cellError(double Speedup) const;
  static Probability chances(const Estimate &E, llvm::ArrayRef<float> Values, double Stretch,
                             double Method);

  const Series *S;
  unsigned Line;
  std::vector<Member> Treated, Own;
  std::vector<unsigned> Speedups; ///< Of cells above 0, rising.
  bool OwnBaseline = false, RunsApart = false;
  double Level = 1; ///< Period of the own baseline over that of all.
  Dispersion Noise;
  double NoiseFreedom = 10;
  std::vector<Cell> Cells;       ///< The first is the baseline.
  std::vector<double> Precision; ///< By which the visits of a cell weigh.
  std::vector<FitPoint> Points, Scratch;
  FitRule Rule;
  size_t Dilated = 0; ///< Experiments of those at a speedup.
  CurveMix Fit;
  CurveFit Pieces;
  std::vector<std::array<float, GridSize>> Replicates; ///< Of the grid.
  /// Standard errors of the grid, where there are few experiments.
  std::array<double, GridSize> Jackknife{};
  /// Of the grid, after expectUpTo(): the value and its error.
  std::vector<std::pair<double, double>> Expecting;
  std::vector<Estimate> Grid;
  Probability Chances;
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_LINEFIT_H
