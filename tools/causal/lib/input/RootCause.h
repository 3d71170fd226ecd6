//===- RootCause.h - Which routine makes cost grow --------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that calls a routine of quadratic cost is quadratic as well, `main` first of
// all. So a routine's growth excess, what its cost is above a line through its small inputs,
// is split: what came up in callees that grow too fast themselves is theirs, and the rest is
// the routine's own. Then each routine's own cost is charged to one culprit: to itself, or to
// the nearest above it whose growth it does not explain. Culprits are ranked by what they are
// charged with; their callers stand under them. docs/internals/input-fits.md has an example.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_ROOTCAUSE_H
#define CAUSAL_INPUT_ROOTCAUSE_H

#include "lib/input/InputModel.h"

#include <string>

namespace causal {

/// Growth of one routine.
struct RoutineGrowth {
  Growth Mean, Worst;
  std::optional<Growth> Self; ///< Of the cost without callees, where points know it.
  double Excess = 0;          ///< Cost, callees included, that growth of a line would not have.
  double Own = 0;             ///< Of it, what does not come from callees that grow themselves.
};

struct CallerUnder {
  unsigned Routine;
  double Share; ///< Of the root's cost that came up in calls from here, 0..1.
};

struct RootCause {
  enum Kind {
    SlowByItself,  ///< Its own code.
    CallsTooOften, ///< Callees that are no slower than a line, by the number of calls.
    Either,        ///< The profile cannot tell these two apart.
  };
  unsigned Routine;
  Kind Why;
  double Excess; ///< Cost that it is charged with.
  double Share;  ///< Of the program's whole cost, 0..1.
  bool Sure;     ///< No class that is left is as slow as a line.
  /// CallsTooOften, Either: where the cost comes up, and the routines by way of which it is called.
  unsigned Callee = 0;
  std::vector<unsigned> By;
  std::vector<CallerUnder> Under; ///< Nearest first.
};

struct Ranking {
  std::vector<RoutineGrowth> Growths; ///< By routine.
  std::vector<RootCause> Causes;      ///< Largest share first.
  std::vector<unsigned> ByCost;       ///< All routines, largest own cost first.
};

Ranking rankRoutines(const InputModel &M);

/// "slow by itself", "calls f too often: 1200 calls each time, and f is n by itself".
std::string describeCause(const InputModel &M, const Ranking &R, const RootCause &C);

} // namespace causal

#endif // CAUSAL_INPUT_ROOTCAUSE_H
