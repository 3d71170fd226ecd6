//===- WorkCovariate.h - Units of work that differ ----------------*- C++
//-*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One frame, request or pixel takes ten times as much work as the next, and a machine has
// its slow moments; both show in the CPU time per visit. It is a covariate: what it explains
// of the scatter of baselines is taken off all experiments (Cochran, Biometrics 13, 1957; a
// control variate, Lavenberg and Welch, Management Science 27, 1981). That is right as long as
// it does not itself depend on what the experiment does. Where threads contend for caches
// or memory, or spin unseen, it does; so it is asked whether it does, and taken only by
// request.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_WORKCOVARIATE_H
#define CAUSAL_ANALYSIS_WORKCOVARIATE_H

#include "Discards.h"
#include "Series.h"

#include <vector>

namespace causal {

class WorkCovariate {
public:
  WorkCovariate(const Profile &P, unsigned Point, const Discards &Discarded);

  /// The share of the baselines' variance that it explains, 0..1; 0 if there are too few.
  double explains() const { return Explained; }
  /// CPU time per visit surely depends on how long delays were.
  bool dependsOnDelays() const { return Depends; }
  /// It may be used, and is worth it.
  bool applies() const { return Explained >= WorthIt && !Depends; }
  /// So much that intervals get half as wide, or less.
  bool helpsMuch() const { return Explained >= Much && !Depends; }

  /// Takes what it explains off the amounts. The baselines' sum stays.
  void adjust(llvm::MutableArrayRef<TimedObservation> All) const;

private:
  static constexpr double WorthIt = 0.5, Much = 0.75;

  void regress(const std::vector<struct WorkPerVisit> &InOrder);

  double Slope = 0, Explained = 0;
  bool Depends = false;
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_WORKCOVARIATE_H
