//===- causal_executable.h - What the program's file says -------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Called at the end of a run whose samples have no lines. Must not be called where every
// microsecond counts: it reads the file's list of sections.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_EXECUTABLE_H
#define CAUSAL_EXECUTABLE_H

namespace __causal {

/// Whether the program was rewritten after it was linked (llvm-bolt): its code has moved, and line
/// tables have the addresses from before. False where the file cannot be read. Any thread, sample
/// handler included; never allocates.
bool isRewritten();

} // namespace __causal

#endif // CAUSAL_EXECUTABLE_H
