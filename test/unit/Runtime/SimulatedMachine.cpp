//===- SimulatedMachine.cpp - Threads on cores in virtual time ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SimulatedMachine.h. While a task's code executes no virtual time passes and
// the scheduler does nothing: compute(), block() and the end hand over to it.
//
//===----------------------------------------------------------------------===//
#include "SimulatedMachine.h"

#include <algorithm>
#include <cassert>

using namespace __causal;

SimulatedMachine::SimulatedMachine(const MachineOptions &O)
    : Options(O), Cores(O.Cores), Events(FirstOfCores + 2 * O.Cores) {
  assert(O.Cores >= 1 && O.Cores <= 64);
  Rng.seed(O.Seed);
  Idle = ~0ull >> (64 - O.Cores);
}

SimulatedMachine::~SimulatedMachine() = default;

void SimulatedMachine::start(Task &T, std::function<void()> Body) {
  T.Code = std::make_unique<Coroutine>(std::move(Body), Stacks);
  T.Core = Current ? Current->Core : 0;
  accountCore(T.Core);
  T.Fair = Cores[T.Core].MinFair;
  wake(T);
}

void SimulatedMachine::runUntilEnd(const Task &Main) {
  while (Events.time() != EventQueue::Never && !isDead(Main)) {
    Now = Events.time();
    dispatch(Events.next());
  }
}

void SimulatedMachine::dispatch(unsigned Source) {
  Events.clear(Source);
  if (Source == FirstWakeUp) {
    Task &T = *WakeUps.top().T;
    WakeUps.pop();
    postFirstWakeUp();
    return place(T);
  }
  if (Source == Balance)
    return balance();
  if (Source == Tick)
    return tick();
  unsigned CoreIndex = (Source - FirstOfCores) / 2;
  if (Source == slice(CoreIndex))
    return preempt(CoreIndex);
  account(*Cores[CoreIndex].Running);
  execute(*Cores[CoreIndex].Running);
}

// Brings the books of a task on a core up to Now.
void SimulatedMachine::account(Task &T) {
  uint64_t Time = Now - T.Since;
  T.Ran += Time;
  T.Fair += Time;
  T.Left -= Time;
  T.Since = Now;
}

// Brings the least virtual run time of a core up to Now. Who has had a core for long is no
// further than its least, or would starve on another one.
void SimulatedMachine::accountCore(unsigned CoreIndex) {
  Core &C = Cores[CoreIndex];
  if (!C.Running)
    return;
  account(*C.Running);
  uint64_t Least = C.Running->Fair;
  for (const Task *Q : C.Queue)
    if (static_cast<int64_t>(Q->Fair - Least) < 0)
      Least = Q->Fair;
  if (static_cast<int64_t>(Least - C.MinFair) > 0)
    C.MinFair = Least;
}

void SimulatedMachine::execute(Task &T) {
  Current = &T;
  unsigned CoreIndex = T.Core;
  if (!T.Code->resume()) {
    T.Is = Task::Dead;
    T.Code.reset();
  }
  Current = nullptr;
  if (T.Is != Task::Running) {
    accountCore(CoreIndex);
    Cores[CoreIndex].Running = nullptr;
    pickNext(CoreIndex);
  }
}

void SimulatedMachine::compute(uint64_t CPUTime) {
  Task &T = *Current;
  if (!CPUTime)
    return;
  if (Events.time() > Now + CPUTime) {
    T.Left = CPUTime;
    Now += CPUTime; // Nothing else happens meanwhile.
    return account(T);
  }
  T.Left = CPUTime;
  post(step(T.Core), Now + CPUTime);
  T.Code->suspend();
}

uint64_t SimulatedMachine::computeUntilInterrupted(uint64_t CPUTime) {
  uint64_t Before = Current->Ran;
  compute(CPUTime);
  return Current->Ran - Before;
}

void SimulatedMachine::interrupt(Task &T) {
  if (T.Is == Task::Running) {
    account(T);
    post(step(T.Core), Now);
  }
  T.Left = 0;
}

void SimulatedMachine::block() {
  Current->Is = Task::Blocked;
  Current->Code->suspend();
}

void SimulatedMachine::sleepUntil(uint64_t Time) {
  uint64_t Late = Rng.below(static_cast<uint32_t>(Options.SleepLatency) + 1);
  wakeAt(std::max(Time, Now) + Late, *Current);
  block();
}

void SimulatedMachine::wakeAt(uint64_t Time, Task &T) {
  WakeUps.push({Time, ++Order, &T});
  postFirstWakeUp();
}

void SimulatedMachine::postFirstWakeUp() {
  if (!WakeUps.empty())
    Events.set(FirstWakeUp, WakeUps.top().Time, WakeUps.top().Order);
}

// Virtual run times are relative to the core.
void SimulatedMachine::rebase(Task &T, unsigned CoreIndex) {
  accountCore(T.Core);
  accountCore(CoreIndex);
  T.Fair += Cores[CoreIndex].MinFair - Cores[T.Core].MinFair;
  T.Core = CoreIndex;
}

void SimulatedMachine::putOn(unsigned CoreIndex, Task &T) {
  Core &C = Cores[CoreIndex];
  C.Running = &T;
  Idle &= ~(1ull << CoreIndex);
  T.Is = Task::Running;
  T.Waited += Now - T.Since;
  T.Since = Now;
  post(step(CoreIndex), Now + T.Left);
  Events.clear(slice(CoreIndex));
  if (!C.Queue.empty())
    requireSlice(CoreIndex);
}

void SimulatedMachine::requireSlice(unsigned CoreIndex) {
  if (!Events.isSet(slice(CoreIndex)))
    post(slice(CoreIndex), Now + Options.Slice);
}

// The running task gives way if another one is behind it.
void SimulatedMachine::preempt(unsigned CoreIndex) {
  Core &C = Cores[CoreIndex];
  if (!C.Running || C.Queue.empty())
    return;
  Task &T = *C.Running;
  account(T);
  bool Behind = std::any_of(C.Queue.begin(), C.Queue.end(),
                            [&](Task *Q) { return static_cast<int64_t>(T.Fair - Q->Fair) > 0; });
  if (!Behind)
    return requireSlice(CoreIndex);
  C.Running = nullptr;
  Events.clear(step(CoreIndex));
  enqueue(CoreIndex, T);
  pickNext(CoreIndex);
}

void SimulatedMachine::enqueue(unsigned CoreIndex, Task &T) {
  T.Is = Task::Queued;
  T.Since = Now;
  Cores[CoreIndex].Queue.push_back(&T);
  ++Waiting;
  if (!Events.isSet(Balance))
    post(Balance, Now + Options.BalanceInterval);
}

void SimulatedMachine::pickNext(unsigned CoreIndex) {
  Core &C = Cores[CoreIndex];
  if (C.Queue.empty() && Waiting)
    moveTask(leastAndMostLoaded().second, CoreIndex);
  if (C.Queue.empty()) {
    Idle |= 1ull << CoreIndex;
    return;
  }
  auto First = std::min_element(C.Queue.begin(), C.Queue.end(), [](const Task *A, const Task *B) {
    return static_cast<int64_t>(A->Fair - B->Fair) < 0;
  });
  Task *T = *First;
  C.Queue.erase(First);
  --Waiting;
  putOn(CoreIndex, *T);
}

// A woken task: back to its core if that is idle, else to any idle one, else to its
// own or a less loaded one, where it preempts if it is far enough behind.
void SimulatedMachine::place(Task &T) {
  T.Since = Now;
  bool FindsIdle = Idle;
  if (FindsIdle) {
    unsigned Shift = T.Core;
    uint64_t Rotated = Shift ? (Idle >> Shift | Idle << (64 - Shift)) : Idle;
    rebase(T, (Shift + static_cast<unsigned>(__builtin_ctzll(Rotated))) % 64);
  } else {
    unsigned Least = leastAndMostLoaded().first;
    if (load(T.Core) > load(Least) + 1)
      rebase(T, Least);
    accountCore(T.Core);
  }
  Core &C = Cores[T.Core];
  uint64_t Earliest = C.MinFair - Options.Slice;
  if (static_cast<int64_t>(T.Fair - Earliest) < 0)
    T.Fair = Earliest;
  if (FindsIdle)
    return putOn(T.Core, T);
  enqueue(T.Core, T);
  if (static_cast<int64_t>(C.Running->Fair - T.Fair) >
      static_cast<int64_t>(Options.WakeUpGranularity))
    preempt(T.Core);
  else
    requireSlice(T.Core);
}

std::pair<unsigned, unsigned> SimulatedMachine::leastAndMostLoaded() const {
  unsigned Least = 0, Most = 0;
  for (unsigned I = 1; I < Cores.size(); ++I) {
    if (load(I) < load(Least))
      Least = I;
    if (load(I) > load(Most))
      Most = I;
  }
  return {Least, Most};
}

void SimulatedMachine::moveTask(unsigned From, unsigned To) {
  std::vector<Task *> &Queue = Cores[From].Queue;
  if (Queue.empty())
    return;
  Task *T = Queue.front();
  Queue.erase(Queue.begin());
  rebase(*T, To);
  Cores[To].Queue.push_back(T);
}

// Even loads that differ by one are passed around, lest a thread stay alone on its
// core while others share theirs.
void SimulatedMachine::balance() {
  if (!Waiting)
    return;
  for (size_t Moves = 0; Moves < Cores.size(); ++Moves) {
    auto [Least, Most] = leastAndMostLoaded();
    unsigned Difference = load(Most) - load(Least);
    if (load(Most) < 2 || Difference < 1 || (Difference == 1 && (Moves || Rng.below(4))))
      break;
    moveTask(Most, Least);
    requireSlice(Least);
  }
  post(Balance, Now + Options.BalanceInterval);
}
