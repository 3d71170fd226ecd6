//===- causal_contention.h - How contended the cores are ---------*- C++ -*===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Law 9 needs to know how long a thread waits for a core. The kernel counts that
// (/proc/thread-self/schedstat); it is asked only where a sample took longer to
// come than the thread had a core, and around waits for the outside world where
// threads share cores, so never in a thread that just computes.
//
// Context: own thread, sample handler included. Nothing here allocates or blocks.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTENTION_H
#define CAUSAL_CONTENTION_H

#include "causal/causal_thread_part.h"

namespace __causal {

/// Tells T.Delay what the cores were like since the last sample. Since its last pause the
/// thread had CPUTime, and Elapsed of wall time has gone by.
void observeContention(CausalThread &T, GlobalDelay &G, CPUTimes Since, uint64_t CPUTime,
                       uint64_t Elapsed);
/// Tells G what other programs have of the process's cores. Now and then.
void observeOthers(GlobalDelay &G);
/// For how long the host of a virtual machine has had the process's cores, all together,
/// since the last call, by ticks of 10 ms; 0 if that is not known. For the holder of the
/// scheduler's lock.
uint64_t stolenLately();

} // namespace __causal

#endif // CAUSAL_CONTENTION_H
