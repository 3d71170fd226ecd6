//===- causal_cpu_run.h - A run in mode=cpu ---------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables that all threads of a run share, and what is done with a thread's account.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_RUN_H
#define CAUSAL_CPU_RUN_H

#include "code/causal_stack_table.h"
#include "cpu/causal_cpu_charges.h"
#include "cpu/causal_cpu_thread.h"

namespace __causal {

class CPURun {
public:
  StackTable *Stacks = nullptr;
  Charges *Charged = nullptr;
  WakerTable *Wakers = nullptr;

  /// Threads are charged. Any context.
  bool active() const { return __atomic_load_n(&Active, __ATOMIC_RELAXED); }

  /// When the next snapshot is due.
  uint64_t NextSnapshot = 0;
  uint64_t Begin = 0;
  uint64_t Snapshots = 0;
  /// Samples and charges that found no room, and stacks that were cut off.
  uint64_t Dropped = 0, Truncated = 0;
  uint32_t Threads = 0; ///< Numbered so far.
  bool Active = false;
  /// The lock of the writer of records.
  uint32_t Writing = 0;
};
extern CPURun TheCPURun;
inline CPURun &cpuRun() { return TheCPURun; }

/// The account of T is the caller's. Any context.
bool tryLockAccount(CPUThread &T);
void unlockAccount(CPUThread &T);
/// Waits for it. Not for handlers.
void lockAccount(CPUThread &T);

/// The stack that R is the innermost frame of, without frames of the runtime; Callee, if not
/// null, stands before it. Own: of the thread that it belongs to. 0: there is no room, or
/// nothing but the runtime. Any context.
uint32_t takeStack(const StackBounds &Own, const UnwindRegisters &R, const void *Callee);
/// Of the function that T began with alone; 0 for the first thread. Any context.
uint32_t startStack(const CPUThread &T);

// For the holder of T's account:

/// Charges what was pending in S, if it is Least or more.
void chargePending(CPUThread &T, CPUState S, uint64_t Least, uint32_t Stack, Waker W = {});
/// Settles what was off the core until Wall, where T's CPU clock was at CPU. IsSelf: T is the
/// calling thread.
void settle(CPUThread &T, uint64_t Wall, uint64_t CPU, bool IsSelf);
/// Notes the open wait until Now, which it goes on.
void noteOpenWait(CPUThread &T, uint64_t Now);
/// T ends, or the run does: all that it has is charged.
void closeAccount(CPUThread &T, uint64_t Wall, uint64_t CPU, bool IsSelf);
/// Charges time on the core until CPU.
void chargeCPU(CPUThread &T, uint64_t CPU, uint32_t Stack);

/// Writes a snapshot if one is due and nobody else writes. Any context.
void snapshotIfDue(uint64_t Now);
/// Writes one; Final: and closes all accounts. False: another thread is writing, and has been for
/// a while. Not for handlers.
bool snapshot(bool Final);
/// The record of T, which ends. Own thread; not for handlers.
void writeEndOf(CPUThread &T, uint64_t End);
/// Names the calling thread's record. Any context.
void askName(CPUThread &T);

/// The lock of the writer of records; false if another thread has it for very long. Not for
/// handlers.
bool lockCPUWriter();
void unlockCPUWriter();

/// dlclose() is about to be called, and has been. Not for handlers.
void beforeUnloading();
void afterUnloading();

} // namespace __causal

#endif // CAUSAL_CPU_RUN_H
