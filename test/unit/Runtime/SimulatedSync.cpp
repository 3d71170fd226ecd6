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

void Simulator::waitIn(Waiters &W) {
  Thread &T = self();
  W.push_back(&T);
  T.Blocked = true;
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
  pay();
  acquire(M);
  afterBlock(&M);
}

void Simulator::unlock(Mutex &M) {
  if (!M.Waiting.empty())
    beforeWake(&M);
  release(M);
}

void Simulator::wait(Condition &C, Mutex &M) {
  beforeWake(&M);
  release(M);
  waitIn(C.Waiting);
  acquire(M);
  afterBlock(&C);
  afterBlock(&M);
}

void Simulator::signal(Condition &C) {
  beforeWake(&C);
  wakeFirst(C.Waiting);
}

void Simulator::broadcast(Condition &C) {
  beforeWake(&C);
  wakeAll(C.Waiting);
}

void Simulator::wait(Barrier &B) {
  beforeWake(&B);
  if (B.Arrived.size() + 1 < B.Count)
    waitIn(B.Arrived);
  else
    wakeAll(B.Arrived);
  afterBlock(&B);
}

void Simulator::wait(Semaphore &S) {
  pay();
  while (!S.Count)
    waitIn(S.Waiting);
  --S.Count;
  afterBlock(&S);
}

void Simulator::post(Semaphore &S) {
  beforeWake(&S);
  ++S.Count;
  wakeFirst(S.Waiting);
}

void Simulator::lockShared(SharedMutex &M) {
  pay();
  while (M.Writer)
    waitIn(M.Waiting);
  ++M.Readers;
  afterBlock(&M);
}

void Simulator::lock(SharedMutex &M) {
  pay();
  while (M.Writer || M.Readers)
    waitIn(M.Waiting);
  M.Writer = true;
  afterBlock(&M);
}

void Simulator::unlockShared(SharedMutex &M) {
  beforeWake(&M);
  if (--M.Readers == 0)
    wakeAll(M.Waiting);
}

void Simulator::unlock(SharedMutex &M) {
  beforeWake(&M);
  M.Writer = false;
  wakeAll(M.Waiting);
}

void Simulator::set(Flag &F, uint64_t Value) {
  F.Value = Value;
  for (Thread *T : F.Spinning)
    interrupt(*T);
  F.Spinning.clear();
}

void Simulator::spinUntil(Flag &F, uint64_t Value, uint32_t Line) {
  Thread &T = self();
  while (F.Value < Value) {
    F.Spinning.push_back(&T);
    uint64_t Spun = computeUntilInterrupted(T.UntilSample);
    auto Mine = std::find(F.Spinning.begin(), F.Spinning.end(), &T);
    if (Mine != F.Spinning.end())
      F.Spinning.erase(Mine);
    T.UntilSample -= Spun;
    if (!T.UntilSample)
      takeSample(Line);
  }
}
