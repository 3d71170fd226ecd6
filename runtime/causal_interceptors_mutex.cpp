//===- causal_interceptors_mutex.cpp - Mutexes and barriers ---------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that takes a mutex may wait for the one that has it, and the one that
// gives it back may wake it. A wrapper looks first whether the mutex is held, or
// waited for: programs take and leave free ones so often that half a nanosecond each
// counts. A thread that loses the mutex between look and lock waits without credit,
// one that begins to wait between look and unlock has an earlier one; both then pay
// what others were delayed by meanwhile.
//
//===----------------------------------------------------------------------===//
#include "causal_interceptors.h"
#include "causal_sync.h"

#include <pthread.h>

using namespace __causal;

CAUSAL_INTERCEPTOR(int, pthread_mutex_trylock, (pthread_mutex_t * M), (M)) {
  beforeTry();
  return real_pthread_mutex_trylock(M);
}

// The lock word is 0 while a mutex is free, whatever its kind: that is part of
// glibc's ABI, since static initialisers hold it.
static bool isFree(const pthread_mutex_t *M) {
  return __atomic_load_n(&M->__data.__lock, __ATOMIC_RELAXED) == 0;
}

// It is 1 while a mutex of an ordinary kind is held and nobody sleeps for it; who
// waits for an adaptive one may spin. Should that ever change, unlocking only takes
// longer.
static bool isWaitedFor(const pthread_mutex_t *M) {
  return __atomic_load_n(&M->__data.__lock, __ATOMIC_RELAXED) != 1 ||
         __atomic_load_n(&M->__data.__kind, __ATOMIC_RELAXED) ==
             PTHREAD_MUTEX_ADAPTIVE_NP;
}

template <typename Function>
__attribute__((noinline)) static int lockHeld(pthread_mutex_t *M,
                                              Function Lock) {
  return waitFor(M, Lock);
}

CAUSAL_INTERCEPTOR(int, pthread_mutex_lock, (pthread_mutex_t * M), (M)) {
  beforeTry();
  if (__builtin_expect(isFree(M), 1))
    return real_pthread_mutex_lock(M);
  return lockHeld(M, [=] { return real_pthread_mutex_lock(M); });
}

CAUSAL_INTERCEPTOR(int, pthread_mutex_timedlock,
                   (pthread_mutex_t * M, const struct timespec *Until),
                   (M, Until)) {
  return waitFor(M, [=] { return real_pthread_mutex_timedlock(M, Until); });
}

CAUSAL_INTERCEPTOR(int, pthread_mutex_clocklock,
                   (pthread_mutex_t * M, clockid_t Clock,
                    const struct timespec *Until),
                   (M, Clock, Until)) {
  return waitFor(M,
                 [=] { return real_pthread_mutex_clocklock(M, Clock, Until); });
}

CAUSAL_INTERCEPTOR(int, pthread_mutex_unlock, (pthread_mutex_t * M), (M)) {
  if (Thread *T = currentThread()) {
    pay(*T);
    if (__builtin_expect(isWaitedFor(M), 0))
      publish(*T, M);
  }
  return real_pthread_mutex_unlock(M);
}

CAUSAL_INTERCEPTOR(int, pthread_barrier_wait, (pthread_barrier_t * B), (B)) {
  beforeWake(B); // The last to arrive wakes the others.
  beforeBlock();
  int Result = real_pthread_barrier_wait(B);
  afterBlock(reinterpret_cast<uintptr_t>(B),
             Result == 0 || Result == PTHREAD_BARRIER_SERIAL_THREAD);
  return Result;
}
