//===- causal_models.h - Saying what libc does to memory --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime of input mode knows by models what functions that are not instrumented read and
// write: exactly the bytes that they touch, as far as the standard says which. libc and the
// kernel are the outside world: what they bring in (read, fgets) was written by it, what they
// hand out (write, puts) is read by the caller. Synchronisation objects are no input.
//
// A model of NAME is CAUSAL_INPUT_INTERFACE ... __causal_model_NAME, with NAME in InputABI.def.
// It returns what NAME returns and leaves errno alone. What is only read is read after the
// call, as a load is; what is written is written before it where its extent is known.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_MODELS_H
#define CAUSAL_MODELS_H

#include "input/causal_input_access.h"
#include "input/causal_input_entry.h"

#include <string.h>

namespace __causal {

/// Finds libc's functions behind the interposed ones. Init only.
void resolveKernelModels();
void resolveProcessModels();
/// The process ends without exit handlers, or is about to be replaced. Not for handlers.
void finishInputProcess();
void writeInputBeforeExec();

inline void readString(const char *S) { readRange(S, strlen(S) + 1); }
/// What is looked at of a string of which N bytes matter.
inline void readBounded(const char *S, size_t N) {
  size_t Length = strnlen(S, N);
  readRange(S, Length < N ? Length + 1 : N);
}

} // namespace __causal

#endif // CAUSAL_MODELS_H
