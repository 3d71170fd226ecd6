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

#include "lib/causal/Discards.h"

#include <map>
#include <set>

namespace causal {

/// Experiments of each length are looked at in two ways. Whether a point was visited faster
/// or slower late in them than in the whole of them, by how much they speed a line up,
/// beyond what chance explains (an analysis of variance); what all on a line have in
/// common, the baselines too, is none of it. And for each line how much more it was visited
/// in their first fifth than the rest lets expect: what a queue had in store. For that the
/// runtime makes experiments longer (by causal/Backlog.h, too), so that one profile has
/// short ones and long ones.
class Settling {
public:
  Settling(const Profile &P, unsigned Point, const Discards &Discarded);

  /// Experiments as long as this one are over before the program has settled in.
  bool isLate(const Experiment &E) const {
    return LateLengths.count(lengthClass(E)) != 0 ||
           (E.Speedup && WithBacklog.count({E.Line, lengthClass(E)}) != 0);
  }
  /// So are even the longest ones.
  bool isAlwaysLate() const { return AlwaysLate; }
  /// Its line has had as much time in experiments several times as long, and enough of
  /// them: the runtime had a reason to make them longer.
  bool isReplaced(const Experiment &E) const {
    return E.Speedup && Replaced.count({E.Line, lengthClass(E)}) != 0;
  }

private:
  using LineAndLength = std::pair<unsigned, int>;
  /// Experiments of a line and length.
  struct Amount {
    int64_t Baselines = 0; ///< Nanoseconds.
    unsigned Others = 0;   ///< Experiments.
  };

  struct Seen;

  /// Lengths that differ by less than a factor of about two are the same.
  static int lengthClass(const Experiment &E);

  void findReplaced(unsigned Line, const std::map<int, Amount> &Amounts);

  std::set<int> LateLengths;
  std::set<LineAndLength> WithBacklog, Replaced;
  bool AlwaysLate = false;
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_SETTLING_H
