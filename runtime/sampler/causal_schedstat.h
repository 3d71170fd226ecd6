//===- causal_schedstat.h - How long threads wait for a core ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel counts that in /proc/thread-self/schedstat. A thread that asks holds the file
// open from then on, if few do: descriptors belong to the program.
//
// Context: own thread, sample handler included. Nothing here allocates or blocks.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SCHEDSTAT_H
#define CAUSAL_SCHEDSTAT_H

#include "thread/causal_thread.h"

namespace __causal {

/// How long the thread has waited for a core so far, in nanoseconds, and how often it got
/// one. False where the kernel does not tell (no /proc, or no descriptor to spare).
bool askForWait(ThreadBase &T, uint64_t *Wait, uint64_t *Slices);
/// Likewise; 0 where the kernel does not tell.
uint64_t waitedForCore(ThreadBase &T);
/// The thread ends, or is now one of a child process.
void closeSchedstat(ThreadBase &T);
/// In the child of fork, which has closed all.
void forgetSchedstats();

} // namespace __causal

#endif // CAUSAL_SCHEDSTAT_H
