//===- Simulator.h - Discrete-event simulation of a profiled program --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs threads of simulated work in virtual time, one core each, with the runtime's
// own delay and experiment code (causal_delay.h, causal_experiment.h) around their
// synchronisation, exactly as causal_sync.h and the sample handler call it. A
// program is an ordinary function; its threads are stackful coroutines. Everything
// follows from the seed.
//
//   Simulator S(Options);
//   S.run(Seconds, [&] { while (S.running()) { S.work(LineA, 300_us); S.progress(); } });
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_SIMULATOR_H
#define CAUSAL_TEST_SIMULATOR_H

#include "causal_delay.h"
#include "causal_experiment.h"
#include "causal_random.h"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <ucontext.h>
#include <vector>

namespace __causal {

constexpr uint64_t operator""_us(unsigned long long N) { return N * 1000; }
constexpr uint64_t operator""_ms(unsigned long long N) { return N * 1000000; }

struct SimulatorOptions {
  uint64_t Seed = 1;
  uint64_t Period = 250_us;
  /// CPU time that a sample costs the thread.
  uint64_t SampleCost = 0;
  /// How late a sleep ends, uniform up to this.
  uint64_t SleepLatency = 10_us;
  /// How long a wake-up takes to arrive.
  uint64_t WakeLatency = 5_us;
  uint64_t PauseTolerance = 5_us;
  ExperimentConfig Experiments;
};

class Simulator {
public:
  explicit Simulator(const SimulatorOptions &Options);
  ~Simulator();

  using Function = std::function<void()>;
  struct Mutex;
  struct Condition;
  struct Barrier;

  /// Runs Main until it returns; running() turns false after Length.
  void run(uint64_t Length, Function Main);
  bool running() const { return Now < End; }
  uint64_t now() const { return Now; }

  // What a simulated thread may do.
  void work(uint32_t Line, uint64_t CPUTime);
  void sleep(uint64_t Time); ///< A wait for the outside world.
  void progress() { ++Visits; }
  int spawn(Function F);
  void join(int Thread);
  void lock(Mutex &M);
  void unlock(Mutex &M);
  void wait(Condition &C, Mutex &M);
  void signal(Condition &C);
  void broadcast(Condition &C);
  void wait(Barrier &B);

  struct Result {
    ExperimentResult Experiment;
    uint64_t Visits;
  };
  const std::vector<Result> &results() const { return Results; }
  uint64_t visits() const { return Visits; }

  /// Program speedup in percent at virtual speedup Speedup of Line, from periods
  /// pooled over the experiments; NaN without data.
  double predicted(uint32_t Line, uint32_t Speedup) const;

  // The scheduler's Host.
  uint32_t pickLine(Random &R);
  uint64_t lineSamples(uint32_t Line) { return Samples[Line]; }
  uint64_t unsettled();
  void beginPoints(uint64_t) { StartVisits = Visits; }
  void pollPoints(uint64_t) {}
  uint64_t endPoints(uint64_t) { return Visits - StartVisits; }
  void finish(const ExperimentResult &E) {
    Results.push_back({E, Visits - StartVisits});
  }

private:
  struct Coroutine;
  struct Event {
    uint64_t Time, Order;
    Coroutine *Thread;
    bool operator>(const Event &E) const {
      return Time != E.Time ? Time > E.Time : Order > E.Order;
    }
  };

  static void entry(unsigned Low, unsigned High);
  void resumeAt(uint64_t Time, Coroutine *T);
  void suspend();
  void block();
  void wake(Coroutine *T);
  void sample(uint32_t Line);
  void pay();
  void beforeWake(uintptr_t Object);
  void afterBlock(uintptr_t Object);
  void acquire(Mutex &M);
  void release(Mutex &M);

  SimulatorOptions Options;
  Random Rng;
  ExperimentScheduler Scheduler;
  CreditTable Credits;
  uint64_t Now = 0, End = 0, Order = 0, Visits = 0, StartVisits = 0;
  std::map<uint32_t, uint64_t> Samples;
  std::deque<uint32_t> Recent;
  std::vector<Result> Results;
  std::vector<std::unique_ptr<Coroutine>> Threads;
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> Events;
  ucontext_t Loop;
  Coroutine *Current = nullptr;
};

struct Simulator::Mutex {
  Coroutine *Owner = nullptr;
  std::deque<Coroutine *> Waiters;
};
struct Simulator::Condition {
  std::deque<Coroutine *> Waiters;
};
struct Simulator::Barrier {
  unsigned Count;
  std::vector<Coroutine *> Arrived;
};

} // namespace __causal

#endif // CAUSAL_TEST_SIMULATOR_H
