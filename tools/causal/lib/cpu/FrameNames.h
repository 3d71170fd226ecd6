//===- FrameNames.h - Names for code that the line table lacks --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime writes lines where the program's line table has them. All other frames
// (libc, code built without -fcausal-profile) get their names here, from the debug
// information or else the symbol table of the image, if the file on this machine is
// the build that ran.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_FRAMENAMES_H
#define CAUSAL_CPU_FRAMENAMES_H

#include "lib/cpu/CPUProfile.h"

namespace causal::cpu {

/// Gives every frame a place. \p Warn hears of images that have changed since.
void nameFrames(CPUProfile &P, llvm::function_ref<void(const llvm::Twine &)> Warn);

/// What a report calls the function: its demangled name, or the image in brackets.
std::string nameOf(const CPUProfile &P, const Place &L);
/// The same without arguments and namespaces.
std::string shortNameOf(const CPUProfile &P, const Place &L);
/// Whether the code is a library's, as far as paths tell: of the system, not of the program.
bool isSystem(const CPUProfile &P, const Place &L);

} // namespace causal::cpu

#endif // CAUSAL_CPU_FRAMENAMES_H
