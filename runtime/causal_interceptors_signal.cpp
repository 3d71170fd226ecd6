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
#include "causal_interceptors.h"
#include "causal_sampler.h"
#include "causal_sync.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

using namespace __causal;

//===-- Wake-ups ----------------------------------------------------------===//

CAUSAL_INTERCEPTOR(int, kill, (pid_t Pid, int Signal), (Pid, Signal)) {
  beforeWake(signalObject(Signal));
  return real_kill(Pid, Signal);
}

CAUSAL_INTERCEPTOR(int, pthread_kill, (pthread_t Id, int Signal),
                   (Id, Signal)) {
  beforeWake(signalObject(Signal));
  return real_pthread_kill(Id, Signal);
}

CAUSAL_INTERCEPTOR(int, pthread_sigqueue,
                   (pthread_t Id, int Signal, const union sigval Value),
                   (Id, Signal, Value)) {
  beforeWake(signalObject(Signal));
  return real_pthread_sigqueue(Id, Signal, Value);
}

// A set of signals to wait for or to block, without the sampler's.
class WithoutSamplerSignal {
public:
  explicit WithoutSamplerSignal(const sigset_t *Set) : Set(Set) {
    int Signal = samplerSignal();
    if (!Set || !Signal || sigismember(Set, Signal) != 1)
      return;
    Copy = *Set;
    sigdelset(&Copy, Signal);
    this->Set = &Copy;
    Removed = true;
  }
  const sigset_t *get() const { return Set; }
  bool removed() const { return Removed; }

private:
  const sigset_t *Set;
  sigset_t Copy;
  bool Removed = false;
};

CAUSAL_INTERCEPTOR(int, sigwait, (const sigset_t *Set, int *Signal),
                   (Set, Signal)) {
  WithoutSamplerSignal Waited(Set);
  beforeBlock();
  int Error = real_sigwait(Waited.get(), Signal);
  afterBlock(Error ? 0 : signalObject(*Signal), Error == 0);
  return Error;
}

CAUSAL_INTERCEPTOR(int, sigwaitinfo, (const sigset_t *Set, siginfo_t *Info),
                   (Set, Info)) {
  WithoutSamplerSignal Waited(Set);
  beforeBlock();
  int Signal = real_sigwaitinfo(Waited.get(), Info);
  afterBlock(signalObject(Signal), Signal > 0);
  return Signal;
}

CAUSAL_INTERCEPTOR(int, sigtimedwait,
                   (const sigset_t *Set, siginfo_t *Info,
                    const struct timespec *Timeout),
                   (Set, Info, Timeout)) {
  WithoutSamplerSignal Waited(Set);
  beforeBlock();
  int Signal = real_sigtimedwait(Waited.get(), Info, Timeout);
  afterBlock(signalObject(Signal), Signal > 0);
  return Signal;
}

CAUSAL_INTERCEPTOR(int, sigsuspend, (const sigset_t *Mask), (Mask)) {
  WithoutSamplerSignal Open(Mask);
  beforeBlock();
  int Result = real_sigsuspend(Open.get());
  afterBlock(0, /*Woken=*/false); // By which signal is not known.
  return Result;
}

//===-- The sampler's signal ----------------------------------------------===//

CAUSAL_INTERPOSER(int, sigaction,
                  (int Signal, const struct sigaction *New,
                   struct sigaction *Old),
                  (Signal, New, Old)) {
  if (Signal != samplerSignal() || !Signal)
    return real_sigaction(Signal, New, Old);
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

CAUSAL_INTERPOSER(sighandler_t, signal, (int Signal, sighandler_t Handler),
                  (Signal, Handler)) {
  if (Signal != samplerSignal() || !Signal)
    return real_signal(Signal, Handler);
  struct sigaction *Program = programAction();
  sighandler_t Before = Program->sa_handler;
  __builtin_memset(Program, 0, sizeof(*Program));
  Program->sa_handler = Handler;
  Program->sa_flags = SA_RESTART;
  return Before;
}

// Change(Set) applies a new mask with libc's function. The program's wish about the
// sampler's signal is remembered, and is what it gets to see.
template <typename Function>
static int changeMask(int How, const sigset_t *Set, sigset_t *Old,
                      Function Change) {
  WithoutSamplerSignal Blocked(Set);
  const sigset_t *Mask = How == SIG_UNBLOCK ? Set : Blocked.get();
  int Error = Change(Mask);
  Thread *T = currentThread();
  if (Error || !T || !samplerSignal())
    return Error;
  if (Old && T->HidesSamplerSignal)
    sigaddset(Old, samplerSignal());
  if (Set && How == SIG_SETMASK)
    T->HidesSamplerSignal = Blocked.removed();
  else if (Set && Blocked.removed())
    T->HidesSamplerSignal = How == SIG_BLOCK;
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
