//===- PiecewiseFit.h - A curve of at most two straight pieces --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fits gain = Slope * s, or Slope * s + Bend * max(0, s - Knee), to sums by line
// speedup: "gains until 30 %, then nothing"; or a curve that saturates gradually,
// as the stages of a noisy pipeline do, or rises, as the visits do of threads that
// share cores with others but not their work. Called by LineFit for the data and for
// every bootstrap replicate, so it allocates nothing. It knows nothing of lines
// and files. docs/internals/statistics.md names the methods.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_PIECEWISEFIT_H
#define CAUSAL_ANALYSIS_PIECEWISEFIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace causal {

/// One speedup: weight, and weight times gain. The latter is a sum of its own,
/// because a cell without visits has no gain and still counts.
struct FitPoint {
  double Speedup; ///< 0..1, above 0.
  double Weight, Weighted;
};

/// Gains and speedups as fractions.
struct CurveFit {
  double Slope = 0, Bend = 0;
  double Knee = 0; ///< 0: none.
  /// If above 0: Slope * Scale * (1 - exp(-s / Scale)), which fades; if below,
  /// with k = -Scale: Slope * s / (1 - s + k * s), which rises.
  double Scale = 0;

  double at(double Speedup) const;
  double slopeAfter() const { return Slope + Bend; }
  bool isRound() const { return Scale != 0; }
  bool isSaturated() const { return Knee > 0 && slopeAfter() == 0; }
  unsigned parameters() const { return isRound() || isSaturated() ? 2 : Knee > 0 ? 3 : 1; }
};

struct FitRule {
  /// Variance of a gain of weight 1.
  double Dispersion = 1;
  /// What each further parameter must reduce the squared error by, in
  /// dispersions: ln(n) in the BIC.
  double Price = 0;
  /// Whether a curve without a corner may be taken that fades, and one that rises.
  bool MayFade = false, MayRise = false;
};

/// All curves that the data leave possible, each with its probability.
struct CurveMix {
  struct Part {
    CurveFit Fit;
    double Weight; ///< Their sum is 1.
  };
  llvm::SmallVector<Part, 16> Parts;

  double at(double Speedup) const;
  /// The same at 0, \p Step, 2 * \p Step, ... percent.
  void sample(unsigned Step, llvm::MutableArrayRef<float> Values) const;
  /// How far the curves are from their mean, as a standard deviation.
  double spread(double Speedup) const;
  double parameters() const;
};

/// The mean over the curves instead of the best one (Hoeting et al., Statistical
/// Science 14, 1999, with the weights of the BIC): it does not jump where two of them
/// are about as good. \p Points by rising speedup.
CurveMix mixCurves(llvm::ArrayRef<FitPoint> Points, const FitRule &Rule);

/// The best one. \p Points by rising speedup.
CurveFit fitCurve(llvm::ArrayRef<FitPoint> Points, const FitRule &Rule);

/// By what weights a curve of the shape and knee of \p Fit combines the gains of
/// \p Points to its value at \p Speedup.
llvm::SmallVector<double, 24> fitWeights(llvm::ArrayRef<FitPoint> Points, const CurveFit &Fit,
                                         double Speedup);
llvm::SmallVector<double, 24> fitWeights(llvm::ArrayRef<FitPoint> Points, const CurveMix &Mix,
                                         double Speedup);

} // namespace causal

#endif // CAUSAL_ANALYSIS_PIECEWISEFIT_H
