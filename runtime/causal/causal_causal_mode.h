//===- causal_causal_mode.h - The mode that makes experiments ---*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mode=causal: virtual speedups. init/ lists it; wrappers find its threads by
// causalThread().
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CAUSAL_MODE_H
#define CAUSAL_CAUSAL_MODE_H

#include "mode/causal_mode.h"

namespace __causal {

extern const Mode CausalMode;

} // namespace __causal

#endif // CAUSAL_CAUSAL_MODE_H
