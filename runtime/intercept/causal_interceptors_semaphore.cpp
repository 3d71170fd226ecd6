//===- causal_interceptors_semaphore.cpp - Semaphores --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Named semaphores are waited for by the same functions. The names are not reserved:
// a program may have its own, so they are interposed weakly. The waits are
// cancellation points, and stay so: nothing here is to be undone.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_sync.h"
#include "intercept/causal_interceptors.h"
#include "intercept/causal_wakes.h"

#include <semaphore.h>

using namespace __causal;

// A signal has come while the thread paused: it breaks the wait off, if there is one.
CAUSAL_SLOW static bool breakOffSlow(sem_t *S) {
  int Value;
  if (sem_getvalue(S, &Value) || Value > 0)
    return false;
  errno = EINTR;
  return true;
}

template <typename Function>
static int waitForSemaphore(sem_t *S, BreaksOff Signals, Function Wait) {
  if (CausalThread *T = causalThread(); T && payToWait(*T, Signals) && breakOffSlow(S))
    return -1;
  return waitFor(S, Wait);
}

CAUSAL_WAITS(Wait, S, CAUSAL_WEAK_INTERPOSER, int, sem_wait, (sem_t * S), (S)) {
  return waitForSemaphore(S, BreaksOff::UnlessRestarted, [=] { return blocking_sem_wait(S); });
}

CAUSAL_WAITS(Wait, S, CAUSAL_WEAK_INTERPOSER, int, sem_timedwait,
             (sem_t * S, const struct timespec *Until), (S, Until)) {
  return waitForSemaphore(S, BreaksOff::Always, [=] { return blocking_sem_timedwait(S, Until); });
}

CAUSAL_WAITS(Wait, S, CAUSAL_WEAK_INTERPOSER, int, sem_clockwait,
             (sem_t * S, clockid_t Clock, const struct timespec *Until), (S, Clock, Until)) {
  return waitForSemaphore(S, BreaksOff::Always,
                          [=] { return blocking_sem_clockwait(S, Clock, Until); });
}

CAUSAL_WEAK_INTERPOSER(int, sem_trywait, (sem_t * S), (S)) {
  beforeTry();
  return real_sem_trywait(S);
}

CAUSAL_WEAK_INTERPOSER(int, sem_post, (sem_t * S), (S)) {
  wakes(S);
  return real_sem_post(S);
}
