//===- Simulator.cpp - Discrete-event simulation of a profiled program ----===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Simulator.h.
//
//===----------------------------------------------------------------------===//
#include "Simulator.h"

#include <cmath>

using namespace __causal;

struct Simulator::Coroutine {
  ucontext_t Context;
  std::unique_ptr<char[]> Stack;
  Function Body;
  Simulator *Owner;
  ThreadDelay Delay;
  Random Rng;
  uint64_t UntilSample = 0, Period = 0;
  bool Alive = true, Blocked = false;
  Coroutine *Joiner = nullptr;
};

static constexpr size_t StackSize = 64 << 10;

Simulator::Simulator(const SimulatorOptions &O) : Options(O) {
  Rng.seed(O.Seed);
  Scheduler.configure(O.Experiments, 0, O.Seed * 7919 + 1);
}

Simulator::~Simulator() = default;

void Simulator::entry(unsigned Low, unsigned High) {
  auto *T = reinterpret_cast<Coroutine *>(uintptr_t(High) << 32 | Low);
  Simulator *S = T->Owner;
  T->Body();
  S->beforeWake(reinterpret_cast<uintptr_t>(T));
  T->Alive = false;
  if (T->Joiner)
    S->wake(T->Joiner);
  swapcontext(&T->Context, &S->Loop);
}

void Simulator::resumeAt(uint64_t Time, Coroutine *T) {
  Events.push({Time, Order++, T});
}

void Simulator::suspend() { swapcontext(&Current->Context, &Loop); }

int Simulator::spawn(Function F) {
  if (Current)
    pay();
  auto T = std::make_unique<Coroutine>();
  T->Owner = this;
  T->Body = std::move(F);
  T->Stack = std::make_unique<char[]>(StackSize);
  T->Rng.seed(Rng.next());
  T->Period = Options.Period;
  T->UntilSample = 1 + T->Rng.below(static_cast<uint32_t>(Options.Period));
  if (Current)
    T->Delay.Local = Current->Delay.Local;
  getcontext(&T->Context);
  T->Context.uc_stack.ss_sp = T->Stack.get();
  T->Context.uc_stack.ss_size = StackSize;
  T->Context.uc_link = nullptr;
  uintptr_t Address = reinterpret_cast<uintptr_t>(T.get());
  makecontext(&T->Context, reinterpret_cast<void (*)()>(entry), 2,
              static_cast<unsigned>(Address),
              static_cast<unsigned>(Address >> 32));
  resumeAt(Now + Options.WakeLatency, T.get());
  Threads.push_back(std::move(T));
  return static_cast<int>(Threads.size() - 1);
}

void Simulator::run(uint64_t Length, Function Main) {
  End = Length;
  spawn(std::move(Main));
  while (!Events.empty() && Threads.front()->Alive) {
    Event E = Events.top();
    Events.pop();
    Now = E.Time;
    Current = E.Thread;
    swapcontext(&Loop, &Current->Context);
    if (!Current->Alive)
      Current->Stack.reset();
    Current = nullptr;
  }
}

void Simulator::work(uint32_t Line, uint64_t CPUTime) {
  Coroutine *T = Current;
  while (CPUTime) {
    uint64_t Step = std::min(CPUTime, T->UntilSample);
    resumeAt(Now + Step, T);
    suspend();
    CPUTime -= Step;
    T->UntilSample -= Step;
    if (!T->UntilSample)
      sample(Line);
  }
}

void Simulator::sleep(uint64_t Time) {
  resumeAt(Now + Time, Current);
  suspend();
}

// As takeSample() in causal_sampler.cpp.
void Simulator::sample(uint32_t Line) {
  Coroutine *T = Current;
  if (Options.SampleCost)
    sleep(Options.SampleCost);
  ++Samples[Line];
  Recent.push_back(Line);
  if (Recent.size() > 64)
    Recent.pop_front();
  Target Selected = Scheduler.target();
  if (Selected.Line == Line && Selected.Speedup)
    T->Delay.hit(Scheduler.Delays, T->Period * Selected.Speedup / 100);
  uint32_t Quarter = static_cast<uint32_t>(Options.Period / 4);
  T->Period = Options.Period - Quarter / 2 + T->Rng.below(Quarter);
  T->UntilSample = T->Period;
  Scheduler.tick(Now, *this);
  pay();
}

void Simulator::pay() {
  Coroutine *T = Current;
  struct Sleeper {
    Simulator &S;
    uint64_t now() const { return S.Now; }
    void sleepUntil(uint64_t Time) const {
      S.resumeAt(
          Time + S.Rng.below(static_cast<uint32_t>(S.Options.SleepLatency) + 1),
          S.Current);
      S.suspend();
    }
  };
  if (T->Delay.owed(Scheduler.Delays) <= Options.PauseTolerance)
    return;
  T->Delay.pay(Scheduler.Delays, Options.PauseTolerance, Sleeper{*this});
  Scheduler.tick(Now, *this);
}

void Simulator::beforeWake(uintptr_t Object) {
  pay();
  Credits.publish(Object, Current->Delay.local());
}

void Simulator::block() {
  Current->Blocked = true;
  suspend();
  Current->Blocked = false;
}

void Simulator::wake(Coroutine *T) { resumeAt(Now + Options.WakeLatency, T); }

void Simulator::afterBlock(uintptr_t Object) {
  Current->Delay.credit(Credits.get(Object));
}

void Simulator::join(int Index) {
  Coroutine *T = Threads[static_cast<size_t>(Index)].get();
  pay();
  if (T->Alive) {
    T->Joiner = Current;
    block();
  }
  afterBlock(reinterpret_cast<uintptr_t>(T));
}

// Like a futex-based mutex: a waiter that is woken competes for the lock again.
void Simulator::acquire(Mutex &M) {
  while (M.Owner) {
    M.Waiters.push_back(Current);
    block();
  }
  M.Owner = Current;
}

void Simulator::release(Mutex &M) {
  M.Owner = nullptr;
  if (M.Waiters.empty())
    return;
  Coroutine *T = M.Waiters.front();
  M.Waiters.pop_front();
  wake(T);
}

void Simulator::lock(Mutex &M) {
  pay();
  bool Waited = M.Owner != nullptr;
  acquire(M);
  if (Waited)
    afterBlock(reinterpret_cast<uintptr_t>(&M));
}

void Simulator::unlock(Mutex &M) {
  beforeWake(reinterpret_cast<uintptr_t>(&M));
  release(M);
}

void Simulator::wait(Condition &C, Mutex &M) {
  beforeWake(reinterpret_cast<uintptr_t>(&M));
  release(M);
  C.Waiters.push_back(Current);
  block();
  acquire(M);
  afterBlock(reinterpret_cast<uintptr_t>(&C));
  afterBlock(reinterpret_cast<uintptr_t>(&M));
}

void Simulator::signal(Condition &C) {
  beforeWake(reinterpret_cast<uintptr_t>(&C));
  if (C.Waiters.empty())
    return;
  wake(C.Waiters.front());
  C.Waiters.pop_front();
}

void Simulator::broadcast(Condition &C) {
  beforeWake(reinterpret_cast<uintptr_t>(&C));
  for (Coroutine *T : C.Waiters)
    wake(T);
  C.Waiters.clear();
}

void Simulator::wait(Barrier &B) {
  beforeWake(reinterpret_cast<uintptr_t>(&B));
  if (B.Arrived.size() + 1 < B.Count) {
    B.Arrived.push_back(Current);
    block();
  } else {
    for (Coroutine *T : B.Arrived)
      wake(T);
    B.Arrived.clear();
  }
  afterBlock(reinterpret_cast<uintptr_t>(&B));
}

uint32_t Simulator::pickLine(Random &R) {
  return Recent.empty() ? 0
                        : Recent[R.below(static_cast<uint32_t>(Recent.size()))];
}

uint64_t Simulator::unsettled() {
  uint64_t Largest = 0;
  for (auto &T : Threads)
    if (T->Alive && !T->Blocked)
      Largest =
          std::max(Largest, T->Delay.owedSeenFromOutside(Scheduler.Delays));
  return Largest;
}

double Simulator::predicted(uint32_t Line, uint32_t Speedup) const {
  auto PeriodAt = [&](uint32_t At) {
    double Time = 0, Count = 0;
    for (const Result &R : Results)
      if (R.Experiment.Line == Line && R.Experiment.Speedup == At) {
        Time += static_cast<double>(R.Experiment.Wall - R.Experiment.Delay);
        Count += static_cast<double>(R.Visits);
      }
    return Count ? Time / Count : std::nan("");
  };
  return 100 * (1 - PeriodAt(Speedup) / PeriodAt(0));
}
