//===- causal_interceptors_c11.cpp - Mutexes and conditions of C11 -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libc's own do not come by the wrappers of the pthread functions that they are made
// of. Programs may have functions of these names (there are libraries that stand in
// for <threads.h>), so they are interposed weakly. thrd_create and its like are in
// causal_interceptors_thread.cpp, call_once in causal_interceptors_once.cpp.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_sync.h"
#include "intercept/causal_interceptors.h"
#include "intercept/causal_wakes.h"

#include <threads.h>

using namespace __causal;

static_assert(thrd_success == 0, "what waitFor takes for the end of a wait");

CAUSAL_WAITS(Lock, M, CAUSAL_WEAK_INTERPOSER, int, mtx_lock, (mtx_t * M), (M)) {
  return waitForMutex(M, [=] { return blocking_mtx_lock(M); });
}

CAUSAL_WAITS(Lock, M, CAUSAL_WEAK_INTERPOSER, int, mtx_timedlock,
             (mtx_t * M, const struct timespec *Until), (M, Until)) {
  return waitForMutex(M, [=] { return blocking_mtx_timedlock(M, Until); });
}

CAUSAL_WEAK_INTERPOSER(int, mtx_trylock, (mtx_t * M), (M)) {
  return tryLock(M, [=] { return real_mtx_trylock(M); });
}

CAUSAL_WEAK_INTERPOSER(int, mtx_unlock, (mtx_t * M), (M)) {
  waking(M);
  return unlock(M, [=] { return real_mtx_unlock(M); });
}

CAUSAL_WAITS(Wait, C, CAUSAL_WEAK_INTERPOSER, int, cnd_wait, (cnd_t * C, mtx_t *M), (C, M)) {
  waking(M);
  return waitGivingAway(C, M, [=] { return blocking_cnd_wait(C, M); });
}

CAUSAL_WAITS(Wait, C, CAUSAL_WEAK_INTERPOSER, int, cnd_timedwait,
             (cnd_t * C, mtx_t *M, const struct timespec *Until), (C, M, Until)) {
  waking(M);
  return waitGivingAway(C, M, [=] { return blocking_cnd_timedwait(C, M, Until); });
}

CAUSAL_WEAK_INTERPOSER(int, cnd_signal, (cnd_t * C), (C)) {
  wakes(C);
  return real_cnd_signal(C);
}

CAUSAL_WEAK_INTERPOSER(int, cnd_broadcast, (cnd_t * C), (C)) {
  wakes(C, /*All=*/true);
  return real_cnd_broadcast(C);
}
