//===- runtime_benchmark.cpp - What the runtime costs per event -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built twice from this source: runtime_benchmark.plain by clang alone and
// runtime_benchmark with -fcausal-profile. Run both and compare:
//
//   benchmarks/runtime_benchmark.plain; CAUSAL_OPTIONS=max_speedup=0 benchmarks/runtime_benchmark
//
//===----------------------------------------------------------------------===//
#include <benchmark/benchmark.h>
#include <causal/causal.h>

#include <pthread.h>

static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t Condition = PTHREAD_COND_INITIALIZER;

static void lockUnlock(benchmark::State &State) {
  for (auto _ : State) {
    pthread_mutex_lock(&Mutex);
    pthread_mutex_unlock(&Mutex);
  }
}
BENCHMARK(lockUnlock)->Name("mutex lock+unlock, uncontended");

static void tryLockUnlock(benchmark::State &State) {
  for (auto _ : State) {
    pthread_mutex_trylock(&Mutex);
    pthread_mutex_unlock(&Mutex);
  }
}
BENCHMARK(tryLockUnlock)->Name("mutex trylock+unlock, uncontended");

static void signalNobody(benchmark::State &State) {
  for (auto _ : State)
    pthread_cond_signal(&Condition);
}
BENCHMARK(signalNobody)->Name("cond signal without waiter");

static void progress(benchmark::State &State) {
  for (auto _ : State)
    CAUSAL_PROGRESS_NAMED("benchmark");
}
BENCHMARK(progress)->Name("progress point");

static void *nothing(void *Argument) { return Argument; }

static void createJoin(benchmark::State &State) {
  for (auto _ : State) {
    pthread_t Thread;
    pthread_create(&Thread, nullptr, nothing, nullptr);
    pthread_join(Thread, nullptr);
  }
}
BENCHMARK(createJoin)->Name("thread create+join")->Iterations(5000);

BENCHMARK_MAIN();
