//===- causal_interceptors_spin.cpp - Spin locks -------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that spins is known to wait, which samples of it could not tell: it does
// not pause while it waits, and is credited when it has the lock. Spinning that the
// program does itself, on atomics, is work like any other.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_sync.h"
#include "intercept/causal_interceptors.h"

#include <pthread.h>

using namespace __causal;

CAUSAL_INTERCEPTOR(int, pthread_spin_trylock, (pthread_spinlock_t * L), (L)) {
  return tryLock(LockCall::spinning(L), [=] { return real_pthread_spin_trylock(L); });
}

CAUSAL_INTERCEPTOR(int, pthread_spin_lock, (pthread_spinlock_t * L), (L)) {
  return waitForLock(
      LockCall::spinning(L), [=] { return real_pthread_spin_trylock(L); },
      [=] { return real_pthread_spin_lock(L); });
}

CAUSAL_INTERCEPTOR(int, pthread_spin_unlock, (pthread_spinlock_t * L), (L)) {
  return unlock(L, [=] { return real_pthread_spin_unlock(L); });
}
