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
#include "causal/causal_sync.h"
#include "intercept/causal_interceptors.h"
#include "intercept/causal_wakes.h"

#include <pthread.h>
#include <sys/single_threaded.h>

using namespace __causal;

CAUSAL_INTERCEPTOR(int, pthread_mutex_trylock, (pthread_mutex_t * M), (M)) {
  return tryLock(M, [=] { return real_pthread_mutex_trylock(M); });
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
         __atomic_load_n(&M->__data.__kind, __ATOMIC_RELAXED) == PTHREAD_MUTEX_ADAPTIVE_NP;
}

// The kind of mutex that is locked and unlocked right here, by the protocol of
// glibc's pthread_mutex_lock(): a dozen lock pairs in a microsecond are no rarity, and
// two calls for each would be felt. No kind where the lock functions are not glibc's
// (a sanitizer's, a preloaded library's).
static constexpr int NoKind = -1;
static int OwnKind = NoKind;

static bool isOwnKind(const pthread_mutex_t *M) {
  return __atomic_load_n(&M->__data.__kind, __ATOMIC_RELAXED) ==
         __atomic_load_n(&OwnKind, __ATOMIC_RELAXED);
}

// Sets a lock word that is From to To; false if it is not. A program of one thread needs
// no atomic operation for it, and glibc makes none.
static bool exchange(pthread_mutex_t *M, int From, int To) {
  int *Word = &M->__data.__lock;
  if (!__libc_single_threaded)
    return __atomic_compare_exchange_n(Word, &From, To, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  if (__atomic_load_n(Word, __ATOMIC_RELAXED) != From)
    return false;
  __atomic_store_n(Word, To, __ATOMIC_RELAXED);
  return true;
}

// Nothing is to be done for T around a lock.
static bool isOnItsOwn(const CausalThread &T) { return !owes(T) && !(T.LocksMeet | T.TracksLocks); }

static bool lockFree(CausalThread &T, pthread_mutex_t *M) {
  if (!exchange(M, 0, 1))
    return false;
  M->__data.__owner = T.Id;
  ++M->__data.__nusers;
  ++T.Locks;
  return true;
}

// Fails when a waiter is to be woken, and has done nothing then.
static bool unlockUnawaited(pthread_mutex_t *M) {
  int Owner = M->__data.__owner;
  M->__data.__owner = 0;
  --M->__data.__nusers;
  if (exchange(M, 1, 0))
    return true;
  M->__data.__owner = Owner;
  ++M->__data.__nusers;
  return false;
}

// PC: where the program's call returns to.
static int lockSlow(pthread_mutex_t *M, void *PC);
CAUSAL_WAITS(Lock, M, CAUSAL_INTERCEPTOR, int, pthread_mutex_lock, (pthread_mutex_t * M), (M)) {
  CausalThread *T = causalThread();
  if (__builtin_expect(T && isOnItsOwn(*T) && isOwnKind(M) && lockFree(*T, M), 1))
    return 0;
  return lockSlow(M, __builtin_return_address(0));
}

static inline int real_pthread_mutex_clocklock(pthread_mutex_t *, clockid_t,
                                               const struct timespec *);

// Nobody's priority hangs on the wait, and no death ends it. By the bits of the kind in glibc.
static bool canBeTimed(const pthread_mutex_t *M) {
  constexpr int Robust = 16, InheritsPriority = 32, ProtectsPriority = 64;
  return !(__atomic_load_n(&M->__data.__kind, __ATOMIC_RELAXED) &
           (Robust | InheritsPriority | ProtectsPriority));
}

// In mode=cpu. It wakes up now and then: should all threads wait for locks, who would write
// that down?
__attribute__((noinline)) static int lockInCPUMode(CPUThread &T, pthread_mutex_t *M) {
  int Result = real_pthread_mutex_trylock(M);
  if (Result != EBUSY)
    return Result;
  if (!canBeTimed(M) || isSanitizers_pthread_mutex_lock())
    return blocking_pthread_mutex_lock(M);
  return waitInCPUMode(T, Site_pthread_mutex_lock, waitObject(M), callee_pthread_mutex_lock(), [=] {
    return lookingUp([=](const timespec *Until) {
      return real_pthread_mutex_clocklock(M, CLOCK_MONOTONIC, Until);
    });
  });
}

__attribute__((noinline)) static int lockSlow(pthread_mutex_t *M, void *PC) {
  if (CPUThread *Waiter = cpuThread())
    return lockInCPUMode(*Waiter, M);
  CausalThread *T = causalThread();
  LockCall Call(M, PC);
  // Where the interceptor has jumped here, its return address is this function's.
  void **Return = static_cast<void **>(__builtin_frame_address(0)) + 1;
  if (*Return == PC)
    Call.SP = reinterpret_cast<uintptr_t>(Return + 1);
  if (T)
    payForLock(*T);
  if (T && isOwnKind(M)) {
    if (lockFree(*T, M)) {
      goOnLocked(*T, Call);
      return 0;
    }
  } else if (isFree(M)) {
    return noteLock(real_pthread_mutex_lock(M), Call);
  }
  return waitForMutex(Call, [=] { return real_pthread_mutex_lock(M); });
}

static int unlockSlow(pthread_mutex_t *M, void *PC);
CAUSAL_INTERCEPTOR(int, pthread_mutex_unlock, (pthread_mutex_t * M), (M)) {
  CausalThread *T = causalThread();
  if (__builtin_expect(T && isOnItsOwn(*T) && isOwnKind(M) && unlockUnawaited(M), 1))
    return 0;
  return unlockSlow(M, __builtin_return_address(0));
}

__attribute__((noinline)) static int unlockSlow(pthread_mutex_t *M, void *PC) {
  if (CausalThread *T = causalThread()) {
    payToUnlock(*T, reinterpret_cast<uintptr_t>(M));
    if (__builtin_expect(isWaitedFor(M), 0))
      publish(*T, M);
  } else if (cpuThread() && isWaitedFor(M)) {
    waking(M);
  }
  leaveSection({M, PC});
  int Result = real_pthread_mutex_unlock(M);
  afterUnlock(M);
  return Result;
}

void __causal::lockOrdinaryMutexes() {
#ifndef CAUSAL_STATIC
  if (!Real_pthread_mutex_lock)
    resolve_pthread_mutex_lock();
  if (!Real_pthread_mutex_unlock)
    resolve_pthread_mutex_unlock();
  Dl_info Libc, Lock, Unlock;
  if (!dladdr(dlsym(RTLD_NEXT, "gnu_get_libc_version"), &Libc) ||
      !dladdr(Real_pthread_mutex_lock, &Lock) || !dladdr(Real_pthread_mutex_unlock, &Unlock) ||
      Lock.dli_fbase != Libc.dli_fbase || Unlock.dli_fbase != Libc.dli_fbase)
    return;
#endif
  __atomic_store_n(&OwnKind, PTHREAD_MUTEX_TIMED_NP, __ATOMIC_RELAXED);
}

CAUSAL_WAITS(Lock, M, CAUSAL_INTERCEPTOR, int, pthread_mutex_timedlock,
             (pthread_mutex_t * M, const struct timespec *Until), (M, Until)) {
  return waitForMutex(M, [=] { return blocking_pthread_mutex_timedlock(M, Until); });
}

CAUSAL_WAITS(Lock, M, CAUSAL_INTERCEPTOR, int, pthread_mutex_clocklock,
             (pthread_mutex_t * M, clockid_t Clock, const struct timespec *Until),
             (M, Clock, Until)) {
  return waitForMutex(M, [=] { return blocking_pthread_mutex_clocklock(M, Clock, Until); });
}

CAUSAL_WAITS(Wait, B, CAUSAL_INTERCEPTOR, int, pthread_barrier_wait, (pthread_barrier_t * B), (B)) {
  wakes(B); // The last to arrive wakes the others.
  beforeBlock();
  int Result = blocking_pthread_barrier_wait(B);
  afterBlock(reinterpret_cast<uintptr_t>(B),
             Result == 0 || Result == PTHREAD_BARRIER_SERIAL_THREAD);
  return Result;
}
