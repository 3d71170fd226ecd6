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

#include <atomic>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t Condition = PTHREAD_COND_INITIALIZER;

static void lockUnlock(benchmark::State &State) {
  for (auto _ : State) {
    pthread_mutex_lock(&Mutex);
    pthread_mutex_unlock(&Mutex);
  }
}
BENCHMARK(lockUnlock)->Name("mutex lock+unlock, single thread");
BENCHMARK(lockUnlock)->Name("mutex lock+unlock, contended")->ThreadRange(2, 64)->UseRealTime();
// Now the process has had threads, and glibc's locks are atomic.
BENCHMARK(lockUnlock)->Name("mutex lock+unlock, uncontended");

// As programs with a lock class of their own do. With target=section the callers count.
__attribute__((noinline)) static int take() {
  int Result = pthread_mutex_lock(&Mutex);
  benchmark::DoNotOptimize(Result);
  return Result;
}
__attribute__((noinline)) static int giveBack() {
  int Result = pthread_mutex_unlock(&Mutex);
  benchmark::DoNotOptimize(Result);
  return Result;
}
static void lockByFunction(benchmark::State &State) {
  for (auto _ : State) {
    take();
    giveBack();
  }
}
BENCHMARK(lockByFunction)->Name("mutex lock+unlock, by functions");

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

static pthread_rwlock_t Lock = PTHREAD_RWLOCK_INITIALIZER;

static void readLock(benchmark::State &State) {
  for (auto _ : State) {
    pthread_rwlock_rdlock(&Lock);
    pthread_rwlock_unlock(&Lock);
  }
}
BENCHMARK(readLock)->Name("rwlock rdlock+unlock, uncontended");

static void writeLock(benchmark::State &State) {
  for (auto _ : State) {
    pthread_rwlock_wrlock(&Lock);
    pthread_rwlock_unlock(&Lock);
  }
}
BENCHMARK(writeLock)->Name("rwlock wrlock+unlock, uncontended");

static void spinLock(benchmark::State &State) {
  pthread_spinlock_t Spin;
  pthread_spin_init(&Spin, 0);
  for (auto _ : State) {
    pthread_spin_lock(&Spin);
    pthread_spin_unlock(&Spin);
  }
}
BENCHMARK(spinLock)->Name("spin lock+unlock, uncontended");

static void storeReleasing(benchmark::State &State) {
  std::atomic<int> Flag;
  benchmark::DoNotOptimize(&Flag);
  for (auto _ : State)
    Flag.store(1, std::memory_order_release);
}
BENCHMARK(storeReleasing)->Name("atomic store, release");

static void updateReleasing(benchmark::State &State) {
  std::atomic<int> Count{0};
  benchmark::DoNotOptimize(&Count);
  for (auto _ : State)
    Count.fetch_sub(1, std::memory_order_acq_rel);
}
BENCHMARK(updateReleasing)->Name("atomic update, release");

static void dispatch(benchmark::State &State) {
  std::atomic<int> Left{1};
  benchmark::DoNotOptimize(&Left);
  Left.fetch_sub(1, std::memory_order_acq_rel); // A function by which threads meet.
  void (*Job)() = [] { asm volatile(""); };
  for (auto _ : State) {
    benchmark::DoNotOptimize(Job);
    Job();
  }
}
BENCHMARK(dispatch)->Name("job by a pointer");

static void postWait(benchmark::State &State) {
  sem_t Semaphore;
  sem_init(&Semaphore, 0, 0);
  for (auto _ : State) {
    sem_post(&Semaphore);
    sem_wait(&Semaphore);
  }
}
BENCHMARK(postWait)->Name("sem post+wait, no waiter");

static void c11Mutex(benchmark::State &State) {
  mtx_t M;
  mtx_init(&M, mtx_plain);
  for (auto _ : State) {
    mtx_lock(&M);
    mtx_unlock(&M);
  }
}
BENCHMARK(c11Mutex)->Name("mtx lock+unlock, uncontended");

static void nothingOnce() {}
static void onceMore(benchmark::State &State) {
  pthread_once_t Once = PTHREAD_ONCE_INIT;
  for (auto _ : State)
    pthread_once(&Once, nothingOnce);
}
BENCHMARK(onceMore)->Name("once, done");

static void otherCall(benchmark::State &State) {
  for (auto _ : State)
    benchmark::DoNotOptimize(syscall(SYS_getppid));
}
BENCHMARK(otherCall)->Name("syscall(SYS_getppid)");

static void wakeNobody(benchmark::State &State) {
  int Futex = 0;
  for (auto _ : State)
    syscall(SYS_futex, &Futex, FUTEX_WAKE_PRIVATE, 1);
}
BENCHMARK(wakeNobody)->Name("futex wake without waiter");

static void progress(benchmark::State &State) {
  for (auto _ : State)
    CAUSAL_PROGRESS_NAMED("benchmark");
}
BENCHMARK(progress)->Name("progress point");
BENCHMARK(progress)->Name("progress point, each thread")->ThreadRange(2, 16);

static void *nothing(void *Argument) { return Argument; }

static void createJoin(benchmark::State &State) {
  for (auto _ : State) {
    pthread_t Thread;
    pthread_create(&Thread, nullptr, nothing, nullptr);
    pthread_join(Thread, nullptr);
  }
}
BENCHMARK(createJoin)->Name("thread create+join")->Iterations(5000);

static sem_t There, Back;
static std::atomic<bool> Over;
static void stayOnFirstCore() {
  cpu_set_t First;
  CPU_ZERO(&First);
  CPU_SET(0, &First);
  sched_setaffinity(0, sizeof(First), &First);
}
static void *answerTurns(void *) {
  stayOnFirstCore();
  for (;;) {
    sem_wait(&There);
    if (Over)
      return nullptr;
    sem_post(&Back);
  }
}
// Two switches of a core from one thread to another, perf's part of them included.
static void takeTurns(benchmark::State &State) {
  cpu_set_t Before;
  sched_getaffinity(0, sizeof(Before), &Before);
  stayOnFirstCore();
  sem_init(&There, 0, 0);
  sem_init(&Back, 0, 0);
  Over = false;
  pthread_t Other;
  pthread_create(&Other, nullptr, answerTurns, nullptr);
  for (auto _ : State) {
    sem_post(&There);
    sem_wait(&Back);
  }
  Over = true;
  sem_post(&There);
  pthread_join(Other, nullptr);
  sched_setaffinity(0, sizeof(Before), &Before);
}
BENCHMARK(takeTurns)->Name("turn of two threads on a core, wall time")->UseRealTime();

BENCHMARK_MAIN();
