//===- causal_cpu_thread.h - What mode=cpu keeps of a thread ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The thread's account, and the call that it waits in. The account has a lock: its thread
// takes it for each wait and each sample, whoever takes a snapshot to look at a thread
// that is in a wait. A sample handler only tries.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_THREAD_H
#define CAUSAL_CPU_THREAD_H

#include "cpu/causal_cpu_account.h"
#include "cpu/causal_cpu_wakers.h"
#include "thread/causal_thread.h"

namespace __causal {

/// A function that may wait, one for each wrapper of such a one.
struct WaitSite {
  const char *Name;
  CPUState State;
  /// It is one of idle_functions=; not known before the first wait.
  enum : uint8_t { Unknown, Counts, Idles } Idleness;
};

/// A call that the thread is in.
struct OpenWait {
  const WaitSite *Site = nullptr; ///< Null: in none.
  const void *Function = nullptr; ///< libc's, which stands for the innermost frame.
  uintptr_t Object = 0;           ///< 0: none that another thread could wake it by.
  CPUState State = CPUState::Other;
  uint64_t Since = 0;     ///< When it began.
  uint64_t Noted = 0;     ///< Until when the account has it.
  uint64_t Before = 0;    ///< The account's callTime() at Noted.
  uint64_t NextClose = 0; ///< When a snapshot notes it next.
  UnwindRegisters Where;
};

struct CPUThread;

struct CPUPart {
  CPUThread **CPUSelf = nullptr; ///< The thread's CurrentCPUThread.
  uint32_t Number = 0;           ///< In the run, from 1 on.
  uint32_t Lock = 0;
  CPUAccount Account;
  OpenWait Wait;

  /// Where it was last seen on its core, and in each state off it; 0: nowhere yet.
  uint32_t LastStack = 0, LastOffStack[CPUStates] = {};
  uint64_t SampleCount = 0;
  /// The kernel's counts at the last settlement.
  uint64_t SeenRunQueue = 0, SeenFaults = 0, SeenSwitches = 0;
  bool KnowsRunQueue = false, LacksRunQueue = false;
  /// When it was made.
  uint64_t MadeAt = 0;
  /// Its account is closed, and no more is charged.
  bool Ended = false;
  char Name[16] = {};
  bool NameAsked = false;
  /// For snapshots: what the last record said.
  uint64_t WrittenAt = 0;

  /// The outermost loop's wait, as far as is known: where the stack was, and for how many other
  /// waits it has not been seen.
  uintptr_t LoopSP = 0;
  uint32_t SinceLoop = 0;

  /// What it last woke: as long as it does so from the same place, its stack is taken once a
  /// period.
  uintptr_t WokenObject = 0, WokenFrom = 0;
  uint64_t WokenAt = 0;
  uint32_t WakingStack = 0;
};

struct alignas(64) CPUThread : ThreadBase, CPUPart {};

/// The calling thread's; null in other modes.
extern __thread CPUThread *CurrentCPUThread __attribute__((tls_model("initial-exec")));
inline CPUThread *cpuThread() { return CurrentCPUThread; }

template <typename Function> void forEachCPUSlot(Function F) {
  forEachSlot([&](ThreadBase &T) { F(static_cast<CPUThread &>(T)); });
}

} // namespace __causal

#endif // CAUSAL_CPU_THREAD_H
