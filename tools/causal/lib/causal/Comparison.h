//===- Comparison.h - Two profiles, before and after a change ---*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a change did to the program, what it did to its lines, and what the
// profile from before had predicted of that. Used by `causal diff`, `check` and
// `validate`. docs/user/reading-a-report.md explains the methods.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_COMPARISON_H
#define CAUSAL_ANALYSIS_COMPARISON_H

#include "lib/causal/SpeedupModel.h"

#include <functional>

namespace causal {

/// The period of a point without virtual speedups. Its variance is that between
/// parts of the profile: its runs if there are three, else pieces of their time.
struct Baseline {
  double Period = 0, Variance = 0;
  double Freedom = 0; ///< None of this is known if it is 0.
  unsigned Runs = 0, Experiments = 0;
};
Baseline baselineOf(const Profile &P, unsigned Point);

/// 1 - After / Before: what the program gained, with its 95 % interval. None if
/// one side is not known.
std::optional<Estimate> gainBetween(const Baseline &Before, const Baseline &After);

/// What a prediction and what really came say of each other.
enum class Agreement { Agree, Differ, CannotTell };
/// They agree if their intervals explain the difference and are narrow enough for that to
/// mean something.
Agreement agreementOf(const Estimate &Predicted, const Estimate &Real);

struct PointChange {
  unsigned BeforePoint, AfterPoint;
  Baseline Before, After;
  std::optional<Estimate> Gain;
};
/// Points of the same kind and name, by rankOf() their kind, and then by
/// visits. A nameless point is called after its place, so where each side has
/// only one of a kind these are taken for the same.
std::vector<PointChange> comparePoints(const Profile &Before, const Profile &After);
/// Points that were visited before and that After has none of.
std::vector<unsigned> vanishedPoints(const Profile &Before, const Profile &After);

struct LineChange {
  enum Way {
    Same,      ///< The same line of the same function.
    Moved,     ///< Known by its text, or by how its function has moved.
    Rewritten, ///< Its function is there, the line is not.
    Gone,      ///< Nothing of its function was seen.
    New,
  };
  Way How;
  std::optional<unsigned> Before, After; ///< Indices into lines().
  double CostBefore = 0, CostAfter = 0;  ///< CPU time per visit, ns.
  double CostError = 0;                  ///< Of the difference.
  double Faster = 0;                     ///< By how much the line became faster, 0..1.
  /// What the profile from before said of that; none if it said nothing.
  std::optional<Estimate> Predicted;
};
const char *toString(LineChange::Way How);

/// The text of a line of one side, if it is known.
using LineText = std::function<std::optional<std::string>(const SourceLine &)>;

/// Lines whose cost has surely changed, the largest change first.
std::vector<LineChange> compareLines(const Profile &Before, const LineText &TextBefore,
                                     const Profile &After, const LineText &TextAfter,
                                     const PointChange &Point, const ModelOptions &Model);

/// What the profile from before predicted of all lines that became faster: the
/// effects add up as long as they are small. None without any.
std::optional<Estimate> sumOfPredictions(llvm::ArrayRef<LineChange> Changes);

} // namespace causal

#endif // CAUSAL_ANALYSIS_COMPARISON_H
