//===- causal_recent_lines.h - What experiments may be on -------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines of the last samples. An experiment is on one of them, so that what takes much
// time is tried often, and what the program does now (Coz, section 3.2).
//
// Pure code. Zeroed it has none.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_RECENT_LINES_H
#define CAUSAL_RECENT_LINES_H

#include "base/causal_random.h"

#include <stdint.h>

namespace __causal {

class RecentLines {
public:
  static constexpr uint32_t Size = 64;

  /// How many samples a line has if it had half a percent of Elapsed, the time since the run
  /// began; less can hardly bring more. Of a minute at most: what is hot now may have been cold
  /// for hours. Period: of the samples, in ns as Elapsed.
  static uint64_t samplesThatMatter(uint64_t Elapsed, uint64_t Period) {
    constexpr uint64_t Part = 200, Minute = 60000000000;
    return (Elapsed < Minute ? Elapsed : Minute) / (Part * Period);
  }

  /// A sample that stands for so many periods fell into Line (not 0). Any thread, in handlers
  /// too.
  void add(uint32_t Line, uint32_t Periods) {
    constexpr uint32_t Most = Size / 4; // One is not to be all that is recent.
    uint32_t Times = Periods < Most ? Periods : Most;
    uint32_t At = __atomic_fetch_add(&Added, Times, __ATOMIC_RELAXED);
    for (uint32_t I = 0; I < Times; ++I)
      __atomic_store_n(&Lines[(At + I) % Size], Line, __ATOMIC_RELAXED);
  }

  bool empty() const { return !__atomic_load_n(&Added, __ATOMIC_RELAXED); }
  /// While nobody else looks at it.
  void clear() { *this = RecentLines(); }

  /// One of them, by how much time they had; hardly one that does not matter as long as there
  /// are others. 0: there is none.
  template <typename Predicate> uint32_t draw(Random &R, Predicate Matters) const {
    constexpr int Tries = 8;
    uint32_t Count = __atomic_load_n(&Added, __ATOMIC_RELAXED), Line = 0;
    Count = Count < Size ? Count : Size;
    for (int I = 0; I < Tries && Count; ++I) {
      Line = __atomic_load_n(&Lines[R.below(Count)], __ATOMIC_RELAXED);
      if (Line && Matters(Line))
        break;
    }
    return Line;
  }

private:
  uint32_t Lines[Size] = {};
  uint32_t Added = 0;
};

} // namespace __causal

#endif // CAUSAL_RECENT_LINES_H
