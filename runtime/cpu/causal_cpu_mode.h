//===- causal_cpu_mode.h - Where each thread's time goes --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mode=cpu, for init/ to list.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_MODE_H
#define CAUSAL_CPU_MODE_H

#include "mode/causal_mode.h"

namespace __causal {

extern const Mode CPUMode;

/// A sample of the calling thread. Sample handler.
void sampleCPU(ThreadBase &T, ucontext_t &Context, uint64_t CPUTime);

} // namespace __causal

#endif // CAUSAL_CPU_MODE_H
