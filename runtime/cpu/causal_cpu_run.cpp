//===- causal_cpu_run.cpp - A run in mode=cpu -----------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_cpu_run.h: stacks, accounts, and the settlement of one.
//
//===----------------------------------------------------------------------===//
#include "cpu/causal_cpu_run.h"
#include "base/causal_platform.h"
#include "base/causal_syscall.h"
#include "code/causal_image_list.h"
#include "code/causal_stack_walk.h"
#include "cpu/causal_cpu_wait.h"
#include "sampler/causal_sampler.h"
#include "sampler/causal_schedstat.h"

#include <sys/resource.h>

using namespace __causal;

[[clang::require_constant_initialization]] CPURun __causal::TheCPURun;

bool __causal::tryLockAccount(CPUThread &T) {
  return __atomic_exchange_n(&T.Lock, 1u, __ATOMIC_ACQUIRE) == 0;
}

void __causal::unlockAccount(CPUThread &T) { __atomic_store_n(&T.Lock, 0u, __ATOMIC_RELEASE); }

// Others have it for the time of a stack walk.
void __causal::lockAccount(CPUThread &T) {
  constexpr unsigned Spins = 200;
  constexpr uint64_t Nap = 20000;
  for (unsigned I = 0; !tryLockAccount(T); ++I)
    I < Spins ? __builtin_ia32_pause() : sleepUntil(now() + Nap);
}

uint32_t __causal::takeStack(const StackBounds &Own, const UnwindRegisters &R, const void *Callee) {
  StackTable &Table = *cpuRun().Stacks;
  uint32_t Frames[StackTable::MaxDepth];
  unsigned Depth = 0;
  bool Truncated = false;
  if (Callee)
    Frames[Depth++] = Table.frame(reinterpret_cast<uintptr_t>(Callee));
  StackWalk Walk(Own, R);
  do {
    uintptr_t PC = Walk.registers().lookupPC();
    if (isRuntimeCode(PC))
      continue;
    if (Depth == StackTable::MaxDepth) {
      Truncated = true;
      __atomic_fetch_add(&cpuRun().Truncated, 1, __ATOMIC_RELAXED);
      break;
    }
    uint32_t Frame = Table.frame(PC);
    if (!Frame)
      return 0;
    Frames[Depth++] = Frame;
  } while (Walk.up());
  return Depth ? Table.intern(Frames, Depth, Truncated) : 0;
}

uint32_t __causal::startStack(const CPUThread &T) {
  StackTable &Table = *cpuRun().Stacks;
  uint32_t Frame = T.Start ? Table.frame(reinterpret_cast<uintptr_t>(T.Start)) : 0;
  return Frame ? Table.intern(&Frame, 1, /*Truncated=*/false) : 0;
}

static void charge(CPUThread &T, CPUState S, uint32_t Stack, uint64_t Time, Waker W = {}) {
  if (!Time)
    return;
  Charge C = {T.Number, Stack, S, W.Stack, W.Thread, Time, 1};
  CPURun &R = cpuRun();
  if (R.Charged->add(C))
    return;
  // Without the stack there may be room.
  C.Stack = C.Waker = C.WakerThread = 0;
  if (!R.Charged->add(C))
    __atomic_fetch_add(&R.Dropped, 1, __ATOMIC_RELAXED);
}

void __causal::chargeCPU(CPUThread &T, uint64_t CPU, uint32_t Stack) {
  charge(T, CPUState::OnCore, Stack, T.Account.takeCPU(CPU));
}

void __causal::chargePending(CPUThread &T, CPUState S, uint64_t Least, uint32_t Stack, Waker W) {
  charge(T, S, Stack, T.Account.takePending(S, Least), W);
  T.LastOffStack[index(S)] = Stack;
}

// How long it has waited for cores since the last time. Only its own thread may open the
// file, and while it has, others may read it.
static uint64_t runQueueSince(CPUThread &T, bool IsSelf) {
  uint64_t Wait, Slices;
  if (!IsSelf && T.WaitFd <= 0)
    return 0;
  if (!askForWait(T, &Wait, &Slices)) {
    T.LacksRunQueue = true;
    return 0;
  }
  if (!T.KnowsRunQueue) {
    // The wait for its first core came before the account was opened.
    T.KnowsRunQueue = true;
    uint64_t Earlier = T.Account.begun() > T.MadeAt ? T.Account.begun() - T.MadeAt : 0;
    T.SeenRunQueue = Earlier < Wait ? Earlier : Wait;
  }
  uint64_t Since = Wait > T.SeenRunQueue ? Wait - T.SeenRunQueue : 0;
  T.SeenRunQueue = Wait;
  return Since;
}

static void askKernel(CPUThread &T, KernelCounts &K) {
  rusage U = {};
  systemCall(SYS_getrusage, RUSAGE_THREAD, word(&U));
  uint64_t Faults = static_cast<uint64_t>(U.ru_majflt);
  uint64_t Switches = static_cast<uint64_t>(U.ru_nvcsw);
  K.MajorFaults = Faults - T.SeenFaults;
  K.Switches = Switches - T.SeenSwitches;
  T.SeenFaults = Faults;
  T.SeenSwitches = Switches;
}

void __causal::settle(CPUThread &T, uint64_t Wall, uint64_t CPU, bool IsSelf) {
  if (T.Account.unsettled(Wall, CPU) < BriefWaitNs)
    return;
  KernelCounts K;
  K.RunQueue = runQueueSince(T, IsSelf);
  if (T.Account.unseen(Wall, CPU, K.RunQueue) >= BriefWaitNs) {
    if (IsSelf)
      askKernel(T, K);
    else if (!T.Wait.Site) // It is ready to run, and has no core yet.
      K.RunQueue = T.Account.unsettled(Wall, CPU);
  }
  T.Account.settle(Wall, CPU, K);
}

void __causal::noteOpenWait(CPUThread &T, uint64_t Now) {
  OpenWait &W = T.Wait;
  uint64_t Within = T.Account.callTime() - W.Before;
  uint64_t Elapsed = Now > W.Noted ? Now - W.Noted : 0;
  T.Account.noteCall(W.State, Elapsed > Within ? Elapsed - Within : 0);
  W.Noted = Now;
  W.Before = T.Account.callTime();
}

void __causal::closeAccount(CPUThread &T, uint64_t Wall, uint64_t CPU, bool IsSelf) {
  if (T.Wait.Site)
    noteOpenWait(T, Wall);
  settle(T, Wall, CPU, IsSelf);
  uint32_t Last = T.LastStack ? T.LastStack : startStack(T);
  chargeCPU(T, CPU, Last);
  for (unsigned S = 1; S != CPUStates; ++S) {
    uint32_t Stack = T.LastOffStack[S];
    chargePending(T, static_cast<CPUState>(S), 0, Stack ? Stack : Last);
  }
}
