//===- causal_interceptors_cond.cpp - Condition variables -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wait gives the mutex away, so it wakes as well as blocks; its end takes the
// mutex back, perhaps from yet another thread. Waits are cancellation points, and
// stay so: nothing here is to be undone when the thread is cancelled.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_sync.h"
#include "intercept/causal_interceptors.h"
#include "intercept/causal_wakes.h"

#include <pthread.h>

using namespace __causal;

CAUSAL_WAITS(Wait, C, CAUSAL_INTERCEPTOR, int, pthread_cond_wait,
             (pthread_cond_t * C, pthread_mutex_t *M), (C, M)) {
  waking(M);
  return waitGivingAway(C, M, [=] { return blocking_pthread_cond_wait(C, M); });
}

CAUSAL_WAITS(Wait, C, CAUSAL_INTERCEPTOR, int, pthread_cond_timedwait,
             (pthread_cond_t * C, pthread_mutex_t *M, const struct timespec *Until),
             (C, M, Until)) {
  waking(M);
  return waitGivingAway(C, M, [=] { return blocking_pthread_cond_timedwait(C, M, Until); });
}

CAUSAL_WAITS(Wait, C, CAUSAL_INTERCEPTOR, int, pthread_cond_clockwait,
             (pthread_cond_t * C, pthread_mutex_t *M, clockid_t Clock,
              const struct timespec *Until),
             (C, M, Clock, Until)) {
  waking(M);
  return waitGivingAway(C, M, [=] { return blocking_pthread_cond_clockwait(C, M, Clock, Until); });
}

CAUSAL_INTERCEPTOR(int, pthread_cond_signal, (pthread_cond_t * C), (C)) {
  wakes(C);
  return real_pthread_cond_signal(C);
}

CAUSAL_INTERCEPTOR(int, pthread_cond_broadcast, (pthread_cond_t * C), (C)) {
  wakes(C, /*All=*/true);
  return real_pthread_cond_broadcast(C);
}
