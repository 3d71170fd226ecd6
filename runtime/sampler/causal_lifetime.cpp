//===- causal_lifetime.cpp - Threads and the profile begin and end --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_lifetime.h.
//
//===----------------------------------------------------------------------===//
#include "sampler/causal_lifetime.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "mode/causal_mode.h"
#include "sampler/causal_sampler.h"
#include "sampler/causal_schedstat.h"
#include "sampler/causal_thread_churn.h"

#include <limits.h>
#include <pthread.h>

using namespace __causal;

static uint64_t Begun, Unsampled, Timed;
static ThreadChurn Churn;
static pthread_key_t ExitKey;
static bool HaveExitKey;

uint64_t __causal::threadsBegun() { return __atomic_load_n(&Begun, __ATOMIC_RELAXED); }
uint64_t __causal::threadsUnsampled() { return __atomic_load_n(&Unsampled, __ATOMIC_RELAXED); }
uint64_t __causal::threadsTimed() { return __atomic_load_n(&Timed, __ATOMIC_RELAXED); }

// Runs as late among the destructors of thread-specific data as it can, since the
// others are code of the program and are to be profiled.
static void exitHook(void *Round) {
  uintptr_t N = reinterpret_cast<uintptr_t>(Round);
  if (N < PTHREAD_DESTRUCTOR_ITERATIONS &&
      pthread_setspecific(ExitKey, reinterpret_cast<void *>(N + 1)) == 0)
    return;
  endThread();
}

void __causal::initLifetimes() { HaveExitKey = pthread_key_create(&ExitKey, exitHook) == 0; }

// What is known to be stack below High. Less than there is does no harm.
static uintptr_t stackLow(uintptr_t High, size_t Size) {
  constexpr size_t UsedByLibc = 4 * 4096;
  if (!Size)
    Size = usualStackSize();
  return Size > UsedByLibc && Size < High ? High - Size + UsedByLibc : High;
}

void __causal::beginThread(ThreadBase *T, uintptr_t StackHigh) {
  T->Id = threadId();
  T->Stack = {stackLow(StackHigh, T->StackSize), StackHigh};
  T->Clock.restart();
  uint64_t Now = now();
  T->Rng.seed(Now ^ reinterpret_cast<uintptr_t>(T));
  T->OneIn = mode()->SamplesEveryThread ? 1 : Churn.begin(Now);
  T->Sampled = T->OneIn <= 1 || T->Rng.below(T->OneIn) == 0;
  openSamplerSignal();
  mode()->threadBegins(*T);
  CurrentThread = T;
  T->Self = &CurrentThread;
  __atomic_store_n(&T->Alive, 1, __ATOMIC_RELEASE);
  __atomic_fetch_add(&Begun, 1, __ATOMIC_RELAXED);
  if (HaveExitKey)
    pthread_setspecific(ExitKey, reinterpret_cast<void *>(1));
  if (!T->Sampled)
    return;
  T->Sampled = startSampling(*T);
  if (!T->Sampled)
    __atomic_fetch_add(&Unsampled, 1, __ATOMIC_RELAXED);
  if (T->TimerId)
    __atomic_fetch_add(&Timed, 1, __ATOMIC_RELAXED);
}

void __causal::endThread() {
  ThreadBase *T = CurrentThread;
  if (!T)
    return;
  mode()->threadEnds(*T);
  stopSampling(*T);
  mode()->threadEnded(*T);
  CurrentThread = nullptr;
  __atomic_store_n(&T->Alive, 0, __ATOMIC_RELEASE);
  releaseThread(T);
}

void __causal::restartLifetimes() {
  Begun = CurrentThread ? 1 : 0;
  Unsampled = Timed = 0;
}

void __causal::finishProfile() {
  if (mode() && inOwnProcess())
    mode()->finish();
}
