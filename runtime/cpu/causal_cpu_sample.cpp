//===- causal_cpu_sample.cpp - Samples and waits in mode=cpu --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread does to its account: in a sample, around a call that waits, and before
// it wakes another one.
//
//===----------------------------------------------------------------------===//
#include "base/causal_flags.h"
#include "base/causal_glob.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "code/causal_stack_walk.h"
#include "cpu/causal_cpu_mode.h"
#include "cpu/causal_cpu_run.h"
#include "cpu/causal_cpu_wait.h"
#include "sampler/causal_sampler.h"

#include <errno.h>

using namespace __causal;

__thread CPUThread *__causal::CurrentCPUThread;

// The frame that the wait was in is none any more.
static bool hasLeftWait(const CPUThread &T, uintptr_t SP) {
  return T.Wait.Site && SP > T.Wait.Where.SP && T.Stack.contains(SP) &&
         T.Stack.contains(T.Wait.Where.SP);
}

static void forgetWait(CPUThread &T) {
  if (T.Wait.Site && T.Wait.Object)
    cpuRun().Wakers->endWait(T.Wait.Object);
  __atomic_store_n(&T.Wait.Site, nullptr, __ATOMIC_RELAXED);
}

//===-- Samples -----------------------------------------------------------===//

void __causal::sampleCPU(ThreadBase &Base, ucontext_t &Context, uint64_t) {
  CPUThread &T = static_cast<CPUThread &>(Base);
  if (T.InRuntime || !cpuRun().active() || !tryLockAccount(T)) {
    ++T.Late; // The next sample stands for this one, too.
    return;
  }
  InRuntimeScope Scope(T);
  uint64_t Now = 0;
  if (!T.Ended && cpuRun().active()) {
    T.countSample();
    ++T.SampleCount;
    uint32_t Stack = takeStack(T.Stack, UnwindRegisters(Context), nullptr);
    uint64_t CPU = threadCPUTime();
    Now = now();
    chargeCPU(T, CPU, Stack);
    T.LastStack = Stack ? Stack : T.LastStack;
    if (T.Wait.Site) // On its way out of it, or left it by a jump.
      noteOpenWait(T, Now);
    if (hasLeftWait(T, static_cast<uintptr_t>(Context.uc_mcontext.gregs[REG_RSP])))
      forgetWait(T);
    if ((T.SampleCount & 63) == 1)
      askName(T);
    // It lost its core here, or right before.
    settle(T, Now, CPU, /*IsSelf=*/true);
    constexpr CPUState NotOfCalls[] = {CPUState::RunQueue, CPUState::PageFault, CPUState::Other};
    for (CPUState S : NotOfCalls)
      chargePending(T, S, samplePeriod(), Stack);
  }
  unlockAccount(T);
  if (Now)
    snapshotIfDue(Now);
}

//===-- Waits -------------------------------------------------------------===//

static bool isIdleFunction(WaitSite &S) {
  uint8_t Known = __atomic_load_n(&S.Idleness, __ATOMIC_RELAXED);
  if (Known == WaitSite::Unknown) {
    Known = globListMatch(flags().idle_functions, S.Name) ? WaitSite::Idles : WaitSite::Counts;
    __atomic_store_n(&S.Idleness, static_cast<decltype(S.Idleness)>(Known), __ATOMIC_RELAXED);
  }
  return Known == WaitSite::Idles;
}

// The outermost loop of a thread waits where its stack is shallowest: of its last waits in
// functions that may be idle.
static bool isInOutermostLoop(CPUThread &T, uintptr_t SP) {
  constexpr uint32_t Remembered = 64;
  if (SP >= T.LoopSP || T.SinceLoop == Remembered) {
    T.LoopSP = SP;
    T.SinceLoop = 0;
    return true;
  }
  ++T.SinceLoop;
  return false;
}

static CPUState stateOf(CPUThread &T, WaitSite &S, uintptr_t Object, uintptr_t SP) {
  if (!isIdleFunction(S) || !isInOutermostLoop(T, SP))
    return S.State;
  // A condition has work for a pool of threads, or is another thread's answer.
  if (S.State == CPUState::Wait && Object && !cpuRun().Wakers->sharesLoop(Object, T.Number))
    return S.State;
  return CPUState::Idle;
}

// A wait begins at SP in the midst of another one: in a handler of the program, or where that was
// left by a jump.
static void leaveOuter(CPUThread &T, uintptr_t SP, OpenWait &Outer) {
  InRuntimeScope Scope(T);
  lockAccount(T);
  noteOpenWait(T, now());
  if (T.Wait.Where.SP > SP) {
    Outer = T.Wait;
    __atomic_store_n(&T.Wait.Site, nullptr, __ATOMIC_RELAXED);
  } else {
    forgetWait(T);
  }
  unlockAccount(T);
}

void __causal::beginWait(CPUThread &T, WaitSite &S, uintptr_t Object, const void *Function,
                         const UnwindRegisters &Here, OpenWait &Outer) {
  OpenWait &W = T.Wait;
  if (W.Site)
    leaveOuter(T, Here.SP, Outer);
  if (Object)
    cpuRun().Wakers->beginWait(Object);
  W.Function = Function;
  W.Object = Object;
  W.Where = Here;
  W.State = stateOf(T, S, Object, Here.SP);
  W.Before = T.Account.callTime();
  W.Since = W.Noted = now();
  W.NextClose = 0;
  __atomic_store_n(&W.Site, &S, __ATOMIC_RELEASE);
}

// The kernel's clocks are asked where it was long, or where many short ones make a period.
static void settleWait(CPUThread &T, const UnwindRegisters &Here, uint64_t Now) {
  OpenWait &W = T.Wait;
  if (Now - W.Since >= BriefWaitNs || T.Account.unsettledCallTime() >= samplePeriod())
    settle(T, Now, threadCPUTime(), /*IsSelf=*/true);
  uint64_t Period = samplePeriod();
  bool Waited = T.Account.pending(W.State) >= Period;
  bool Queued = T.Account.pending(CPUState::RunQueue) >= Period;
  if (!Waited && !Queued)
    return;
  uint32_t Stack = takeStack(T.Stack, Here, W.Function);
  if (Waited)
    chargePending(T, W.State, Period, Stack,
                  W.Object ? cpuRun().Wakers->lastWaker(W.Object, W.Since) : Waker());
  if (Queued)
    chargePending(T, CPUState::RunQueue, Period, Stack);
}

void __causal::endWait(CPUThread &T, const OpenWait &Outer) {
  if (T.InRuntime)
    return;
  int SavedErrno = errno;
  uint64_t Now = now();
  bool Was;
  {
    InRuntimeScope Scope(T);
    OpenWait &W = T.Wait;
    lockAccount(T);
    Was = W.Site;
    // A child of vfork has its parent's memory and a clock of its own.
    if (Was && !T.Ended && cpuRun().active() && (Now - W.Since < BriefWaitNs || inOwnProcess())) {
      noteOpenWait(T, Now);
      settleWait(T, ownRegisters(), Now);
    }
    forgetWait(T);
    if (Outer.Site) {
      W = Outer;
      W.Noted = now();
      W.Before = T.Account.callTime();
    }
    unlockAccount(T);
  }
  if (Was && cpuRun().active())
    snapshotIfDue(Now);
  errno = SavedErrno;
}

timespec __causal::nextLook(unsigned Round) {
  constexpr unsigned MostDoublings = 6;
  uint64_t Interval = static_cast<uint64_t>(flags().snapshot_ms) * 1000000;
  uint64_t Until = now() + (Interval << (Round < MostDoublings ? Round : MostDoublings));
  return {static_cast<time_t>(Until / 1000000000), static_cast<long>(Until % 1000000000)};
}

void __causal::lookForSnapshot() {
  if (cpuRun().active())
    snapshotIfDue(now());
}

//===-- Wakers ------------------------------------------------------------===//

__attribute__((preserve_most, noinline)) void
__causal::wakeInCPUMode(CPUThread &T, uintptr_t Object, const void *From, bool All) {
  CPURun &R = cpuRun();
  if (T.InRuntime || !R.active() || !Object)
    return;
  if (All)
    R.Wakers->broadcasts(Object);
  if (!R.Wakers->hasWaiters(Object))
    return;
  InRuntimeScope Scope(T);
  uint64_t Now = now();
  uintptr_t Place = reinterpret_cast<uintptr_t>(From);
  if (T.WokenObject != Object || T.WokenFrom != Place || Now - T.WokenAt >= samplePeriod()) {
    T.WokenObject = Object;
    T.WokenFrom = Place;
    T.WokenAt = Now;
    T.WakingStack = takeStack(T.Stack, ownRegisters(), nullptr);
    if (!T.WakingStack) // It ends.
      T.WakingStack = startStack(T);
  }
  R.Wakers->wakes(Object, {T.WakingStack, T.Number}, Now);
}
