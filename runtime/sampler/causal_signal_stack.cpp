//===- causal_signal_stack.cpp - Where samples find room ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_signal_stack.h.
//
//===----------------------------------------------------------------------===//
#include "sampler/causal_signal_stack.h"
#include "base/causal_platform.h"
#include "base/causal_report.h"
#include "base/causal_syscall.h"
#include "sampler/causal_sampler.h"
#include "sampler/causal_signal_mask.h"

#include <sys/auxv.h>
#include <sys/mman.h>

using namespace __causal;

static constexpr size_t Page = 4096;

static bool ProgramHas;
// Signals whose actions are to have SA_ONSTACK as soon as the program has a stack.
static uint64_t Wanted;

size_t __causal::leastSignalStack() {
#ifndef AT_MINSIGSTKSZ
  constexpr unsigned long AT_MINSIGSTKSZ = 51;
#endif
  constexpr size_t WithAVX512 = 3584; // Of kernels that do not tell.
  size_t Frame = getauxval(AT_MINSIGSTKSZ);
  return (Frame ? Frame : WithAVX512) + SampleStackNeed;
}

// Twice what is needed, above a page that nobody may touch.
static size_t ownSize() { return (2 * leastSignalStack() + Page - 1) / Page * Page; }

static stack_t current() {
  stack_t Stack = {};
  systemCall(SYS_sigaltstack, 0, word(&Stack));
  return Stack;
}

static bool isOurs(const ThreadBase &T, const stack_t &Stack) {
  return T.SignalStack && Stack.ss_sp == T.SignalStack && !(Stack.ss_flags & SS_DISABLE);
}

static char *mapStack() {
  char *Low = static_cast<char *>(mapMemory(Page + ownSize()));
  if (!Low)
    return nullptr;
  systemCall(SYS_mprotect, word(Low), Page, PROT_NONE);
  return Low + Page;
}

static void setOurs(ThreadBase &T) {
  if (!T.SignalStack)
    T.SignalStack = mapStack();
  stack_t Stack = {};
  Stack.ss_sp = T.SignalStack;
  Stack.ss_size = ownSize();
  if (T.SignalStack)
    systemCall(SYS_sigaltstack, word(&Stack));
}

bool __causal::programHasSignalStacks() { return __atomic_load_n(&ProgramHas, __ATOMIC_SEQ_CST); }
bool __causal::isOnSignalStack() { return current().ss_flags & SS_ONSTACK; }

bool __causal::openSignalStack(ThreadBase &T) {
  stack_t Stack = current();
  bool IsTheirs = !(Stack.ss_flags & SS_DISABLE) && !isOurs(T, Stack);
  T.LacksSignalStack = IsTheirs && Stack.ss_size < leastSignalStack();
  if (!IsTheirs && !programHasSignalStacks())
    setOurs(T);
  return !T.LacksSignalStack;
}

void __causal::closeSignalStack(ThreadBase &T) {
  if (!isOurs(T, current()))
    return;
  stack_t None = {};
  None.ss_flags = SS_DISABLE;
  // A thread that ends on it, in a handler of the program, keeps it.
  if (systemCall(SYS_sigaltstack, word(&None)))
    T.SignalStack = nullptr;
}

void __causal::allowSignalStacks() {
  if (programHasSignalStacks())
    return;
  __atomic_store_n(&ProgramHas, true, __ATOMIC_SEQ_CST);
  for (int Signal = 1; Signal <= 64; ++Signal)
    afterAction(Signal);
  updateStandIn();
}

// A sample that came while it has no room would end the program.
static void stopForSmall(ThreadBase &T, const stack_t &New) {
  if (!T.Sampled || New.ss_flags & SS_DISABLE || New.ss_size >= leastSignalStack())
    return;
  CAUSAL_VREPORT(1,
                 "causal: an alternative signal stack of %zu bytes has no room for samples: its "
                 "thread is not sampled. Give it %zu\n",
                 static_cast<size_t>(New.ss_size), leastSignalStack());
  InRuntimeScope Scope(T);
  stopSampling(T);
  T.Sampled = false;
  T.LacksSignalStack = true;
}

static bool isReadable(const stack_t *Stack) {
  uintptr_t Begin = reinterpret_cast<uintptr_t>(Stack);
  return isReadable(Begin) && isReadable(Begin + sizeof(*Stack) - 8);
}

int __causal::changeSignalStack(const stack_t *New, stack_t *Old,
                                int (*Real)(const stack_t *, stack_t *)) {
  ThreadBase *T = currentThread();
  bool WasOurs = T && isOurs(*T, current()), Sets = New && samplerSignal() && isReadable(New);
  if (T && Sets && !T->InRuntime)
    stopForSmall(*T, *New);
  int Error = Real(New, Old);
  if (!Error && WasOurs && Old) {
    *Old = {};
    Old->ss_flags = SS_DISABLE;
  }
  if (!Error && Sets && !(New->ss_flags & SS_DISABLE))
    allowSignalStacks();
  if (!T || !Sets || T->InRuntime)
    return Error;
  InRuntimeScope Scope(*T);
  if (T->LacksSignalStack)
    T->Sampled = startSampling(*T);
  else if (T->Sampled)
    openSignalStack(*T);
  return Error;
}

static uint64_t maskOf(int Signal) { return Signal > 0 && Signal <= 64 ? signalBit(Signal) : 0; }

bool __causal::lacksOnStack(int Signal) {
  return !programHasSignalStacks() && __atomic_load_n(&Wanted, __ATOMIC_SEQ_CST) & maskOf(Signal);
}

void __causal::forgetOnStack(int Signal) {
  if (__atomic_load_n(&Wanted, __ATOMIC_SEQ_CST) & maskOf(Signal))
    __atomic_fetch_and(&Wanted, ~maskOf(Signal), __ATOMIC_SEQ_CST);
}

void __causal::beforeAction(int Signal, struct sigaction &Action) {
  if (!(Action.sa_flags & SA_ONSTACK))
    return forgetOnStack(Signal);
  if (programHasSignalStacks())
    return;
  __atomic_fetch_or(&Wanted, maskOf(Signal), __ATOMIC_SEQ_CST);
  Action.sa_flags &= ~SA_ONSTACK;
}

void __causal::afterAction(int Signal) {
  struct sigaction Action;
  if (!programHasSignalStacks() || !(__atomic_load_n(&Wanted, __ATOMIC_SEQ_CST) & maskOf(Signal)))
    return;
  forgetOnStack(Signal);
  if (realSigaction(Signal, nullptr, &Action) || Action.sa_flags & SA_ONSTACK)
    return;
  Action.sa_flags |= SA_ONSTACK;
  realSigaction(Signal, &Action, nullptr);
}
