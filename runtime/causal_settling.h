//===- causal_settling.h - Are experiments long enough? ---------*- C++ -*-===//
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
// Pure code. Context: the holder of the scheduler's lock. Zeroed it has seen nothing.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SETTLING_H
#define CAUSAL_SETTLING_H

#include "causal_visit_span.h"

namespace __causal {

class SettlingTest {
public:
  /// Adds what an experiment on Line saw of a point; speedup in percent. Returns whether
  /// experiments on it are too short, by this and the earlier ones.
  bool add(uint32_t Line, uint32_t Speedup, const VisitSpans &Spans) {
    VisitSpan First = Spans.leadIn(), Rest = Spans.whole();
    if (Speedup <= Half || Rest.Visits < MinVisits)
      return false;
    double Visits = static_cast<double>(Rest.Visits);
    double Backlog = static_cast<double>(First.Visits) -
                     static_cast<double>(First.Time) * Visits /
                         static_cast<double>(Rest.Time);
    Sum &S = Lines[Line % LineCount];
    if (S.Line != Line)
      S = {Line, 0, 0, 0, 0};
    ++S.Number;
    S.Backlog += Backlog;
    S.Squares += Backlog * Backlog;
    S.Visits += Visits;
    double N = S.Number, Mean = S.Backlog / N;
    double Variance = (S.Squares - N * Mean * Mean) / ((N - 1) * N); // Of the mean.
    return S.Number >= MinNumber && Mean > MinBacklog &&
           S.Backlog > LargestShare * S.Visits &&
           Mean * Mean > Significant * Significant * Variance;
  }

private:
  /// Smaller speedups do not empty every queue.
  static constexpr uint32_t Half = 50;
  static constexpr uint64_t MinVisits = 4;
  static constexpr uint32_t LineCount = 16, MinNumber = 4;
  /// Of what is visited after the first fifth.
  static constexpr double LargestShare = 0.06;
  /// Units of work that had been begun before are no queue.
  static constexpr double MinBacklog = 2;
  /// Of standard errors.
  static constexpr double Significant = 4;

  struct Sum {
    uint32_t Line, Number;
    double Backlog, Squares, Visits;
  };
  Sum Lines[LineCount];
};

} // namespace __causal

#endif // CAUSAL_SETTLING_H
