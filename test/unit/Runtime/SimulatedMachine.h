//===- SimulatedMachine.h - Threads on cores in virtual time ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A discrete-event simulation of threads and a scheduler in the manner of Linux's
// fair one: a run queue for each core, the least virtual run time first, time
// slices, preemption on wake-up, idle cores that steal, and a periodic balance. It
// knows nothing of profiling; Simulator.h puts that on top. Everything follows from
// the seed.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_SIMULATED_MACHINE_H
#define CAUSAL_TEST_SIMULATED_MACHINE_H

#include "Coroutine.h"
#include "EventQueue.h"
#include "base/causal_random.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

namespace __causal {

constexpr uint64_t operator""_us(unsigned long long N) { return N * 1000; }
constexpr uint64_t operator""_ms(unsigned long long N) { return N * 1000000; }

struct MachineOptions {
  uint64_t Seed = 1;
  unsigned Cores = 64; ///< At most 64.
  /// How late a sleep ends, uniform up to this.
  uint64_t SleepLatency = 10_us;
  /// How long a wake-up takes to reach the scheduler.
  uint64_t WakeLatency = 5_us;
  /// How long a thread keeps its core when others wait for it.
  uint64_t Slice = 3_ms;
  /// How far behind a woken thread must be to preempt the running one.
  uint64_t WakeUpGranularity = 1_ms;
  /// How often waiting threads are moved to less loaded cores.
  uint64_t BalanceInterval = 4_ms;
};

class SimulatedMachine {
public:
  struct Task {
    virtual ~Task() = default;
    /// Time on a core and time waiting for one, as /proc/PID/schedstat has them.
    uint64_t Ran = 0, Waited = 0;
    unsigned Core = 0;

  private:
    friend class SimulatedMachine;
    enum State : uint8_t { Blocked, Queued, Running, Dead };
    std::unique_ptr<Coroutine> Code;
    State Is = Blocked;
    uint64_t Left = 0;  ///< CPU time until the current step is done.
    uint64_t Fair = 0;  ///< Virtual run time.
    uint64_t Since = 0; ///< When it was queued, or when Ran was last counted.
  };

  explicit SimulatedMachine(const MachineOptions &Options);
  virtual ~SimulatedMachine();

  uint64_t now() const { return Now; }

protected:
  /// Starts Body on T, after the latency of a wake-up.
  void start(Task &T, std::function<void()> Body);
  /// Runs until Main has ended, or nothing is left that could happen.
  void runUntilEnd(const Task &Main);

  // For the running task.
  Task *current() const { return Current; }
  void compute(uint64_t CPUTime);
  /// Computes up to CPUTime, or until interrupt(). Returns how long.
  uint64_t computeUntilInterrupted(uint64_t CPUTime);
  void block();
  void sleepUntil(uint64_t Time);
  // For any task on behalf of another one.
  void wake(Task &T) { wake(T, Options.WakeLatency); }
  void wake(Task &T, uint64_t Latency) { wakeAt(Now + Latency, T); }
  void interrupt(Task &T);
  bool isDead(const Task &T) const { return T.Is == Task::Dead; }
  /// tick() will be called at Time, once, while no task executes.
  void tickAt(uint64_t Time) { post(Tick, Time); }
  bool willTick() const { return Events.isSet(Tick); }
  virtual void tick() {}

  Random Rng;

private:
  struct Core {
    Task *Running = nullptr;
    std::vector<Task *> Queue;
    uint64_t MinFair = 0; ///< The least of its tasks lately; never goes back.
  };
  struct WakeUp {
    uint64_t Time, Order;
    Task *T;
    bool operator>(const WakeUp &W) const {
      return Time != W.Time ? Time > W.Time : Order > W.Order;
    }
  };

  // The sources of events: a core's step and slice, and these.
  enum Source : unsigned { FirstWakeUp, Balance, Tick, FirstOfCores };
  unsigned step(unsigned CoreIndex) const { return FirstOfCores + 2 * CoreIndex; }
  unsigned slice(unsigned CoreIndex) const { return FirstOfCores + 2 * CoreIndex + 1; }

  void post(unsigned Source, uint64_t Time) { Events.set(Source, Time, ++Order); }
  void wakeAt(uint64_t Time, Task &T);
  void postFirstWakeUp();
  void dispatch(unsigned Source);
  void account(Task &T);
  void accountCore(unsigned CoreIndex);
  void execute(Task &T);
  void putOn(unsigned CoreIndex, Task &T);
  void preempt(unsigned CoreIndex);
  void pickNext(unsigned CoreIndex);
  void enqueue(unsigned CoreIndex, Task &T);
  void place(Task &T);
  void rebase(Task &T, unsigned CoreIndex);
  void requireSlice(unsigned CoreIndex);
  void moveTask(unsigned From, unsigned To);
  void balance();
  unsigned load(unsigned CoreIndex) const {
    const Core &C = Cores[CoreIndex];
    return static_cast<unsigned>(C.Queue.size()) + (C.Running ? 1 : 0);
  }
  std::pair<unsigned, unsigned> leastAndMostLoaded() const;

  MachineOptions Options;
  StackPool Stacks;
  std::vector<Core> Cores;
  uint64_t Idle = 0; ///< One bit for each core.
  uint64_t Now = 0, Order = 0;
  unsigned Waiting = 0;
  Task *Current = nullptr;
  EventQueue Events;
  std::priority_queue<WakeUp, std::vector<WakeUp>, std::greater<WakeUp>> WakeUps;
};

} // namespace __causal

#endif // CAUSAL_TEST_SIMULATED_MACHINE_H
