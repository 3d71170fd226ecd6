//===- causal_lifetime.h - Threads and the profile begin and end -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What happens in which order, in every mode, when a thread begins or ends and when the
// profile does: the record, the mode's part, the sampler.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_LIFETIME_H
#define CAUSAL_LIFETIME_H

#include "thread/causal_thread.h"

namespace __causal {

/// Creates the exit hook's key. Init only.
void initLifetimes();

/// The calling thread begins: state, sampler, exit hook. StackHigh: none of its frames lies
/// above. Not for handlers.
void beginThread(ThreadBase *T, uintptr_t StackHigh);
/// The calling thread ends. Harmless when called twice. Not for handlers.
void endThread();

/// Threads that began, those of them that no sampler could be had for, and those that a timer
/// samples. Any context.
uint64_t threadsBegun();
uint64_t threadsUnsampled();
uint64_t threadsTimed();
/// The child of fork counts from nothing.
void restartLifetimes();

/// Ends the profile: once per process, whoever is first of exit, quick_exit and
/// _exit. Does nothing in a vfork child. Not for handlers.
void finishProfile();

} // namespace __causal

#endif // CAUSAL_LIFETIME_H
