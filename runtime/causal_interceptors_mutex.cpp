//===- causal_interceptors_mutex.cpp - Mutexes and barriers ---------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread is credited with the delays of the one that it waited for, so a wrapper
// looks first whether the mutex is held. It does not try it: glibc's trylock costs
// more than its lock. A thread that loses the mutex between look and lock waits
// without credit, and then pays what others were delayed by meanwhile.
//
//===----------------------------------------------------------------------===//
#include "causal_interceptors.h"
#include "causal_sync.h"

#include <errno.h>
#include <pthread.h>

using namespace __causal;

static uintptr_t object(const void *P) {
  return reinterpret_cast<uintptr_t>(P);
}
static bool acquired(int Error) { return Error == 0 || Error == EOWNERDEAD; }

CAUSAL_INTERCEPTOR(int, pthread_mutex_trylock, (pthread_mutex_t * M), (M)) {
  if (Thread *T = currentThread())
    pay(*T);
  return real_pthread_mutex_trylock(M);
}

// The lock word is 0 while a mutex is free, whatever its kind: that is part of
// glibc's ABI, since static initialisers hold it.
static bool isFree(const pthread_mutex_t *M) {
  return __atomic_load_n(&M->__data.__lock, __ATOMIC_RELAXED) == 0;
}

template <typename Function>
__attribute__((noinline)) static int lockHeld(pthread_mutex_t *M,
                                              Function Lock) {
  beforeBlock();
  int Error = Lock();
  afterBlock(object(M), acquired(Error));
  return Error;
}

template <typename Function>
static int lock(pthread_mutex_t *M, Function Lock) {
  if (Thread *T = currentThread())
    pay(*T);
  return __builtin_expect(isFree(M), 1) ? Lock() : lockHeld(M, Lock);
}

CAUSAL_INTERCEPTOR(int, pthread_mutex_lock, (pthread_mutex_t * M), (M)) {
  return lock(M, [=] { return real_pthread_mutex_lock(M); });
}

CAUSAL_INTERCEPTOR(int, pthread_mutex_timedlock,
                   (pthread_mutex_t * M, const struct timespec *Until),
                   (M, Until)) {
  return lock(M, [=] { return real_pthread_mutex_timedlock(M, Until); });
}

CAUSAL_INTERCEPTOR(int, pthread_mutex_clocklock,
                   (pthread_mutex_t * M, clockid_t Clock,
                    const struct timespec *Until),
                   (M, Clock, Until)) {
  return lock(M, [=] { return real_pthread_mutex_clocklock(M, Clock, Until); });
}

CAUSAL_INTERCEPTOR(int, pthread_mutex_unlock, (pthread_mutex_t * M), (M)) {
  beforeWake(object(M));
  return real_pthread_mutex_unlock(M);
}

CAUSAL_INTERCEPTOR(int, pthread_barrier_wait, (pthread_barrier_t * B), (B)) {
  beforeWake(object(B)); // The last to arrive wakes the others.
  beforeBlock();
  int Result = real_pthread_barrier_wait(B);
  afterBlock(object(B), Result == 0 || Result == PTHREAD_BARRIER_SERIAL_THREAD);
  return Result;
}
