//===- causal_sync.h - Delays where threads wait for each other --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every wrapper of a synchronisation function does around the real call; the
// wrappers themselves only say which object and whether a wait was ended by
// another thread. See the law of delays in docs/internals/law-of-delays.md.
//
// Context: any thread, registered or not; not the sample handler. No errno, no
// cancellation point, no lock. The fast paths are a few loads and compares.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SYNC_H
#define CAUSAL_SYNC_H

#include "base/causal_platform.h"
#include "causal/causal_run.h"
#include "causal/causal_thread_part.h"
#include "causal/section/causal_critical_section.h"

#include <errno.h>

namespace __causal {

/// The object that join waits for, and that signals to a process are sent to.
inline uintptr_t threadObject(unsigned long PthreadSelf) { return PthreadSelf; }
inline uintptr_t signalObject(int Signal) { return 0x51600000u + static_cast<unsigned>(Signal); }
/// For waits that do not say by which signal they ended. An earlier one's sender had paid no
/// more than the waiter, so it does not matter.
inline uintptr_t anySignalObject() { return signalObject(0); }

// The convention keeps the callers' fast paths free of saved registers.
#define CAUSAL_SLOW __attribute__((preserve_most, noinline))

/// What others were delayed by that the calling thread was not, yet. What accrues grows all
/// the time, so a thread has nearly always some, and mostly too little to pay for.
inline uint64_t debt(const CausalThread &T) {
  return run().Scheduler.Delays.total() - T.Delay.local();
}
inline bool owes(const CausalThread &T) {
  return debt(T) + T.Delay.Own > run().Scheduler.Delays.tolerance();
}
CAUSAL_SLOW void paySlow(CausalThread &T);
/// Laws 2 to 4: executes the calling thread's debt.
inline void pay(CausalThread &T) {
  if (__builtin_expect(owes(T), 0))
    paySlow(T);
}
/// The same where threads meet: what accrues to others counts (law 11).
inline void payToMeet(CausalThread &T) {
  if (__builtin_expect(owes(T) || !run().Accruing.empty(), 0))
    paySlow(T);
}

CAUSAL_SLOW void payToUnlockSlow(CausalThread &T, uintptr_t Lock);
CAUSAL_SLOW void outlastPauseSlow(uintptr_t Lock);
CAUSAL_SLOW void suspendSlow(CausalThread &T);
CAUSAL_SLOW void resumeSlow(CausalThread &T);
CAUSAL_SLOW void meetSlow(CausalThread &T, uintptr_t Context);
CAUSAL_SLOW void meetWokenSlow(CausalThread &T, uintptr_t Object, uintptr_t Context,
                               uintptr_t Part);
CAUSAL_SLOW void noteWakingSlow(CausalThread &T, uintptr_t Object);
/// Law 11: the thread is about to wait; and it has met others and goes on in Context.
inline void beforePart(CausalThread &T) {
  if (__builtin_expect(T.Delay.Accruing.any(), 0))
    suspendSlow(T);
}
// Inlined: around a free lock there is to be no call.
__attribute__((always_inline)) inline void goOn(CausalThread &T, uintptr_t Context) {
  T.Spinning = 0;
  if (__builtin_expect(T.Delay.Accruing.any() || run().isExperimenting(), 0))
    return meetSlow(T, Context);
  T.Delay.Accruing.enter(Context);
}
/// What is done behind one wait may be several things, and is told apart by what for the
/// thread has been woken: by where its waker was (and itself is). The waker notes that.
inline void noteWaking(CausalThread &T, uintptr_t Object) {
  if (__builtin_expect(run().isExperimenting(), 0))
    noteWakingSlow(T, Object);
}
/// goOn(), woken by what somebody has done to Object. Part: 0 is by what was noted.
inline void goOnWoken(CausalThread &T, uintptr_t Object, uintptr_t Context, uintptr_t Part = 0) {
  if (__builtin_expect(run().isExperimenting(), 0)) {
    T.Spinning = 0;
    return meetWokenSlow(T, Object, Context, Part);
  }
  goOn(T, Context);
}
/// Before a call that waits, and that a signal breaks off. True if one has come while the
/// thread paused: then the call is not to be made, and fails with EINTR.
inline bool payToWait(CausalThread &T, BreaksOff Signals) {
  T.BrokenOff = false;
  T.CallBreaksOff = Signals;
  payToMeet(T);
  T.CallBreaksOff = BreaksOff::Never;
  return __builtin_expect(T.BrokenOff, 0);
}
template <typename Result> inline Result brokenOff() {
  errno = EINTR;
  return static_cast<Result>(-1);
}
/// What all beginnings of threads, ends of threads and waits on many descriptors have
/// in common. Objects are addresses or have more bits.
enum : uintptr_t { CreateContext = 1, JoinContext, PollContext };
/// Parts of a context: work in a call to the outside world, and what comes after it.
enum : uintptr_t { KernelPart = 1, AfterKernelPart };

/// Law 3, second half: what the thread has paid is what it can give waiters.
inline void publish(const CausalThread &T, const void *Object) {
  run().Credits.publish(reinterpret_cast<uintptr_t>(Object), T.Delay.local());
}

/// A call of the program's that takes a lock or gives it back. An interceptor makes one
/// of the lock's address, for the call that it serves.
struct LockCall {
  uintptr_t Lock;
  uintptr_t Context;  ///< What is done with the lock (law 11).
  uintptr_t PC;       ///< Where the call returns to.
  uintptr_t SP = 0;   ///< And with which stack pointer; 0: not known.
  bool Spins = false; ///< Who waits for the lock stays awake.

  LockCall(const volatile void *Lock, void *PC = __builtin_return_address(0))
      : LockCall(Lock, reinterpret_cast<uintptr_t>(Lock), PC) {}
  LockCall(const volatile void *Lock, uintptr_t Context, void *PC = __builtin_return_address(0))
      : Lock(reinterpret_cast<uintptr_t>(Lock)), Context(Context),
        PC(reinterpret_cast<uintptr_t>(PC)) {}
  static LockCall spinning(const volatile void *Lock, void *PC = __builtin_return_address(0)) {
    LockCall C(Lock, PC);
    C.Spins = true;
    return C;
  }

  void countFor(CausalThread &T) const { ++(Spins ? T.SpinLocks : T.Locks); }
};

inline bool hasLock(int Result) { return Result == 0 || Result == EOWNERDEAD; }

/// Locks are meetings only while it matters and if they are few (LocksMeet): a free one
/// is to cost next to nothing.
inline void payForLock(CausalThread &T) { T.LocksMeet ? payToMeet(T) : pay(T); }
/// The thread has a lock, by this call.
inline void goOnLocked(CausalThread &T, const LockCall &C) {
  if (__builtin_expect(T.LocksMeet, 0))
    goOn(T, C.Context);
  if (__builtin_expect(T.TracksLocks, 0))
    beginSection(T, C.Lock, C.PC, C.SP);
}
/// A lock was asked for with this result.
inline int noteLock(int Result, const LockCall &C) {
  if (CausalThread *T = causalThread(); T && hasLock(Result)) {
    C.countFor(*T);
    goOnLocked(*T, C);
  }
  return Result;
}

/// Law 3: whoever takes Lock next is late by what the one that has it pauses now, whether it
/// waits or not. Who takes many locks pays between them: a pause for a sample is as long as
/// dozens of turns.
inline void payToUnlock(CausalThread &T, uintptr_t Lock) {
  if (T.ManyLocks)
    return;
  if (!T.LocksMeet)
    pay(T);
  else if (__builtin_expect(owes(T) || !run().Accruing.empty(), 0))
    payToUnlockSlow(T, Lock);
}
/// The calling thread is about to give a lock back.
inline void beforeUnlock(const void *Lock) {
  CausalThread *T = causalThread();
  if (__builtin_expect(!T, 0))
    return;
  payToUnlock(*T, reinterpret_cast<uintptr_t>(Lock));
  publish(*T, Lock);
}
/// It has done so.
inline void afterUnlock(const void *Lock) {
  CausalThread *T = causalThread();
  if (__builtin_expect(!T, 0))
    return;
  T->Delay.unlocked();
  if (__builtin_expect(T->LocksMeet, 0))
    goOn(*T, ~reinterpret_cast<uintptr_t>(Lock));
  else if (T->ManyLocks)
    pay(*T);
}
/// The same for a lock that is no meeting. Here and below: only where critical sections
/// are the targets is there anything to do.
inline void enterSection(const LockCall &C) {
  if (CausalThread *T = causalThread(); T && __builtin_expect(T->TracksLocks, 0))
    beginSection(*T, C.Lock, C.PC, C.SP);
}
/// What it did with the lock is done, whatever giving it back takes.
inline void leaveSection(const LockCall &C) {
  if (CausalThread *T = causalThread(); T && __builtin_expect(T->TracksLocks, 0))
    endSection(*T, C.Lock, C.PC);
}
template <typename Function> inline int unlock(const LockCall &C, Function Unlock) {
  const void *Lock = reinterpret_cast<const void *>(C.Lock);
  beforeUnlock(Lock);
  leaveSection(C);
  int Result = Unlock();
  afterUnlock(Lock);
  return Result;
}

/// Law 3: the calling thread is about to do what may wake a waiter on Object.
inline void beforeWake(uintptr_t Object) {
  CausalThread *T = causalThread();
  if (__builtin_expect(!T, 0))
    return;
  payToMeet(*T);
  run().Credits.publish(Object, T->Delay.local());
  noteWaking(*T, Object);
  goOn(*T, Object);
}

/// The same, for an object that waiters know by its address.
inline void beforeWake(const void *Object) { beforeWake(reinterpret_cast<uintptr_t>(Object)); }

/// Law 2, where a thread asks whether it would have to wait: it owes as usual.
inline void beforeTry() {
  if (CausalThread *T = causalThread())
    pay(*T);
}
template <typename Function> inline int tryLock(const LockCall &C, Function Try) {
  if (CausalThread *T = causalThread())
    payForLock(*T);
  return noteLock(Try(), C);
}

CAUSAL_SLOW void leaveCoreSlow(CausalThread &T);
/// The thread is about to wait, and will go on by goOn().
inline void waits(CausalThread &T) {
  T.Delay.waits();
  if (__builtin_expect(T.Delay.On != nullptr, 0))
    leaveCoreSlow(T);
}

/// Law 4, first half: the calling thread may block until another thread acts.
inline void beforeBlock() {
  if (CausalThread *T = causalThread()) {
    payToMeet(*T);
    beforePart(*T);
    T->Blocked = 1;
    waits(*T);
  }
}

/// Law 4, second half. Woken: another thread of the program ended the wait, not a
/// timeout or an error. Context: 0 is that of the object.
inline void afterBlock(uintptr_t Object, bool Woken, uintptr_t Context = 0, uintptr_t Part = 0) {
  if (CausalThread *T = causalThread()) {
    T->Blocked = 0;
    if (!Context)
      Context = ~Object;
    if (!Woken)
      return goOn(*T, Context);
    T->Delay.credit(run().Credits.get(Object));
    goOnWoken(*T, Object, Context, Part);
  }
}

CAUSAL_SLOW OutsidePoint goOutSlow(CausalThread &T);
CAUSAL_SLOW void cameBackSlow(CausalThread &T, OutsidePoint Before);
CAUSAL_SLOW void enterKernelSlow(CausalThread &T);
CAUSAL_SLOW void leftKernelSlow(CausalThread &T);
template <typename Function, typename Test>
__attribute__((noinline)) auto waitOutsideSlow(Function Call, BreaksOff Signals, Test Waits) {
  CausalThread *T = causalThread();
  if (!T || T->Blocked) // The program's own way to wait for another thread.
    return Call();
  ++T->Waits;
  if (!T->ProlongsWaits)
    return Call();
  bool MayWork = Signals != BreaksOff::Always;
  if (MayWork && T->Delay.InKernel.isMostOfIt()) {
    enterKernelSlow(*T);
    T->Outside = OutsideCall::Works;
    auto Result = Call();
    T->Outside = OutsideCall::None;
    leftKernelSlow(*T);
    return Result;
  }
  T->BrokenOff = false;
  T->CallBreaksOff = Signals;
  OutsidePoint Before = goOutSlow(*T);
  T->CallBreaksOff = BreaksOff::Never;
  T->Outside = MayWork ? OutsideCall::MayWait : OutsideCall::Waits;
  auto Result = T->BrokenOff && Waits() ? brokenOff<decltype(Call())>() : Call();
  cameBackSlow(*T, Before);
  T->Outside = OutsideCall::None;
  return Result;
}
/// Laws 5 and 11: Call may wait for the outside world. Nothing accrues meanwhile, and what
/// the thread comes to owe makes the wait longer. But only if such calls are few, since
/// each then takes several looks at the clock. Signals break it off if it Waits(). Where most
/// such calls of a thread work in the kernel, delay accrues in them as in a part of its own.
template <typename Function, typename Test>
inline auto waitOutside(const Function &Call, BreaksOff Signals, const Test &Waits) {
  if (__builtin_expect(run().isExperimenting(), 0))
    return waitOutsideSlow(Call, Signals, Waits);
  return Call();
}
template <typename Function> inline auto waitOutside(Function Call) {
  return waitOutside(Call, BreaksOff::Never, [] { return false; });
}

/// Credits T with what the last waker on Object had paid, less hits before Since (0: not
/// known), when it came to wait: they are what held the waker up, and T was at work.
CAUSAL_SLOW void creditSlow(CausalThread &T, uintptr_t Object, uint64_t Since);

/// Both halves of law 4 around Wait, which waits for Object and returns 0 (or
/// EOWNERDEAD) when it is had. Whether it had to wait is not known, and need not be:
/// a thread has paid before, so only what others did meanwhile is left to credit,
/// and when nobody did anything this is a compare. Meets: the thread goes on in Context, and
/// what that is to it hangs on who Wakes it.
template <typename Function>
inline int waitFor(CausalThread &T, const void *Object, bool Meets, uintptr_t Context,
                   Function Wait, bool Wakes = false) {
  Meets ? payToMeet(T) : pay(T);
  bool Accrued = T.Delay.Accruing.any();
  beforePart(T);
  T.Blocked = 1;
  Meets ? waits(T) : T.Delay.waits();
  uint64_t Since = !Wakes && run().isExperimenting() ? now() : 0; // Of locks only.
  int Result = Wait();
  T.Blocked = 0;
  if (__builtin_expect(debt(T), 0) && hasLock(Result))
    creditSlow(T, reinterpret_cast<uintptr_t>(Object), Since);
  if (Meets)
    Wakes ? goOnWoken(T, reinterpret_cast<uintptr_t>(Object), Context) : goOn(T, Context);
  else if (__builtin_expect(Accrued, 0))
    resumeSlow(T);
  return Result;
}
/// Whoever comes for Lock first, while its holder pauses before it gives it back, stays awake
/// until that pause is over: a futex would wake it much later.
template <typename Function> inline int outlastPause(uintptr_t Lock, Function Wait) {
  CreditTable &Locks = run().Credits;
  if (Locks.beginWait(Lock) && Locks.isPausing(Lock))
    outlastPauseSlow(Lock);
  int Result = Wait();
  Locks.endWait(Lock);
  return Result;
}
/// Wait, which sleeps for a lock that is taken, is counted.
template <typename Function> inline int countWait(Function Wait) {
  if (!run().isExperimenting())
    return Wait();
  uint64_t Since = now();
  int Result = Wait();
  run().noteLockWait(now() - Since);
  return Result;
}
/// waitFor() of a lock.
template <typename Function> inline int waitForLock(const LockCall &C, Function Wait) {
  CausalThread *T = causalThread();
  if (__builtin_expect(!T, 0))
    return Wait();
  C.countFor(*T);
  int Result = waitFor(*T, reinterpret_cast<const void *>(C.Lock), T->LocksMeet, C.Context, [&] {
    auto Counted = [&] { return C.Spins ? Wait() : countWait(Wait); };
    return T->LocksMeet ? outlastPause(C.Lock, Counted) : Counted();
  });
  if (__builtin_expect(T->TracksLocks, 0) && hasLock(Result))
    beginSection(*T, C.Lock, C.PC, C.SP);
  return Result;
}
template <typename Function>
__attribute__((noinline)) int waitForTakenLock(const LockCall &C, Function Wait) {
  return waitForLock(C, Wait);
}
/// And for one that can be tried first: a free one takes no look at the clock.
template <typename TryFunction, typename Function>
inline int waitForLock(const LockCall &C, TryFunction Try, Function Wait) {
  if (CausalThread *T = causalThread()) {
    payForLock(*T);
    if (Try() == 0)
      return noteLock(0, C);
  }
  return waitForTakenLock(C, Wait);
}
/// And for a mutex, which is nobody's until who was woken for it has come.
template <typename Function> inline int waitForMutex(const LockCall &C, Function Wait) {
  int Result = waitForLock(C, Wait);
  if (CausalThread *T = causalThread(); T && hasLock(Result))
    T->Delay.locked(run().Scheduler.Delays);
  return Result;
}
/// And for anything else.
template <typename Function> inline int waitFor(const void *Object, Function Wait) {
  CausalThread *T = causalThread();
  return T ? waitFor(*T, Object, /*Meets=*/true, ~reinterpret_cast<uintptr_t>(Object), Wait,
                     /*Wakes=*/true)
           : Wait();
}

/// A wait on Condition that gives Mutex to others meanwhile and takes it back, which
/// may take another wait.
template <typename Function>
inline int waitGivingAway(const void *Condition, const LockCall &Mutex, Function Wait) {
  beforeUnlock(reinterpret_cast<const void *>(Mutex.Lock));
  CausalThread *T = causalThread();
  if (T && __builtin_expect(T->TracksLocks, 0))
    nameSection(*T, Mutex.Lock, Mutex.PC);
  beforeBlock();
  int Result = Wait();
  if (T && Result == 0)
    T->Delay.credit(run().Credits.get(Mutex.Lock));
  afterBlock(reinterpret_cast<uintptr_t>(Condition), Result == 0);
  if (T)
    T->Delay.locked(run().Scheduler.Delays);
  return Result;
}

} // namespace __causal

#endif // CAUSAL_SYNC_H
