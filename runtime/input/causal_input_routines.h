//===- causal_input_routines.h - The routines of a run ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives routines their numbers. Copies of a routine in several images, or in an image that is
// loaded again, are one. Names are copied: an image may be unloaded.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_ROUTINES_H
#define CAUSAL_INPUT_ROUTINES_H

#include "causal/InputABI.h"

namespace __causal {

struct NamedRoutine {
  const char *Name, *File;
  uint32_t Line;
  const void *From; ///< In the image that had it first.
  bool Written;     ///< Its record is in the profile. The profile's lock.
};

/// The number of R, which is stored in it; 0 if there is no room. Any thread; takes a lock.
uint32_t nameRoutine(causal_input::Routine &R);
/// Null for 0 and numbers not given. Any thread.
NamedRoutine *routineNamed(uint32_t Id);
uint32_t routinesNamed();
/// What costs are counted in: as in the run record.
const char *costUnit();

/// Across fork.
void lockRoutines();
void unlockRoutines();

} // namespace __causal

#endif // CAUSAL_INPUT_ROUTINES_H
