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

#include <algorithm>

using namespace __causal;

template <typename Container, typename T>
static void remove(Container &From, const T &What) {
  From.erase(std::remove(From.begin(), From.end(), What), From.end());
}

void Simulator::waitIn(Waiters &W) {
  Thread &T = self();
  W.push_back(&T);
  T.Blocked = true;
  T.Delay.waits();
  suspendAccrual();
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

void Simulator::acquire(Mutex &M) {
  while (M.Owner)
    waitIn(M.Waiting);
  M.Owner = &self();
}

void Simulator::release(Mutex &M) {
  M.Owner = nullptr;
  wakeFirst(M.Waiting);
}

void Simulator::lock(Mutex &M) {
  payIfDue();
  acquire(M);
  afterBlock(&M);
  meet(reinterpret_cast<uintptr_t>(&M));
}

void Simulator::unlock(Mutex &M) {
  beforeUnlock(&M);
  release(M);
  meet(~reinterpret_cast<uintptr_t>(&M));
}

void Simulator::wait(Condition &C, Mutex &M) {
  beforeUnlock(&M);
  release(M);
  waitIn(C.Waiting);
  acquire(M);
  afterBlock(&C);
  afterBlock(&M);
  meet(~reinterpret_cast<uintptr_t>(&C));
}

void Simulator::signal(Condition &C) {
  beforeWake(&C);
  meet(reinterpret_cast<uintptr_t>(&C));
  wakeFirst(C.Waiting);
}

void Simulator::broadcast(Condition &C) {
  beforeWake(&C);
  meet(reinterpret_cast<uintptr_t>(&C));
  wakeAll(C.Waiting);
}

void Simulator::wait(Barrier &B) {
  beforeWake(&B);
  if (B.Arrived.size() + 1 < B.Count)
    waitIn(B.Arrived);
  else
    wakeAll(B.Arrived);
  afterBlock(&B);
  meet(~reinterpret_cast<uintptr_t>(&B));
}

void Simulator::wait(Semaphore &S) {
  pay(Options.PauseTolerance);
  while (!S.Count)
    waitIn(S.Waiting);
  --S.Count;
  afterBlock(&S);
  meet(~reinterpret_cast<uintptr_t>(&S));
}

void Simulator::post(Semaphore &S) {
  beforeWake(&S);
  meet(reinterpret_cast<uintptr_t>(&S));
  ++S.Count;
  wakeFirst(S.Waiting);
}

void Simulator::lockShared(SharedMutex &M) {
  payIfDue();
  while (M.Writer)
    waitIn(M.Waiting);
  ++M.Readers;
  afterBlock(&M);
  meet(reinterpret_cast<uintptr_t>(&M));
}

void Simulator::lock(SharedMutex &M) {
  payIfDue();
  while (M.Writer || M.Readers)
    waitIn(M.Waiting);
  M.Writer = true;
  afterBlock(&M);
  meet(reinterpret_cast<uintptr_t>(&M) + 1);
}

void Simulator::unlockShared(SharedMutex &M) {
  beforeUnlock(&M);
  if (--M.Readers == 0)
    wakeAll(M.Waiting);
  meet(~reinterpret_cast<uintptr_t>(&M));
}

void Simulator::unlock(SharedMutex &M) {
  beforeUnlock(&M);
  M.Writer = false;
  wakeAll(M.Waiting);
  meet(~reinterpret_cast<uintptr_t>(&M));
}

void Simulator::set(Flag &F, uint64_t Value) {
  if (Options.SpinLoopsSeen) {
    payIfDue();
    meet(reinterpret_cast<uintptr_t>(&F));
  }
  F.Value = Value;
  for (Thread *T : F.Spinning)
    interrupt(*T);
  F.Spinning.clear();
}

// As spin() and spun() in causal_sync.h. How long a round takes is too little to
// simulate: who spins looks when others' hits are charged, and now and then while
// something accrues.
void Simulator::spinUntil(Flag &F, uint64_t Value, uint32_t Line) {
  constexpr uint64_t Look = 5_us;
  Thread &T = self();
  while (F.Value < Value) {
    if (Options.SpinLoopsSeen && !T.Spinning) {
      T.Spinning = true;
      suspendAccrual();
    }
    bool Looks = T.Spinning && !Accruing.empty();
    F.Spinning.push_back(&T);
    Spinning.push_back(&T);
    uint64_t Spun = computeUntilInterrupted(
        Looks ? std::min(T.UntilSample, Look) : T.UntilSample);
    remove(F.Spinning, &T);
    remove(Spinning, &T);
    T.UntilSample -= Spun;
    if (!T.UntilSample)
      takeSample(Line);
    if (!T.Spinning)
      continue;
    Accruing.chargeAll(Scheduler.Delays, now());
    payOwed(Options.PauseTolerance);
  }
  if (!T.Spinning)
    return;
  T.Spinning = false;
  T.Delay.Slice.waitEnded();
  meet(~reinterpret_cast<uintptr_t>(&F));
}

void Simulator::interruptSpinning() {
  for (Thread *T : Spinning)
    interrupt(*T);
  Spinning.clear();
}
