//===- SimulatedSync.cpp - Synchronisation of simulated threads -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each primitive with its wrapper: pay before what may wake or block, publish how
// far the waker has come, credit who was woken. Locks are like futex-based ones: a
// waiter that is woken competes again, and may lose.
//
//===----------------------------------------------------------------------===//
#include "SimulatedThread.h"

#include <utility>

using namespace __causal;

void Simulator::waitIn(Waiters &W) {
  Thread &T = self();
  W.push_back(&T);
  T.Blocked = true;
  suspendAccrual();
  T.Delay.waits();
  T.Delay.leaveCore(Scheduler.Delays);
  block();
  T.Blocked = false;
}

void Simulator::wakeFirst(Waiters &W) {
  if (W.empty())
    return;
  wake(*W.front());
  W.pop_front();
}

void Simulator::wakeAll(Waiters &W) {
  for (Thread *T : W)
    wake(*T);
  W.clear();
}

// As outlastPauseSlow() in causal_sync.cpp: the pause ends when the mutex is given back.
void Simulator::acquire(Mutex &M) {
  if (M.OwnerPauses && M.Waiting.empty() && !Scheduler.Delays.sharesCores())
    waitIn(M.Outlasting);
  while (M.Owner)
    waitIn(M.Waiting);
  M.Owner = &self();
}

void Simulator::release(Mutex &M) {
  M.Owner = nullptr;
  for (Thread *T : M.Outlasting)
    wake(*T, /*Latency=*/0);
  M.Outlasting.clear();
  wakeFirst(M.Waiting);
}

void Simulator::lock(Mutex &M) {
  payForLock();
  bool Waits = M.Owner;
  uint64_t Since = now();
  acquire(M);
  if (Waits) {
    afterBlock(M.Id, Since);
    self().Delay.locked(Scheduler.Delays);
  }
  Options.LocksMeet ? meet(idOf(M.Id)) : goOn();
}

void Simulator::beforeUnlock(Mutex &M) {
  M.OwnerPauses = true;
  beforeUnlock(M.Id);
  M.OwnerPauses = false;
}

void Simulator::unlock(Mutex &M) {
  beforeUnlock(M);
  release(M);
  self().Delay.unlocked();
  Options.LocksMeet ? meet(~idOf(M.Id)) : payForLock();
}

void Simulator::wait(Condition &C, Mutex &M) {
  beforeUnlock(M);
  release(M);
  waitIn(C.Waiting);
  acquire(M);
  afterBlock(C.Id);
  afterBlock(M.Id);
  self().Delay.locked(Scheduler.Delays);
  meet(~idOf(C.Id));
}

void Simulator::signal(Condition &C) {
  beforeWake(C.Id);
  meet(idOf(C.Id));
  wakeFirst(C.Waiting);
}

void Simulator::broadcast(Condition &C) {
  beforeWake(C.Id);
  meet(idOf(C.Id));
  wakeAll(C.Waiting);
}

void Simulator::wait(Barrier &B) {
  beforeWake(B.Id);
  if (B.Arrived.size() + 1 < B.Count)
    waitIn(B.Arrived);
  else
    wakeAll(B.Arrived);
  afterBlock(B.Id);
  meet(~idOf(B.Id));
}

void Simulator::wait(Semaphore &S) {
  pay(tolerance());
  while (!S.Count)
    waitIn(S.Waiting);
  --S.Count;
  afterBlock(S.Id);
  meet(~idOf(S.Id));
}

void Simulator::post(Semaphore &S) {
  beforeWake(S.Id);
  meet(idOf(S.Id));
  ++S.Count;
  wakeFirst(S.Waiting);
}

void Simulator::lockShared(SharedMutex &M) {
  payIfDue();
  ++M.Readers;
  if (M.WritePhase && M.Writer) {
    waitIn(M.WaitingReaders);
    afterBlock(M.Id);
  }
  M.WritePhase = false;
  meet(idOf(M.Id));
}

void Simulator::lock(SharedMutex &M) {
  payIfDue();
  bool Waits = M.Writer || M.Readers;
  while (M.Writer)
    waitIn(M.OtherWriters);
  M.Writer = true;
  if (M.Readers)
    waitIn(M.WaitingWriter);
  M.WritePhase = true;
  if (Waits)
    afterBlock(M.Id);
  meet(idOf(M.Id) + 1);
}

void Simulator::unlockShared(SharedMutex &M) {
  beforeUnlock(M.Id);
  if (--M.Readers == 0 && M.Writer) {
    M.WritePhase = true;
    wakeFirst(M.WaitingWriter);
  }
  meet(~idOf(M.Id));
}

void Simulator::unlock(SharedMutex &M) {
  beforeUnlock(M.Id);
  M.Writer = false;
  if (M.Readers) {
    M.WritePhase = false;
    wakeAll(M.WaitingReaders);
  }
  wakeFirst(M.OtherWriters);
  meet(~idOf(M.Id));
}

void Simulator::set(Flag &F, uint64_t Value) {
  if (Options.SpinLoopsSeen) {
    payIfDue();
    meet(idOf(F.Id));
    spinnersPaid();
  }
  F.Value = Value;
  for (size_t I = Spinning.size(); I--;)
    if (Spinning[I]->SpinsOn == &F)
      interruptSpinning(*Spinning[I]);
}

// As payForUpdateSlow() in causal_sync.cpp.
void Simulator::beforeUpdate() {
  if (Options.SpinLoopsSeen && !core(self()))
    payIfDue();
}

// As spin() and spun() in causal_sync.h. How long a round takes is too little to
// simulate: who spins looks when there may be something to pay.
void Simulator::spinUntil(Flag &F, uint64_t Value, uint32_t Line) {
  Thread &T = self();
  while (F.Value < Value) {
    if (Options.SpinLoopsSeen && !T.Spinning) {
      T.Spinning = true;
      T.RanBeforeSpinning = T.Ran;
      suspendAccrual();
    }
    T.SpinsOn = &F;
    T.LastLook = now();
    T.SpinIndex = Spinning.size();
    Spinning.push_back(&T);
    lookSoon();
    T.UntilSample -= computeUntilInterrupted(T.UntilSample);
    chargeOthers();
    spinnerPaid(T);
    if (T.SpinsOn)
      stopSpinning(T);
    if (!T.UntilSample)
      takeSample(Line);
    if (!T.Spinning)
      continue;
    chargeOthers();
    payOwed(tolerance());
  }
  constexpr uint64_t ShortWait = 30_us;
  if (std::exchange(T.Spinning, false))
    T.Delay.Slice.waitEnded(T.Ran > T.RanBeforeSpinning + ShortWait);
  if (Options.SpinLoopsSeen)
    meet(~idOf(F.Id));
}

void Simulator::interruptSpinning(Thread &T) {
  interrupt(T);
  stopSpinning(T);
}

void Simulator::stopSpinning(Thread &T) {
  T.SpinsOn = nullptr;
  Spinning[T.SpinIndex] = Spinning.back();
  Spinning[T.SpinIndex]->SpinIndex = T.SpinIndex;
  Spinning.pop_back();
}

// Who looks in every round, with a core of its own, has paid what accrued since the last
// call; up to the tolerance is left.
void Simulator::spinnerPaid(Thread &T) {
  uint64_t Elapsed = now() - std::exchange(T.LastLook, now());
  if (!T.Spinning || core(T))
    return;
  uint64_t Owed = T.Delay.owed(Scheduler.Delays);
  T.Delay.credit(T.Delay.local() + std::min(Owed - Owed % tolerance(), Elapsed));
}

// To be called before a hit is charged, which they begin to pay only then.
void Simulator::spinnersPaid() {
  if (Spinning.empty())
    return;
  chargeOthers();
  for (Thread *T : Spinning)
    spinnerPaid(*T);
}

// Those that would find something to pay go on with their round; while delay accrues
// on shared cores they all look now and then.
void Simulator::spinnersLook() {
  if (Spinning.empty())
    return;
  for (size_t I = Spinning.size(); I--;)
    if (Spinning[I]->Spinning && Spinning[I]->Delay.mustPay(Scheduler.Delays, tolerance()))
      interruptSpinning(*Spinning[I]);
  lookSoon();
}

void Simulator::lookSoon() {
  if (Scheduler.Delays.sharesCores() && !Accruing.empty() && !Spinning.empty() && !willTick())
    tickAt(now() + Options.SpinInterval);
}

void Simulator::tick() {
  chargeOthers();
  spinnersLook();
}
