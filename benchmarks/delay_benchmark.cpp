//===- delay_benchmark.cpp - Parts of a sample's handling -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pure parts of what happens in the sample handler and around a lock.
//
//===----------------------------------------------------------------------===//
#include "causal/experiment/causal_experiment.h"
#include "causal/law/causal_credit_table.h"
#include "causal/law/causal_delay.h"
#include "causal/law/causal_role.h"
#include "code/causal_source_lines.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdlib>
#include <memory>

using namespace __causal;

static void hit(benchmark::State &State) {
  GlobalDelay G;
  ThreadDelay T;
  for (auto _ : State)
    T.charge(G, 1);
}
BENCHMARK(hit)->Name("hit in the target line");

static void publishCredit(benchmark::State &State) {
  CreditTable Credits;
  uint64_t Local = 0;
  for (auto _ : State)
    Credits.publish(0x1000, ++Local);
}
BENCHMARK(publishCredit)->Name("credit for a waiter");

// What a thread asks at each meeting while an experiment runs, of a context that it, or all of its
// kind, has enough samples of, or neither.
static void shareOfLine(benchmark::State &State, unsigned Own, unsigned Others) {
  constexpr uintptr_t Kind = 1, Context = 0x1000;
  constexpr uint32_t Line = 1;
  auto Roles = std::make_unique<RoleTable>();
  Role *Mine = Roles->take(Kind), *Other = Roles->take(Kind);
  for (unsigned I = 0; I != Own; ++I)
    Mine->add(Context, Line);
  for (unsigned I = 0; I != Others; ++I)
    Other->add(Context, Line);
  for (auto _ : State)
    benchmark::DoNotOptimize(Mine->share(Context, Line));
}
BENCHMARK_CAPTURE(shareOfLine, own, 8, 0)->Name("share of a line, by the thread's samples");
BENCHMARK_CAPTURE(shareOfLine, kind, 0, 8)->Name("share of a line, by its kind's");
BENCHMARK_CAPTURE(shareOfLine, unknown, 0, 0)->Name("share of a line, unknown");

// A thread goes on after a meeting, where cores are shared: it had left its core, or not.
static void goOn(benchmark::State &State, bool Leaves) {
  GlobalDelay G;
  CoreDelay Core;
  ThreadDelay T;
  for (auto _ : State) {
    if (Leaves)
      T.leaveCore(G);
    T.resume(G, /*Line=*/1, /*Speedup=*/50, /*Now=*/0, &Core);
  }
}
BENCHMARK_CAPTURE(goOn, met, false)->Name("going on on a shared core");
BENCHMARK_CAPTURE(goOn, waited, true)->Name("going on on a shared core that was left");

// A thread that has a core to itself pays what it owes by looking at the clock (law 2). What it
// takes beyond the microsecond is lost.
static void payBriefly(benchmark::State &State) {
  constexpr uint64_t Microsecond = 1000;
  struct Clock {
    uint64_t now() {
      auto Since = std::chrono::steady_clock::now().time_since_epoch();
      return static_cast<uint64_t>(std::chrono::nanoseconds(Since).count());
    }
    uint64_t burn(uint64_t Time) {
      uint64_t Begin = now(), Elapsed = 0;
      while ((Elapsed = now() - Begin) < Time) {
      }
      return Elapsed;
    }
    void sleepUntil(uint64_t) { std::abort(); }
    CoreDelay *core() { return nullptr; }
    void chargeOthers() {}
    bool interrupted() { return false; }
  } Sleeper;
  GlobalDelay G;
  ThreadDelay T, Other;
  T.Pausing.WakesLate = 100 * Microsecond;
  for (auto _ : State) {
    Other.charge(G, Microsecond);
    T.pay(G, /*Tolerance=*/0, Sleeper);
  }
  State.counters["paused"] = static_cast<double>(T.local()) / State.iterations();
}
BENCHMARK(payBriefly)->Name("pause of a microsecond");

static void idleTick(benchmark::State &State) {
  struct Host {
    bool canExperiment() { return true; }
    uint32_t pickLine(Random &) { return 0; }
    uint64_t lineSamples(uint32_t) { return 0; }
    uint64_t work() { return 0; }
    uint64_t sampledTime() { return 0; }
    uint64_t unsettled() { return 0; }
    uint64_t unpaidForOwn() { return 0; }
    void beginPoints(uint64_t) {}
    void pollPoints(uint64_t, ExperimentPart) {}
    bool settlesLate(uint32_t, uint32_t) { return false; }
    uint64_t endPoints(uint64_t) { return 0; }
    void finish(const ExperimentResult &) {}
  } H;
  ExperimentScheduler S;
  for (auto _ : State)
    S.tick(1, H);
}
BENCHMARK(idleTick)->Name("tick of the scheduler, nothing due");

static void internLine(benchmark::State &State) {
  auto *Lines = static_cast<SourceLines *>(calloc(1, sizeof(SourceLines)));
  Lines->setPolicy({});
  for (auto _ : State)
    benchmark::DoNotOptimize(Lines->intern("/home/user/project/src/engine/scheduler.cpp", 77, "f"));
  free(Lines);
}
BENCHMARK(internLine)->Name("line table lookup of a known line");

BENCHMARK_MAIN();
