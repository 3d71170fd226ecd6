//===- causal_settling.h - Are experiments long enough? ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A queue that was full runs empty when the stage behind it is sped up, and until it
// has, that stage is not held up by the one before it. So a progress point is visited
// faster at first than it can be for long. An analysis of variance (one way, groups of
// similar speedups) over what was visited late in experiments, against what the whole of
// each lets expect, tells that from chance.
//
// Pure code. Context: the holder of the scheduler's lock. Zeroed it has seen nothing.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SETTLING_H
#define CAUSAL_SETTLING_H

#include "causal_visit_span.h"

namespace __causal {

class SettlingTest {
public:
  /// What an experiment saw of a point in its last two fifths, and after its first
  /// fifth. Speedup in percent.
  void add(uint32_t Speedup, VisitSpan Late, VisitSpan Whole) {
    if (Late.Visits < MinVisits)
      return;
    Group &G = Groups[Speedup > 100 ? GroupCount - 1 : (Speedup + 19) / 20];
    double Seen = static_cast<double>(Late.Visits);
    double Expected = static_cast<double>(Late.Time) *
                      static_cast<double>(Whole.Visits) /
                      static_cast<double>(Whole.Time);
    // An accident is none of it.
    double Least = (1 - Farthest) * Expected, Most = (1 + Farthest) * Expected;
    Seen = Seen < Least ? Least : Seen > Most ? Most : Seen;
    G.Seen += Seen;
    G.Expected += Expected;
    G.Squares += Seen * Seen / Expected;
    ++G.Number;
  }

  /// By how much experiments speed up decides how much is visited late.
  bool settlesLate() const {
    Group All = {};
    double Explained = 0;
    uint32_t Used = 0;
    for (const Group &G : Groups) {
      if (G.Number < MinInGroup)
        continue;
      ++Used;
      All.Seen += G.Seen;
      All.Expected += G.Expected;
      All.Squares += G.Squares;
      All.Number += G.Number;
      Explained += G.Seen * G.Seen / G.Expected;
    }
    if (Used < MinGroups || All.Number < Used + MinFreedom)
      return false;
    double Left = (All.Squares - Explained) / (All.Number - Used);
    Explained = (Explained - All.Seen * All.Seen / All.Expected) / (Used - 1);
    return Explained > Significant * Left;
  }

private:
  static constexpr uint64_t MinVisits = 4;
  static constexpr uint32_t GroupCount = 6, MinGroups = 3, MinFreedom = 30;
  /// A single experiment says nothing of its group.
  static constexpr uint32_t MinInGroup = 4;
  /// What is farther off the whole than this counts as this far.
  static constexpr double Farthest = 0.1;
  /// Of F. Looked at after each of 2,000 experiments of programs that settle in time, 8 %
  /// of them were taken for late (by simulation), and had longer experiments for nothing.
  static constexpr double Significant = 4.2;

  struct Group {
    double Seen, Expected, Squares; ///< Squares: of Seen, over Expected.
    uint32_t Number;
  };
  Group Groups[GroupCount];
};

} // namespace __causal

#endif // CAUSAL_SETTLING_H
