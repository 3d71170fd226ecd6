//===- Thinning.h - Keeps a database within its bounds ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is older than the days to keep is removed. While the rest is too large, always from
// the oldest on: hours become days, days weeks, then addresses are given up, then images.
// None of these changes how many samples an epoch has, and none but the last two those of an
// image.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_THINNING_H
#define CAUSAL_CONTINUOUS_THINNING_H

#include "lib/continuous/Collector.h"

namespace causal::continuous {

/// Called by the collector, which holds the host's lock. \p Commit makes the delta that takes
/// the place of the epochs that it claims.
llvm::Error thin(const Directory &Host, const CollectOptions &Options,
                 llvm::function_ref<llvm::Error(const Delta &)> Commit);

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_THINNING_H
