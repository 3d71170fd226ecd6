//===- causal_continuous_mode.h - The mode that is always on ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_MODE_H
#define CAUSAL_CONTINUOUS_MODE_H

#include "mode/causal_mode.h"

namespace __causal {

/// mode=continuous: counts where samples fall, in a segment of the database db=.
extern const Mode ContinuousMode;

} // namespace __causal

#endif // CAUSAL_CONTINUOUS_MODE_H
