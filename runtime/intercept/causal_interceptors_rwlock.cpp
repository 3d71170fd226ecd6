//===- causal_interceptors_rwlock.cpp - Locks for many readers -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reader may wait for a writer, a writer for all readers: whoever unlocks may wake
// either. One object stands for both.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_sync.h"
#include "intercept/causal_interceptors.h"
#include "intercept/causal_wakes.h"

#include <pthread.h>

using namespace __causal;

// What is done with the lock is another thing for a writer (law 11).
static uintptr_t writing(const pthread_rwlock_t *L) { return reinterpret_cast<uintptr_t>(L) + 1; }

CAUSAL_INTERCEPTOR(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * L), (L)) {
  return tryLock(L, [=] { return real_pthread_rwlock_tryrdlock(L); });
}
CAUSAL_INTERCEPTOR(int, pthread_rwlock_trywrlock, (pthread_rwlock_t * L), (L)) {
  return tryLock({L, writing(L)}, [=] { return real_pthread_rwlock_trywrlock(L); });
}

CAUSAL_WAITS(Lock, L, CAUSAL_INTERCEPTOR, int, pthread_rwlock_rdlock, (pthread_rwlock_t * L), (L)) {
  return waitForLock(
      L, [=] { return real_pthread_rwlock_tryrdlock(L); },
      [=] {
        return tryFirst([=] { return real_pthread_rwlock_tryrdlock(L); },
                        [=] { return blocking_pthread_rwlock_rdlock(L); });
      });
}
CAUSAL_WAITS(Lock, L, CAUSAL_INTERCEPTOR, int, pthread_rwlock_wrlock, (pthread_rwlock_t * L), (L)) {
  return waitForLock(
      {L, writing(L)}, [=] { return real_pthread_rwlock_trywrlock(L); },
      [=] {
        return tryFirst([=] { return real_pthread_rwlock_trywrlock(L); },
                        [=] { return blocking_pthread_rwlock_wrlock(L); });
      });
}

CAUSAL_WAITS(Lock, L, CAUSAL_INTERCEPTOR, int, pthread_rwlock_timedrdlock,
             (pthread_rwlock_t * L, const struct timespec *Until), (L, Until)) {
  return waitForLock(L, [=] { return blocking_pthread_rwlock_timedrdlock(L, Until); });
}
CAUSAL_WAITS(Lock, L, CAUSAL_INTERCEPTOR, int, pthread_rwlock_timedwrlock,
             (pthread_rwlock_t * L, const struct timespec *Until), (L, Until)) {
  return waitForLock({L, writing(L)},
                     [=] { return blocking_pthread_rwlock_timedwrlock(L, Until); });
}

CAUSAL_WAITS(Lock, L, CAUSAL_INTERCEPTOR, int, pthread_rwlock_clockrdlock,
             (pthread_rwlock_t * L, clockid_t Clock, const struct timespec *Until),
             (L, Clock, Until)) {
  return waitForLock(L, [=] { return blocking_pthread_rwlock_clockrdlock(L, Clock, Until); });
}
CAUSAL_WAITS(Lock, L, CAUSAL_INTERCEPTOR, int, pthread_rwlock_clockwrlock,
             (pthread_rwlock_t * L, clockid_t Clock, const struct timespec *Until),
             (L, Clock, Until)) {
  return waitForLock({L, writing(L)},
                     [=] { return blocking_pthread_rwlock_clockwrlock(L, Clock, Until); });
}

CAUSAL_INTERCEPTOR(int, pthread_rwlock_unlock, (pthread_rwlock_t * L), (L)) {
  waking(L);
  return unlock(L, [=] { return real_pthread_rwlock_unlock(L); });
}
