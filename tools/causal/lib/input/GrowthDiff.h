//===- GrowthDiff.h - Two input profiles beside each other ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A routine is the same if its name and file are. Cost is compared at inputs that both
// profiles have, which is exact where cost does not vary; without such inputs by the fits in
// the middle of what both cover. For `causal diff`.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_GROWTHDIFF_H
#define CAUSAL_INPUT_GROWTHDIFF_H

#include "lib/input/InputModel.h"

namespace causal {

struct GrowthChange {
  enum Direction { Same, Slower, Faster, Unknown };
  unsigned Before, After; ///< Indices of the routine.
  Growth GrowthBefore, GrowthAfter;
  /// Of growth: not the same only if no class is left that both could be.
  Direction Grows = Unknown;
  /// Cost after by cost before at equal input; none where nothing is comparable.
  std::optional<double> Ratio;
  unsigned EqualInputs = 0; ///< 0: by the fits.
  double At = 0;            ///< By the fits: at this input.
  double Weight = 0;        ///< Cost that changed but for callees: what the order is by.
};

struct GrowthDiff {
  std::vector<GrowthChange> Changes;     ///< Largest weight first.
  std::vector<unsigned> Vanished, Added; ///< Routines of one side alone.
};

GrowthDiff compareGrowth(const InputModel &Before, const InputModel &After);

} // namespace causal

#endif // CAUSAL_INPUT_GROWTHDIFF_H
