//===- causal_attribution.h - From a sample to its source line --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample belongs to the innermost source line in scope: first through the inline
// frames at its own address, then through its callers. Or, where critical sections
// are the targets, to the one that the thread is in.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ATTRIBUTION_H
#define CAUSAL_ATTRIBUTION_H

#include "causal/causal_thread_part.h"

#include <ucontext.h>

namespace __causal {

/// The line's id in run().lines(), or 0; then the thread's counters say why.
/// Sample handler only.
uint32_t attribute(CausalThread &T, const ucontext_t &Context);

/// Forgets the lines of all addresses, for their numbers mean nothing in the child of
/// fork. While there is one thread.
void forgetAttributions();

} // namespace __causal

#endif // CAUSAL_ATTRIBUTION_H
