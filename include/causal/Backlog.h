//===- Backlog.h - What queues have in store --------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A queue that was full runs empty when the stage behind it is sped up, and until it
// has, that stage is not held up by the one before it. So a progress point is visited
// faster at first than it can be for long. How many more visits there are in the first
// fifth of an experiment than the rest lets expect is what was in store. Where that is
// little beside all that is visited, the end of it does not matter, wherever it falls.
//
// The runtime makes experiments longer by it, the tool decides what of them counts.
// Freestanding, as LineMapFormat.h. Zeroed it has seen nothing.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_BACKLOG_H
#define CAUSAL_BACKLOG_H

namespace causal {

/// Of a progress point in experiments of one length on one line.
class Backlog {
public:
  /// An experiment: visits in its first fifth and in the rest, and the effective time that
  /// they took; speedup in percent.
  void add(unsigned Speedup, double FirstVisits, double FirstTime, double Visits, double Time) {
    if (Speedup <= Half || Visits < MinVisits || !(Time > 0))
      return;
    double Here = FirstVisits - FirstTime * Visits / Time;
    ++Number;
    Sum += Here;
    Squares += Here * Here;
    AllVisits += Visits;
  }

  /// So much that its end may be in what counts.
  bool isLarge() const {
    if (Number < MinNumber)
      return false;
    double Mean = Sum / Number;
    double Variance = (Squares - Sum * Mean) / ((Number - 1.0) * Number); // Of the mean.
    return Mean > MinBacklog && Sum > LargestShare * AllVisits &&
           Mean * Mean > StandardErrors * StandardErrors * Variance;
  }

private:
  /// Smaller speedups do not empty every queue.
  static constexpr unsigned Half = 50;
  /// Fewer visits say nothing of a rate, fewer experiments nothing of their scatter.
  static constexpr double MinVisits = 4;
  static constexpr unsigned MinNumber = 4;
  /// Units of work that had been begun before are no queue.
  static constexpr double MinBacklog = 2;
  /// Of what is visited after the first fifth.
  static constexpr double LargestShare = 0.06;
  static constexpr double StandardErrors = 4;

  double Sum, Squares, AllVisits;
  unsigned Number;
};

} // namespace causal

#endif // CAUSAL_BACKLOG_H
