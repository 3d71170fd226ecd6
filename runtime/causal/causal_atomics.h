//===- causal_atomics.h - Waits for atomic variables ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the calls do that the pass inserts: around loops that spin, before atomic stores
// and updates that may end such a wait, and before calls through pointers.
//
// Context: as causal_sync.h.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ATOMICS_H
#define CAUSAL_ATOMICS_H

#include "causal/causal_sync.h"

namespace __causal {

/// Stands for all atomic variables that threads spin on.
constexpr uintptr_t StoreObject = 0x53746f72;

/// The calling thread is about to look for what it spins for, a lock most likely: who pays
/// once it has that holds up others. (On shared cores a pause would be free in the wait.)
inline void beforeSpin() {
  if (CausalThread *T = causalThread(); T && !run().Scheduler.Delays.sharesCores())
    payForLock(*T);
}

CAUSAL_SLOW void spinSlow(CausalThread &T);
/// The calling thread waits by spinning, and nothing that it does accrues (law 11). It
/// pays at once, in every round: it is for this that the others' pauses would wait.
inline void spin() {
  CausalThread *T = causalThread();
  if (!T)
    return;
  bool Begins = !T->Spinning;
  T->Spinning = 1;
  ++T->SpinRounds;
  if (Begins) {
    T->SpinRounds = 1;
    beforePart(*T);
  }
  if (T->Blocked) // The program tells of this wait itself, and it is credited for it.
    return;
  if (owes(*T) || !run().Accruing.empty())
    spinSlow(*T);
}
/// Rounds of some tens of nanoseconds.
constexpr uint32_t ShortWait = 1000;
/// It has what it waited for, behind the loop at Place. If that was there already, this is a
/// meeting as a free lock is.
inline void spun(uintptr_t Place) {
  CausalThread *T = causalThread();
  if (!T)
    return;
  if (T->Spinning) {
    T->Delay.Slice.waitEnded(T->SpinRounds > ShortWait);
    if (T->ManyLocks) {
      T->Spinning = 0;
      return run().isExperimenting() ? resumeSlow(*T) : void();
    }
  } else if (++T->SpinLocks; __builtin_expect(!T->LocksMeet, 1)) {
    return;
  }
  goOnWoken(*T, StoreObject, Place);
}

/// Law 3: an atomic store at Place may be what another thread spins for. It has paid for
/// itself, so there is nothing to credit.
inline void beforeStore(uintptr_t Place) {
  CausalThread *T = causalThread();
  if (__builtin_expect(!T, 0))
    return;
  ++T->Stores;
  if (__builtin_expect(T->StoresMeet, 0)) {
    payToMeet(*T);
    noteWaking(*T, StoreObject);
    goOn(*T, Place);
  } else if (!T->ManyLocks) { // Else it most likely gives one back.
    pay(*T);
  }
}

CAUSAL_SLOW void updateSlow(CausalThread &T, uintptr_t Place);
/// Law 3: so may be an atomic update: the count of who has arrived, a lock given back.
/// Most count something else, so it is no meeting. But what a thread does before and after
/// it is told apart (law 11): it may be how threads of a library meet whose waits are not seen.
inline void beforeUpdate(uintptr_t Place) {
  CausalThread *T = causalThread();
  if (__builtin_expect(!T, 0))
    return;
  ++T->Updates;
  if (__builtin_expect(owes(*T) || T->UpdatesMeet, 0))
    updateSlow(*T, Place);
}

CAUSAL_SLOW void dispatchSlow(CausalThread &T, uintptr_t Function);
/// Whoever meets others in a function, and calls Function there, may have been given it to
/// do. It is told apart (law 11), and from what others are that the thread is woken for.
inline void beforeDispatch(uintptr_t Function) {
  CausalThread *T = causalThread();
  if (__builtin_expect(!T, 0))
    return;
  ++T->Dispatches;
  if (__builtin_expect(T->DispatchesTold, 0))
    dispatchSlow(*T, Function);
}

} // namespace __causal

#endif // CAUSAL_ATOMICS_H
