//===- causal_book_cost.h - What the law's books cost a thread --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A baseline keeps the same books as an experiment with a speedup, but has nothing to
// write into what all threads share. On many cores such writes are what the books cost.
// Context: its thread, in the wrappers.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_BOOK_COST_H
#define CAUSAL_BOOK_COST_H

#include <stdint.h>

namespace __causal {

/// All values are nanoseconds.
class BookCost {
public:
  /// To keep them took so long. Returns by how much longer than in baselines, on average.
  int64_t note(uint64_t Took, bool InBaseline) {
    if (Took > Longest)
      return 0;
    int64_t Difference = static_cast<int64_t>(Took) - Usual / Unit;
    if (!InBaseline)
      return Known ? Difference : 0;
    Usual += Known ? Difference * Unit / Memory : static_cast<int64_t>(Took) * Unit;
    Known = true;
    return 0;
  }

private:
  /// What takes longer was interrupted.
  static constexpr uint64_t Longest = 10000;
  static constexpr int64_t Memory = 64, Unit = 64;
  int64_t Usual = 0; ///< In baselines; in units of 1/Unit.
  bool Known = false;
};

} // namespace __causal

#endif // CAUSAL_BOOK_COST_H
