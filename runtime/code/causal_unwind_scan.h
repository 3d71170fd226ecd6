//===- causal_unwind_scan.h - The caller of code without CFI ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hand-written assembly and code made at run time often have no call frame information, and
// unwindStep() ends there. Their caller's address lies on the stack all the same: it is the
// nearest word that follows a call, from where the stack can be walked on. Called by attribution
// where a walk ends; must not be used where unwindStep() knows the way.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_UNWIND_SCAN_H
#define CAUSAL_UNWIND_SCAN_H

#include "code/causal_unwind.h"

namespace __causal {

/// Brings R, a frame in code without call frame information, to the nearest caller whose address
/// IsWanted: it must say no for what is not mapped code. Reads the stack in [R.SP, StackHigh).
/// Callee-saved registers but the frame pointer stay as they are, which may be wrong. Any thread,
/// sample handler included; never allocates or blocks; time is bounded. Returns false, with R
/// unchanged, if R's code has such information or none is found.
bool unwindScan(UnwindRegisters &R, uintptr_t StackHigh, UnwindCache &Cache,
                bool (*IsWanted)(uintptr_t PC));

} // namespace __causal

#endif // CAUSAL_UNWIND_SCAN_H
