//===- WorkCovariate.h - Units of work that differ --------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One frame, request or pixel takes ten times as much work as the next, and a machine has
// its slow moments; both show in the CPU time per visit. It is a covariate: what it explains
// of the scatter of baselines is taken off all experiments (Cochran, Biometrics 13, 1957; a
// control variate, Lavenberg and Welch, Management Science 27, 1981). That is right as far as
// it does not itself depend on what the experiment does, and where threads contend for caches
// or memory, or spin unseen, it does. So the dependence is estimated line by line, with what
// is known of it beforehand, and is not taken off; what is not known of it is error.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_WORKCOVARIATE_H
#define CAUSAL_ANALYSIS_WORKCOVARIATE_H

#include "lib/causal/Discards.h"
#include "lib/causal/Series.h"

#include <algorithm>
#include <map>
#include <vector>

namespace causal {

class WorkCovariate {
public:
  WorkCovariate(const Profile &P, unsigned Point, const Discards &Discarded, WorkPrior Prior);

  /// The share of the baselines' variance that it explains, 0..1; 0 if there are too few, or if
  /// delays change it by more than their share: then it is not all work for the point, since
  /// threads that have no part in a visit go on while those that do pause.
  double explains() const { return leavesLine() ? 0 : Explained; }
  /// CPU time per visit more likely than not depends on how long delays are.
  bool dependsOnDelays() const { return Dependent > 0.5; }
  /// It is worth it.
  bool applies() const {
    double Explains = explains();
    return Explains >= WorthIt && Pairs * Explains >= BeyondChance * (1 - Explains);
  }

  /// That it does is not known, and costs.
  bool mayDependOnDelays() const { return MayDepend; }
  /// Takes what it explains off, but for what delays make of it: a visit that took twice the
  /// work counts as two. The baselines' sum stays.
  void adjust(llvm::MutableArrayRef<TimedObservation> All) const;
  /// By what a period on \p Line, relatively and by share of delays, is then uncertain: a
  /// standard deviation.
  double error(unsigned Line) const { return Slope * onDelays(Line).Error; }

private:
  static constexpr double WorthIt = 0.2;      // Intervals get a tenth narrower, or more.
  static constexpr double BeyondChance = 12.; // F of one and many degrees, at one in 2000.

  /// How the logarithm of the CPU time per visit depends on the share of delays.
  struct Dependence {
    double Value, Error;
  };
  /// Regression through the origin, of independent differences from baselines.
  struct Regression {
    double X = 0, XX = 0, XY = 0, YY = 0;
    double XXX = 0, XXXX = 0, XXY = 0, MostX = 0;
    unsigned Number = 0;

    void add(double X, double Y);
    double slope() const { return XX > 0 ? XY / XX : 0; }
    double residuals() const { return std::max(YY - slope() * XY, 0.0); }
    /// By how much a parabola leaves the line, if it does so beyond chance; else 0.
    double bend() const;
  };

  bool leavesLine() const;
  void regress(const std::vector<struct WorkPerVisit> &InOrder);
  void judge();
  double variance(const Regression &R) const;
  Dependence onDelays(unsigned Line) const;

  double Slope = 0, Explained = 0;
  unsigned Pairs = 0;                      ///< Of baselines that tell it.
  std::map<unsigned, Regression> OnDelays; ///< By line.
  unsigned Baselines = 0;
  double Noise = 0;      ///< Variance of the logarithm, whatever the line.
  bool MayDepend = true; ///< There were threads to be in each other's way.
  double Dependent = 0;  ///< Probability that threads are in each other's way, 0..1.
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_WORKCOVARIATE_H
