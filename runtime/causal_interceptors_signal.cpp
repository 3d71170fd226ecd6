//===- causal_interceptors_signal.cpp - Signals between threads, and ours -===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two things: signals that one thread of the program sends and another waits for
// are wake-ups; and the sampler's own signal must stay open and handled by us,
// while the program sees the masks and actions that it has set.
//
//===----------------------------------------------------------------------===//
#include "causal_descriptor_sync.h"
#include "causal_init.h"
#include "causal_interceptors.h"
#include "causal_sampler.h"
#include "causal_signal_mask.h"
#include "causal_sync.h"
#include "causal_syscall.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

using namespace __causal;

//===-- Wake-ups ----------------------------------------------------------===//

CAUSAL_INTERCEPTOR(int, kill, (pid_t Pid, int Signal), (Pid, Signal)) {
  beforeSignal(Signal);
  return real_kill(Pid, Signal);
}

CAUSAL_INTERCEPTOR(int, pthread_kill, (pthread_t Id, int Signal),
                   (Id, Signal)) {
  beforeSignal(Signal);
  return real_pthread_kill(Id, Signal);
}

CAUSAL_INTERCEPTOR(int, pthread_sigqueue,
                   (pthread_t Id, int Signal, const union sigval Value),
                   (Id, Signal, Value)) {
  beforeSignal(Signal);
  return real_pthread_sigqueue(Id, Signal, Value);
}

CAUSAL_INTERCEPTOR(int, sigqueue,
                   (pid_t Pid, int Signal, const union sigval Value),
                   (Pid, Signal, Value)) {
  beforeSignal(Signal);
  return real_sigqueue(Pid, Signal, Value);
}

// A signal of the program's that came while it had the sampler's number blocked, if Set
// waits for it.
static bool takeDeferred(const sigset_t *Set, siginfo_t *Info) {
  Thread *T = currentThread();
  if (!T || !T->HasDeferred || !Set || sigismember(Set, samplerSignal()) != 1)
    return false;
  *Info = T->Deferred;
  T->HasDeferred = false;
  return true;
}

CAUSAL_INTERCEPTOR(int, sigwaitinfo, (const sigset_t *Set, siginfo_t *Info),
                   (Set, Info)) {
  siginfo_t Deferred;
  if (takeDeferred(Set, Info ? Info : &Deferred))
    return samplerSignal();
  WithoutSamplerSignal Waited(Set);
  beforeBlock();
  int Signal = real_sigwaitinfo(Waited.get(), Info);
  if (Signal < 0 && errno == EINTR && takeDeferred(Set, Info ? Info : &Deferred))
    Signal = samplerSignal();
  afterBlock(signalObject(Signal), Signal > 0);
  return Signal;
}

CAUSAL_INTERCEPTOR(int, sigtimedwait,
                   (const sigset_t *Set, siginfo_t *Info,
                    const struct timespec *Timeout),
                   (Set, Info, Timeout)) {
  siginfo_t Deferred;
  if (takeDeferred(Set, Info ? Info : &Deferred))
    return samplerSignal();
  WithoutSamplerSignal Waited(Set);
  beforeBlock();
  int Signal = real_sigtimedwait(Waited.get(), Info, Timeout);
  if (Signal < 0 && errno == EINTR && takeDeferred(Set, Info ? Info : &Deferred))
    Signal = samplerSignal();
  afterBlock(signalObject(Signal), Signal > 0);
  return Signal;
}

// glibc's own goes on after a handler.
#pragma clang diagnostic ignored "-Wunused-function"
CAUSAL_INTERCEPTOR(int, sigwait, (const sigset_t *Set, int *Signal),
                   (Set, Signal)) {
  siginfo_t Deferred;
  if (takeDeferred(Set, &Deferred)) {
    *Signal = Deferred.si_signo;
    return 0;
  }
  WithoutSamplerSignal Waited(Set);
  beforeBlock();
  int Got;
  do
    Got = real_sigwaitinfo(Waited.get(), &Deferred);
  while (Got < 0 && errno == EINTR && !takeDeferred(Set, &Deferred));
  int Error = Got < 0 && errno != EINTR ? errno : 0;
  if (!Error)
    *Signal = Deferred.si_signo;
  afterBlock(Error ? 0 : signalObject(*Signal), Error == 0);
  return Error;
}

CAUSAL_INTERCEPTOR(int, sigsuspend, (const sigset_t *Mask), (Mask)) {
  MaskForWait Open(Mask);
  beforeBlock();
  int Result = real_sigsuspend(Open.get());
  afterBlock(anySignalObject(), /*Woken=*/true);
  return Result;
}

CAUSAL_WEAK_INTERPOSER(int, pause, (void), ()) {
  beforeBlock();
  int Result = real_pause();
  afterBlock(anySignalObject(), /*Woken=*/true);
  return Result;
}

//===-- The sampler's signal ----------------------------------------------===//

// Handlers on alternative stacks, which may have no room for a sample, run with the
// sampler's signal blocked. True where the program has not asked for that itself.
static bool AddedToMask[NSIG];

static int setOtherAction(int Signal, const struct sigaction *New,
                          struct sigaction *Old) {
  struct sigaction Copy;
  bool Known = Signal > 0 && Signal < NSIG && samplerSignal();
  bool Added = Known && __atomic_load_n(&AddedToMask[Signal], __ATOMIC_RELAXED);
  bool Add = Known && New && New->sa_flags & SA_ONSTACK &&
             sigismember(&New->sa_mask, samplerSignal()) != 1;
  if (Add) {
    Copy = *New;
    sigaddset(&Copy.sa_mask, samplerSignal());
  }
  int Result = realSigaction(Signal, Add ? &Copy : New, Old);
  if (Result)
    return Result;
  if (Old && Added)
    sigdelset(&Old->sa_mask, samplerSignal());
  if (New && Added != Add && inOwnProcess())
    __atomic_store_n(&AddedToMask[Signal], Add, __ATOMIC_RELAXED);
  return Result;
}

CAUSAL_INTERPOSER(int, sigaction,
                  (int Signal, const struct sigaction *New,
                   struct sigaction *Old),
                  (Signal, New, Old)) {
  if (Signal != samplerSignal() || !Signal)
    return setOtherAction(Signal, New, Old);
  if (!inOwnProcess())
    return real_sigaction(Signal, New, Old); // It has no samples.
  struct sigaction *Program = programAction();
  struct sigaction Before = *Program;
  if (New)
    *Program = *New;
  if (Old)
    *Old = Before;
  return 0;
}

int __causal::realSigaction(int Signal, const struct sigaction *New,
                            struct sigaction *Old) {
  return real_sigaction(Signal, New, Old);
}

template <typename Function>
static sighandler_t setHandler(int Signal, sighandler_t Handler, int Flags, Function Real) {
  if (Signal != samplerSignal() || !Signal || !inOwnProcess())
    return Real();
  struct sigaction *Program = programAction();
  sighandler_t Before = Program->sa_handler;
  __builtin_memset(Program, 0, sizeof(*Program));
  Program->sa_handler = Handler;
  Program->sa_flags = Flags;
  return Before;
}

CAUSAL_INTERPOSER(sighandler_t, signal, (int Signal, sighandler_t Handler),
                  (Signal, Handler)) {
  return setHandler(Signal, Handler, SA_RESTART, [=] { return real_signal(Signal, Handler); });
}

// System V's way, which strict C gets under the name signal().
CAUSAL_INTERPOSER(sighandler_t, __sysv_signal, (int Signal, sighandler_t Handler),
                  (Signal, Handler)) {
  return setHandler(Signal, Handler, static_cast<int>(SA_RESETHAND | SA_NODEFER),
                    [=] { return real___sysv_signal(Signal, Handler); });
}

// Whether the kernel holds the sampler's signal back from this thread: it is in a handler
// whose mask has it.
static bool isHeldBack() {
  uint64_t Mask = 0;
  systemCall(SYS_rt_sigprocmask, SIG_BLOCK, 0, word(&Mask), sizeof(Mask));
  return Mask >> (samplerSignal() - 1) & 1;
}

static bool isOnAlternativeStack() {
  stack_t Stack;
  return systemCall(SYS_sigaltstack, 0, word(&Stack)) == 0 && Stack.ss_flags & SS_ONSTACK;
}

// In such a handler the kernel's mask is the program's, and restored when it returns. Only on
// an alternative stack, which may have no room for a sample, it stays shut.
template <typename Function>
static int changeMaskInHandler(const Thread &T, int How, const sigset_t *Set, sigset_t *Old,
                               Function Change) {
  sigset_t Copy;
  bool OnAlternative = isOnAlternativeStack();
  if (Set && OnAlternative && How != SIG_BLOCK) {
    Copy = *Set;
    How == SIG_SETMASK ? sigaddset(&Copy, samplerSignal()) : sigdelset(&Copy, samplerSignal());
    Set = &Copy;
  }
  int Error = Change(Set);
  if (!Error && Old && OnAlternative && !T.HidesSamplerSignal)
    sigdelset(Old, samplerSignal());
  return Error;
}

static void setHidden(Thread &T, bool Hides) {
  if (T.HidesSamplerSignal == Hides || !inOwnProcess()) // A child of vfork has our memory.
    return;
  T.HidesSamplerSignal = Hides;
  if (Hides || !T.HasDeferred)
    return;
  T.HasDeferred = false;
  sendToSelf(T.Deferred);
}

// Change(Set) applies a new mask with libc's function. The program's wish about the
// sampler's signal is remembered, and is what it gets to see.
template <typename Function>
static int changeMask(int How, const sigset_t *Set, sigset_t *Old,
                      Function Change) {
  WithoutSamplerSignal Blocked(Set);
  Thread *T = currentThread();
  // A thread that is not sampled, and the child of vfork, have nothing to keep open.
  if (!T || !samplerSignal() || (Blocked.removed() && !inOwnProcess()))
    return Change(Set);
  if (isHeldBack())
    return changeMaskInHandler(*T, How, Set, Old, Change);
  const sigset_t *Mask = How == SIG_UNBLOCK ? Set : Blocked.get();
  bool Hid = T->HidesSamplerSignal;
  int Error = Change(Mask);
  if (Error)
    return Error;
  if (Old && Hid)
    sigaddset(Old, samplerSignal());
  if (Set && How == SIG_SETMASK)
    setHidden(*T, Blocked.removed());
  else if (Set && Blocked.removed())
    setHidden(*T, How == SIG_BLOCK);
  return Error;
}

CAUSAL_INTERPOSER(int, pthread_sigmask,
                  (int How, const sigset_t *Set, sigset_t *Old),
                  (How, Set, Old)) {
  return changeMask(How, Set, Old, [=](const sigset_t *Mask) {
    return real_pthread_sigmask(How, Mask, Old);
  });
}

CAUSAL_INTERPOSER(int, sigprocmask,
                  (int How, const sigset_t *Set, sigset_t *Old),
                  (How, Set, Old)) {
  return changeMask(How, Set, Old, [=](const sigset_t *Mask) {
    return real_sigprocmask(How, Mask, Old);
  });
}
