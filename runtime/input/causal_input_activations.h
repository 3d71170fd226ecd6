//===- causal_input_activations.h - Pending activations ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stack of a thread's pending activations, in causal_input_thread.h. An activation that
// an exception, longjmp or the thread's end leaves is ended by whoever is next to look:
// a landing pad, a second return of setjmp, the exit of one below, the thread's end.
//
// Context: the thread itself, handlers of the program included.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_ACTIVATIONS_H
#define CAUSAL_INPUT_ACTIVATIONS_H

#include "input/causal_input_thread.h"

namespace __causal {

/// Ends the activations above the one with Id. True if that one is on top then.
bool endActivationsAbove(InputThread &T, uint64_t Id);
/// Ends all activations.
void endAllActivations(InputThread &T);
/// Empties the thread's profile; what is pending stays. Own thread.
void restartPoints(InputThread &T);
/// How many are pending. Any thread.
uint64_t pendingActivations(const InputThread &T);

} // namespace __causal

#endif // CAUSAL_INPUT_ACTIVATIONS_H
