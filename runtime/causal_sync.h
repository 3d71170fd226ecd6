//===- causal_sync.h - Delays where threads wait for each other --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every wrapper of a synchronisation function does around the real call; the
// wrappers themselves only say which object and whether a wait was ended by
// another thread. See the law of delays in docs/how-it-works.md.
//
// Context: any thread, registered or not; not the sample handler. No errno, no
// cancellation point, no lock. The fast paths are two loads and a compare.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SYNC_H
#define CAUSAL_SYNC_H

#include "causal_run.h"
#include "causal_thread.h"

#include <errno.h>

namespace __causal {

/// The object that join waits for, and that signals to a process are sent to.
inline uintptr_t threadObject(unsigned long PthreadSelf) { return PthreadSelf; }
inline uintptr_t signalObject(int Signal) {
  return 0x51600000u + static_cast<unsigned>(Signal);
}

/// The convention keeps the callers' fast paths free of saved registers.
__attribute__((preserve_most, noinline)) void paySlow(Thread &T);
/// Laws 2 to 4: executes the calling thread's debt.
inline void pay(Thread &T) {
  if (__builtin_expect(T.Delay.local() != run().Scheduler.Delays.total(), 0))
    paySlow(T);
}

/// Law 3: the calling thread is about to do what may wake a waiter on Object.
inline void beforeWake(uintptr_t Object) {
  Thread *T = currentThread();
  if (__builtin_expect(!T, 0))
    return;
  pay(*T);
  run().Credits.publish(Object, T->Delay.local());
}

/// The same, for an object that waiters know by its address.
inline void beforeWake(const void *Object) {
  beforeWake(reinterpret_cast<uintptr_t>(Object));
}

/// Law 2, where a thread asks whether it would have to wait: it owes as usual.
inline void beforeTry() {
  if (Thread *T = currentThread())
    pay(*T);
}

/// Law 4, first half: the calling thread may block until another thread acts.
inline void beforeBlock() {
  if (Thread *T = currentThread()) {
    pay(*T);
    T->Blocked = 1;
  }
}

/// Law 4, second half. Woken: another thread of the program ended the wait, not a
/// timeout or an error.
inline void afterBlock(uintptr_t Object, bool Woken) {
  if (Thread *T = currentThread()) {
    T->Blocked = 0;
    if (Woken)
      T->Delay.credit(run().Credits.get(Object));
  }
}

/// Credits T with what the last waker on Object had paid.
__attribute__((preserve_most, noinline)) void creditSlow(Thread &T,
                                                         uintptr_t Object);

/// Both halves of law 4 around Wait, which waits for Object and returns 0 (or
/// EOWNERDEAD) when it is had. Whether it had to wait is not known, and need not be:
/// a thread has paid before, so only what others did meanwhile is left to credit,
/// and when nobody did anything this is a compare.
template <typename Function>
inline int waitFor(const void *Object, Function Wait) {
  Thread *T = currentThread();
  if (__builtin_expect(!T, 0))
    return Wait();
  pay(*T);
  T->Blocked = 1;
  int Result = Wait();
  T->Blocked = 0;
  if (__builtin_expect(T->Delay.local() != run().Scheduler.Delays.total(), 0) &&
      (Result == 0 || Result == EOWNERDEAD))
    creditSlow(*T, reinterpret_cast<uintptr_t>(Object));
  return Result;
}

/// A wait on Condition that gives Mutex to others meanwhile and takes it back, which
/// may take another wait.
template <typename Function>
inline int waitGivingAway(const void *Condition, const void *Mutex,
                          Function Wait) {
  beforeWake(Mutex);
  beforeBlock();
  int Result = Wait();
  afterBlock(reinterpret_cast<uintptr_t>(Condition), Result == 0);
  afterBlock(reinterpret_cast<uintptr_t>(Mutex), Result == 0);
  return Result;
}

} // namespace __causal

#endif // CAUSAL_SYNC_H
