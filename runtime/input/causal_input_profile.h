//===- causal_input_profile.h - The records of input mode -------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes what threads have recorded (ProfileFormat.def, mode input). A thread's points are
// written when it ends, those of the others when the program ends: points of one routine,
// thread and input add up.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_PROFILE_H
#define CAUSAL_INPUT_PROFILE_H

#include <stdint.h>

namespace __causal {

/// Begins a run. Init, and in a child of fork.
void beginInputRun(uint64_t RunId);
/// Writes what all threads have, and the last record. Once a run; exit only.
void endInputRun();
/// Writes and empties what the calling thread has: the program may be about to be replaced.
/// Not for handlers.
void writeOwnInput();

/// Across fork.
void lockInputProfile();
void unlockInputProfile();

} // namespace __causal

#endif // CAUSAL_INPUT_PROFILE_H
