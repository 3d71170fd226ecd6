//===- CPUExport.h - CPU profiles for other tools ---------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs of mode=cpu in the formats of others. Time off the core is under the stack that
// waits, with one more frame, "[off:lock]", that says for what; pprof has labels
// instead. A profile says how long, not when: formats that want a time for each sample
// get one thread's samples one after the other.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_EXPORT_CPUEXPORT_H
#define CAUSAL_EXPORT_CPUEXPORT_H

#include "lib/cpu/CPUProfile.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace causal::cpu {

/// thread;frame;...;frame;[off:lock] ns
llvm::Error exportFolded(const CPUProfile &P, llvm::raw_ostream &OS);
/// Sample types samples, cpu, offcpu, wall; labels thread, tid, state, waker.
llvm::Error exportPprof(const CPUProfile &P, llvm::raw_ostream &OS);
/// One sampled profile for each thread.
llvm::Error exportSpeedscope(const CPUProfile &P, llvm::raw_ostream &OS);
/// Firefox's processed profile format, version 62.
llvm::Error exportFirefox(const CPUProfile &P, llvm::raw_ostream &OS);
/// Chrome's trace event format, which Perfetto reads: when threads lived, and between
/// snapshots the share of each state.
llvm::Error exportTrace(const CPUProfile &P, llvm::raw_ostream &OS);

/// "[off:lock]"; nothing on the core.
std::string stateFrame(State S);
/// "fight-1 (44)".
std::string threadTitle(const Thread &T);
/// That there is nothing to export, if so.
llvm::Error checkHasCharges(const CPUProfile &P);

} // namespace causal::cpu

#endif // CAUSAL_EXPORT_CPUEXPORT_H
