//===- Settling.h - Whether experiments saw a program that changes -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program takes a while to get used to a virtual speedup: a queue that was full runs
// empty, and as long as it lasts the stage behind it is faster than the one before it
// lets it be. The first fifth of an experiment is left out for that; here it is found
// out whether that was enough.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_SETTLING_H
#define CAUSAL_ANALYSIS_SETTLING_H

#include "Profile.h"

#include <set>

namespace causal {

/// Of experiments of each length whether a point was visited faster or slower late in
/// them than in the whole of them, by how much they speed a line up, beyond what chance
/// explains (an analysis of variance). What all experiments have in common, the baselines
/// too, is none of it. The runtime makes experiments longer by a test like it
/// (causal_settling.h), so that one profile has short ones and long ones.
class Settling {
public:
  Settling(const Profile &P, unsigned Point);

  /// Experiments as long as this one are over before the program has settled in.
  bool isLate(const Experiment &E) const { return Late.count(lengthClass(E)) != 0; }
  /// So are even the longest ones.
  bool isAlwaysLate() const { return AlwaysLate; }
  /// Its line has had as much time in experiments several times as long, and enough of
  /// them: the runtime had a reason to make them longer.
  bool isReplaced(const Experiment &E) const {
    return E.Speedup && Replaced.count({E.Line, lengthClass(E)}) != 0;
  }

private:
  /// Lengths that differ by less than a factor of about two are the same.
  static int lengthClass(const Experiment &E);

  void findReplaced(const Profile &P, unsigned Point);

  std::set<int> Late;
  std::set<std::pair<unsigned, int>> Replaced; ///< Line and length.
  bool AlwaysLate = false;
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_SETTLING_H
