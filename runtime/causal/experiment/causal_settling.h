//===- causal_settling.h - Are experiments long enough? ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They are not where queues run empty that matter beside what is visited
// (causal/Backlog.h).
//
// Pure code. Context: the holder of the scheduler's lock. Zeroed it has seen nothing.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SETTLING_H
#define CAUSAL_SETTLING_H

#include "causal/Backlog.h"
#include "causal/experiment/causal_visit_span.h"

namespace __causal {

/// Of a progress point, in experiments as long as those now.
class SettlingTest {
public:
  /// Adds what an experiment on Line saw; speedup in percent. Returns whether experiments
  /// on it are too short, by this and the earlier ones.
  bool add(uint32_t Line, uint32_t Speedup, const VisitSpans &Spans) {
    OfLine &L = Lines[Line % LineCount];
    if (L.Line != Line)
      L = {Line, {}};
    VisitSpan First = Spans.leadIn(), Rest = Spans.whole();
    L.Seen.add(Speedup, static_cast<double>(First.Visits), static_cast<double>(First.Time),
               static_cast<double>(Rest.Visits), static_cast<double>(Rest.Time));
    return L.Seen.isLarge();
  }

private:
  struct OfLine {
    uint32_t Line;
    causal::Backlog Seen;
  };
  static constexpr uint32_t LineCount = 16;
  OfLine Lines[LineCount];
};

} // namespace __causal

#endif // CAUSAL_SETTLING_H
