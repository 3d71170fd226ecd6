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
#include "base/causal_process.h"
#include "base/causal_syscall.h"
#include "causal/causal_sync.h"
#include "intercept/causal_descriptor_sync.h"
#include "intercept/causal_interceptors.h"
#include "sampler/causal_sampler.h"
#include "sampler/causal_signal_mask.h"
#include "sampler/causal_signal_stack.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

using namespace __causal;

//===-- Wake-ups ----------------------------------------------------------===//

CAUSAL_INTERCEPTOR(int, kill, (pid_t Pid, int Signal), (Pid, Signal)) {
  beforeSignal(Signal);
  return real_kill(Pid, Signal);
}

CAUSAL_INTERCEPTOR(int, pthread_kill, (pthread_t Id, int Signal), (Id, Signal)) {
  beforeSignal(Signal);
  return real_pthread_kill(Id, numberToThread(Signal));
}

CAUSAL_INTERCEPTOR(int, pthread_sigqueue, (pthread_t Id, int Signal, const union sigval Value),
                   (Id, Signal, Value)) {
  beforeSignal(Signal);
  return real_pthread_sigqueue(Id, numberToThread(Signal), Value);
}

CAUSAL_INTERCEPTOR(int, sigqueue, (pid_t Pid, int Signal, const union sigval Value),
                   (Pid, Signal, Value)) {
  beforeSignal(Signal);
  return real_sigqueue(Pid, Signal, Value);
}

namespace {
/// A set of signals that the program waits for: the stand-in for the sampler's number, which
/// the kernel delivers to our handler.
class AwaitedSignals {
public:
  explicit AwaitedSignals(const sigset_t *Set)
      : Mask(Set, has(Set, StandInSignal) ? signalBit(StandInSignal) : 0),
        Number(has(Set, samplerSignal()) ? samplerSignal() : 0) {}

  const sigset_t *get() const { return Mask.get(); }
  /// Has got Signal (below 0: none), with this Info. As the program knows it.
  int asProgram(int Signal, siginfo_t *Info) const {
    // It came as the wait began, and was sent on.
    if (Signal < 0 && errno == EINTR && Number && takePending(signalBit(StandInSignal), Info))
      Signal = StandInSignal;
    if (Signal != StandInSignal || !Number)
      return Signal;
    return Info->si_signo = Number;
  }

private:
  KernelMask Mask;
  int Number;
};
} // namespace

// Signals: those that are not in Set.
template <typename Function>
static int waitForSignal(const sigset_t *Set, siginfo_t *Info, BreaksOff Signals, Function Wait) {
  AwaitedSignals Awaited(Set);
  siginfo_t Own;
  if (!Info)
    Info = &Own;
  if (CausalThread *T = causalThread();
      T && payToWait(*T, Signals) && !(pendingSignals() & firstWord(*Awaited.get())))
    return brokenOff<int>();
  beforeBlock();
  int Signal = Awaited.asProgram(Wait(Awaited.get(), Info), Info);
  afterBlock(signalObject(Signal), Signal > 0);
  return Signal;
}

CAUSAL_WAITS(Wait, anySignalObject(), CAUSAL_INTERCEPTOR, int, sigwaitinfo,
             (const sigset_t *Set, siginfo_t *Info), (Set, Info)) {
  return waitForSignal(Set, Info, BreaksOff::Always, [](const sigset_t *Awaited, siginfo_t *Got) {
    return blocking_sigwaitinfo(Awaited, Got);
  });
}

CAUSAL_WAITS(Wait, anySignalObject(), CAUSAL_INTERCEPTOR, int, sigtimedwait,
             (const sigset_t *Set, siginfo_t *Info, const struct timespec *Timeout),
             (Set, Info, Timeout)) {
  bool Waits = !Timeout || Timeout->tv_sec || Timeout->tv_nsec;
  return waitForSignal(Set, Info, Waits ? BreaksOff::Always : BreaksOff::Never,
                       [=](const sigset_t *Awaited, siginfo_t *Got) {
                         return blocking_sigtimedwait(Awaited, Got, Timeout);
                       });
}

// glibc's own goes on after a handler.
#pragma clang diagnostic ignored "-Wunused-function"
CAUSAL_INTERCEPTOR(int, sigwait, (const sigset_t *Set, int *Signal), (Set, Signal)) {
  siginfo_t Info;
  int Got;
  do
    Got = waitForSignal(Set, &Info, BreaksOff::Never, [](const sigset_t *Awaited, siginfo_t *Info) {
      return real_sigwaitinfo(Awaited, Info);
    });
  while (Got < 0 && errno == EINTR);
  if (Got < 0)
    return errno;
  *Signal = Got;
  return 0;
}

CAUSAL_WAITS(Wait, anySignalObject(), CAUSAL_INTERCEPTOR, int, sigsuspend, (const sigset_t *Mask),
             (Mask)) {
  MaskForWait Open(Mask);
  beforeBlock();
  int Result = blocking_sigsuspend(Open.get());
  afterBlock(anySignalObject(), /*Woken=*/true);
  return Result;
}

CAUSAL_WAITS(Wait, anySignalObject(), CAUSAL_WEAK_INTERPOSER, int, pause, (void), ()) {
  if (CausalThread *T = causalThread(); T && payToWait(*T, BreaksOff::Always))
    return brokenOff<int>();
  beforeBlock();
  int Result = blocking_pause();
  afterBlock(anySignalObject(), /*Woken=*/true);
  return Result;
}

//===-- Actions -----------------------------------------------------------===//

// An alternative stack may have no room for a sample. And who reports a crash may do what it
// likes with all of memory, ours among it (Redis turns its bits over, and back). Who leaves
// such a handler by a plain longjmp, for which SA_NODEFER is, must not be left blocked.
static bool mustNotBeSampled(int Signal, const struct sigaction &Action) {
  if (Action.sa_flags & SA_ONSTACK)
    return true;
  if (Action.sa_handler == SIG_DFL || Action.sa_handler == SIG_IGN ||
      (Action.sa_flags & SA_NODEFER && !(Action.sa_flags & static_cast<int>(SA_RESETHAND))))
    return false;
  switch (Signal) {
  case SIGSEGV:
  case SIGBUS:
  case SIGILL:
  case SIGFPE:
  case SIGABRT:
  case SIGSYS:
    return true;
  default:
    return false;
  }
}

static uint64_t shutBy(int Signal, const struct sigaction &Action) {
  return mustNotBeSampled(Signal, Action) ? signalBit(samplerSignal()) : 0;
}

// Of a signal that the runtime handles, with the program's Action behind it. Other
// processes than our own (children of vfork) have what the kernel has.
static void changeOwnAction(int Signal, struct sigaction *Action, const struct sigaction *New,
                            struct sigaction *Old) {
  struct sigaction Before = *Action;
  bool Own = inOwnProcess();
  struct sigaction Kernel;
  if (!Own && realSigaction(Signal, nullptr, &Kernel) == 0 && !isRuntimeHandler(Kernel))
    Before = Kernel;
  constexpr int Restorer = 0x04000000; // SA_RESTORER, which glibc sets and tells.
  if (New && Own) {
    *Action = *New;
    Action->sa_flags |= Restorer;
    updateStandIn();
  } else if (New)
    realSigaction(Signal, New, nullptr);
  if (Old)
    *Old = Before;
}

CAUSAL_INTERPOSER(int, sigaction, (int Signal, const struct sigaction *New, struct sigaction *Old),
                  (Signal, New, Old)) {
  if (struct sigaction *Action = programAction(Signal)) {
    changeOwnAction(Signal, Action, New, Old);
    return 0;
  }
  struct sigaction Copy;
  bool LacksOnStack = lacksOnStack(Signal), Own = New && samplerSignal() && inOwnProcess();
  if (New && samplerSignal()) {
    Copy = *New;
    Copy.sa_mask = *KernelMask(&New->sa_mask, shutBy(Signal, *New)).get();
    New = &Copy;
  }
  if (Own)
    beforeAction(Signal, Copy);
  int Result = real_sigaction(Signal, New, Old);
  if (Own)
    afterAction(Signal);
  if (Result || !Old)
    return Result;
  showToProgram(Old->sa_mask);
  if (LacksOnStack)
    Old->sa_flags |= SA_ONSTACK;
  return Result;
}

int __causal::realSigaction(int Signal, const struct sigaction *New, struct sigaction *Old) {
  return real_sigaction(Signal, New, Old);
}

template <typename Function>
static sighandler_t setHandler(int Signal, sighandler_t Handler, int Flags, Function Real) {
  if (struct sigaction *Action = programAction(Signal)) {
    struct sigaction New = {}, Old;
    New.sa_handler = Handler;
    New.sa_flags = Flags;
    if (!(Flags & SA_NODEFER)) // So does libc's own, which sigaction() tells.
      sigaddset(&New.sa_mask, Signal);
    changeOwnAction(Signal, Action, &New, &Old);
    return Old.sa_handler;
  }
  sighandler_t Before = Real();
  if (inOwnProcess())
    forgetOnStack(Signal);
  struct sigaction Set;
  if (Before == SIG_ERR || realSigaction(Signal, nullptr, &Set))
    return Before;
  if (uint64_t Shut = shutBy(Signal, Set)) {
    setFirstWord(Set.sa_mask, firstWord(Set.sa_mask) | Shut);
    realSigaction(Signal, &Set, nullptr);
  }
  return Before;
}

CAUSAL_INTERPOSER(sighandler_t, signal, (int Signal, sighandler_t Handler), (Signal, Handler)) {
  return setHandler(Signal, Handler, SA_RESTART, [=] { return real_signal(Signal, Handler); });
}
CAUSAL_INTERPOSER(sighandler_t, ssignal, (int Signal, sighandler_t Handler), (Signal, Handler)) {
  return setHandler(Signal, Handler, SA_RESTART, [=] { return real_ssignal(Signal, Handler); });
}

// System V's way, which strict C gets under the name signal().
CAUSAL_INTERPOSER(sighandler_t, __sysv_signal, (int Signal, sighandler_t Handler),
                  (Signal, Handler)) {
  return setHandler(Signal, Handler, static_cast<int>(SA_RESETHAND | SA_NODEFER),
                    [=] { return real___sysv_signal(Signal, Handler); });
}

void __causal::handBackSignals() {
  int Sampler = samplerSignal();
  if (!Sampler)
    return;
  dropPendingSamples();
  allowSignalStacks();
  for (int Signal = 1; Signal <= 64; ++Signal) {
    struct sigaction Action;
    if (realSigaction(Signal, nullptr, &Action))
      continue;
    if (isRuntimeHandler(Action))
      Action = *programAction(Signal);
    else if (Action.sa_handler == SIG_DFL || Action.sa_handler == SIG_IGN)
      continue;
    else
      setFirstWord(Action.sa_mask, maskForProgram(firstWord(Action.sa_mask), Sampler));
    realSigaction(Signal, &Action, nullptr);
  }
  setKernelMask(maskForProgram(kernelMask(), Sampler));
  forgetSampler();
}

//===-- Alternative stacks ------------------------------------------------===//

CAUSAL_INTERPOSER(int, sigaltstack, (const stack_t *New, stack_t *Old), (New, Old)) {
  return changeSignalStack(New, Old,
                           [](const stack_t *N, stack_t *O) { return real_sigaltstack(N, O); });
}

long __causal::stackBySystemCall(long New, long Old) {
  return interposed_sigaltstack(reinterpret_cast<const stack_t *>(New),
                                reinterpret_cast<stack_t *>(Old));
}

//===-- Masks -------------------------------------------------------------===//

// Change(How, Set) applies a new mask with libc's function. In a handler on an alternative
// stack the sampler stays shut out; where one was left by a jump it is let in again.
template <typename Function>
static int changeMask(int How, const sigset_t *Set, sigset_t *Old, Function Change) {
  uint64_t Sampler = signalBit(samplerSignal()), Also = 0;
  if (Set && Sampler && How != SIG_BLOCK && kernelMask() & Sampler) {
    bool StaysShut = isOnSignalStack();
    if (StaysShut == (How == SIG_SETMASK))
      Also = Sampler;
  }
  int Error = Change(KernelMask(Set, Also).get());
  if (!Error && Old)
    showToProgram(*Old);
  return Error;
}

CAUSAL_INTERPOSER(int, pthread_sigmask, (int How, const sigset_t *Set, sigset_t *Old),
                  (How, Set, Old)) {
  return changeMask(How, Set, Old,
                    [=](const sigset_t *Mask) { return real_pthread_sigmask(How, Mask, Old); });
}

CAUSAL_INTERPOSER(int, sigprocmask, (int How, const sigset_t *Set, sigset_t *Old),
                  (How, Set, Old)) {
  return changeMask(How, Set, Old,
                    [=](const sigset_t *Mask) { return real_sigprocmask(How, Mask, Old); });
}

CAUSAL_INTERPOSER(int, sigpending, (sigset_t * Pending), (Pending)) {
  int Result = real_sigpending(Pending);
  if (int Sampler = samplerSignal(); !Result && Sampler) {
    uint64_t Word = firstWord(*Pending);
    uint64_t Others = Word & ~(signalBit(Sampler) | signalBit(StandInSignal));
    setFirstWord(*Pending, Word & signalBit(StandInSignal) ? Others | signalBit(Sampler) : Others);
  }
  return Result;
}

CAUSAL_INTERPOSER(int, pthread_attr_setsigmask_np,
                  (pthread_attr_t * Attributes, const sigset_t *Mask), (Attributes, Mask)) {
  return real_pthread_attr_setsigmask_np(Attributes, KernelMask(Mask).get());
}
CAUSAL_INTERPOSER(int, pthread_attr_getsigmask_np,
                  (const pthread_attr_t *Attributes, sigset_t *Mask), (Attributes, Mask)) {
  int Result = real_pthread_attr_getsigmask_np(Attributes, Mask);
  if (!Result)
    showToProgram(*Mask);
  return Result;
}

//===-- System V's functions for both -------------------------------------===//

static int changeOne(int How, int Signal) {
  sigset_t Set;
  sigemptyset(&Set);
  return sigaddset(&Set, Signal) ? -1 : interposed_sigprocmask(How, &Set, nullptr);
}

CAUSAL_INTERPOSER(int, sighold, (int Signal), (Signal)) { return changeOne(SIG_BLOCK, Signal); }
CAUSAL_INTERPOSER(int, sigrelse, (int Signal), (Signal)) { return changeOne(SIG_UNBLOCK, Signal); }
CAUSAL_INTERPOSER(int, sigignore, (int Signal), (Signal)) {
  struct sigaction Ignore = {};
  Ignore.sa_handler = SIG_IGN;
  return interposed_sigaction(Signal, &Ignore, nullptr);
}

// Returns SIG_HOLD where the signal was blocked.
CAUSAL_INTERPOSER(sighandler_t, sigset, (int Signal, sighandler_t Handler), (Signal, Handler)) {
  const auto Hold = reinterpret_cast<sighandler_t>(2);
  struct sigaction *Action = programAction(Signal);
  if (!Action) {
    if (inOwnProcess())
      forgetOnStack(Signal);
    return real_sigset(Signal, Handler);
  }
  struct sigaction New = {}, Old;
  New.sa_handler = Handler;
  changeOwnAction(Signal, Action, Handler == Hold ? nullptr : &New, &Old);
  sigset_t Before;
  interposed_sigprocmask(SIG_BLOCK, nullptr, &Before);
  changeOne(Handler == Hold ? SIG_BLOCK : SIG_UNBLOCK, Signal);
  return has(&Before, Signal) ? Hold : Old.sa_handler;
}
