//===- causal_visit_span.h - From visit to visit ----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between two visits of a progress point a whole number of units of work is done, which
// an experiment's own beginning and end cut through. So what counts is the span from the
// first visit that is seen once the program has had time to settle in to the last one.
//
// Pure code. Context: the holder of the scheduler's lock. Zeroed it has seen nothing.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_VISIT_SPAN_H
#define CAUSAL_VISIT_SPAN_H

#include "causal/experiment/causal_experiment.h"

namespace __causal {

/// Visits after the first one, and the effective time (wall less delays) and CPU time of the
/// program's work from that to the last one.
struct VisitSpan {
  uint64_t Visits, Time, Work;
};

class VisitSpans {
public:
  /// An experiment begins after Done visits.
  void begin(uint64_t Time, uint64_t Done, uint64_t Work = 0) {
    *this = {Done, {Done, Time, Work}, {}, {}, {}};
  }

  /// There have been Done visits by now.
  void poll(uint64_t Time, uint64_t Done, ExperimentPart Part, uint64_t Work = 0) {
    if (Done == Seen)
      return;
    Seen = Done;
    Mark Here = {Done, Time, Work};
    if (Part == ExperimentPart::LeadIn)
      return;
    if (!First.Visit)
      First = Here;
    if (Part == ExperimentPart::Late && !FirstLate.Visit)
      FirstLate = Here;
    Last = Here;
  }

  /// Up to the first visit seen after the first fifth of the experiment.
  VisitSpan leadIn() const { return First.Visit ? between(Begin, First) : VisitSpan{}; }
  /// From there on.
  VisitSpan whole() const { return from(First); }
  /// In its last two fifths.
  VisitSpan late() const { return from(FirstLate); }

  struct Mark {
    uint64_t Visit; ///< 0: none.
    uint64_t Time, Work;
  };
  uint64_t Seen; ///< Visits at the last poll.
  Mark Begin, First, FirstLate, Last;

private:
  VisitSpan from(const Mark &Start) const {
    return Start.Visit ? between(Start, Last) : VisitSpan{};
  }
  static VisitSpan between(const Mark &A, const Mark &B) {
    if (B.Time <= A.Time)
      return {};
    return {B.Visit - A.Visit, B.Time - A.Time, B.Work - A.Work};
  }
};

} // namespace __causal

#endif // CAUSAL_VISIT_SPAN_H
