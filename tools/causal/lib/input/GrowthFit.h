//===- GrowthFit.h - A growth class from points -----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each class c0 + c1 n^a log^b n with c0, c1 >= 0 is fitted by reweighted least squares in
// relative residuals, with Huber's weights against outliers. Their BIC tell how likely each
// is; the answer is the smallest set that holds the truth with 95 %. Beside it stands a free
// exponent with its profile interval, which does not take it that one of the classes is true.
// docs/internals/input-fits.md has the reasons. Knows nothing of profiles.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_GROWTHFIT_H
#define CAUSAL_INPUT_GROWTHFIT_H

#include "lib/input/GrowthClass.h"
#include "lib/statistics/Statistics.h"

#include <optional>
#include <vector>

namespace causal {

/// Fewer distinct inputs, or a smaller ratio of the largest to the smallest, claim nothing.
inline constexpr size_t LeastInputs = 5;
inline constexpr double LeastSpan = 4;

/// The cost at one input.
struct GrowthPoint {
  double Input; ///< 1 or more.
  double Cost;  ///< Above 0.
  /// Variance of Cost over its square, as far as repetition has shown it.
  double Variance = 0;
};

struct ClassFit {
  GrowthClass Class;
  double Base = 0, Slope = 0; ///< c0, c1.
  double Probability = 0;     ///< Among the classes.
  double at(double Input) const { return Base + Slope * Class.at(Input); }
};

struct Growth {
  enum Status { Known, FewInputs, NarrowSpan };
  Status Is = FewInputs;
  size_t Inputs = 0; ///< That can be told apart (see below).
  double Smallest = 0, Largest = 0;

  // The rest only if Known.
  std::vector<ClassFit> Fits;   ///< Most likely first.
  std::vector<GrowthClass> Set; ///< Slowest growth first: holds the truth with Confidence.
  double Confidence = 0;
  Estimate Exponent{0, 0}; ///< Of c0 + c1 n^x; 95 % interval.
  double Scatter = 0;      ///< Typical relative distance of points from the best fit.
  /// Points go up and down around the best fit in waves: no class is the whole truth, and the
  /// set was made wider for it.
  bool Wavy = false;
  Estimate AtTwice{0, 0}; ///< Cost at twice the largest input, and what the set leaves open.

  const ClassFit &best() const { return Fits.front(); }
  double span() const { return Smallest > 0 ? Largest / Smallest : 0; }
  /// That growth is faster than \p Bound, between 0 and 1.
  double probabilityAbove(const GrowthClass &Bound) const;
};

/// \p Points need no order. Inputs that differ by less than a tenth count as one, so that many
/// calls of like inputs do not outvote the few that tell of growth.
Growth fitGrowth(std::vector<GrowthPoint> Points);

/// "n to n log n", "n^2"; in words where nothing is claimed.
std::string describeGrowth(const Growth &G);

} // namespace causal

#endif // CAUSAL_INPUT_GROWTHFIT_H
