//===- causal_sample.h - What a sample does in a causal profile -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Charges a sample to its line, moves experiments on, and pauses if the thread owes. The
// mode's table names sampleCausal(); sync calls observeSpinning().
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SAMPLE_H
#define CAUSAL_SAMPLE_H

#include "causal/causal_thread_part.h"

#include <ucontext.h>

namespace __causal {

/// One sample that stands for CPUTime. Sample handler.
void sampleCausal(ThreadBase &T, ucontext_t &Context, uint64_t CPUTime);

/// Samples came while T, which spins, was inside the runtime: what they tell of its cores.
/// Own thread, inside the runtime.
void observeSpinning(CausalThread &T, uint64_t Now);

} // namespace __causal

#endif // CAUSAL_SAMPLE_H
