//===- causal_interceptors_futex.cpp - Futexes through libc's syscall() --===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most that waits by a futex and is not in libc calls syscall(): std::atomic's wait,
// futures, latches, semaphores and guards of static variables in libstdc++ and libc++,
// and locks that programs make. Calls with other numbers go straight to libc.
//
// Not seen are system calls that code makes by the instruction itself.
//
//===----------------------------------------------------------------------===//
#include "base/causal_process.h"
#include "base/causal_syscall.h"
#include "causal/causal_sync.h"
#include "intercept/causal_interceptors.h"
#include "intercept/causal_wakes.h"

#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

using namespace __causal;

namespace {
enum : long {
  SysFutex = SYS_futex,
  SysFutexWaitv = 449,
  SysFutexWake = 454,
  SysFutexWait = 455,
  SysFutexRequeue = 456,
};

// The kernel's struct futex_waitv.
struct WaitEntry {
  uint64_t Value;
  uint64_t Address;
  uint32_t Flags;
  uint32_t Reserved;
};

struct Arguments {
  long A, B, C, D, E, F;
};

// Waiters that were moved to another futex are woken there, and do not know it.
// By a hash of the first futex: where its waiters were last moved to.
struct MoveTable {
  uintptr_t Target[256];

  uintptr_t *slot(uintptr_t From) { return &Target[(From * 0x9E3779B97F4A7C15ull) >> 56]; }
  void moved(uintptr_t From, uintptr_t To) { __atomic_store_n(slot(From), To, __ATOMIC_RELAXED); }
  uintptr_t target(uintptr_t From) { return __atomic_load_n(slot(From), __ATOMIC_RELAXED); }
};
} // namespace

static MoveTable Moves;

CAUSAL_REAL(long, syscall, (long Number, long A, long B, long C, long D, long E, long F),
            (Number, A, B, C, D, E, F))
CAUSAL_RESOLVE_EARLY(syscall)

static long call(long Number, const Arguments &X) {
  return real_syscall(Number, X.A, X.B, X.C, X.D, X.E, X.F);
}
static uintptr_t object(long Address) { return static_cast<uintptr_t>(Address); }

static void beforeMove(uintptr_t From, uintptr_t To) {
  wakes(From);
  Moves.moved(From, To);
}

static void afterFutexWait(uintptr_t Futex, bool Woken) {
  afterBlock(Futex, Woken);
  if (uintptr_t Target = Woken ? Moves.target(Futex) : 0)
    afterBlock(Target, Woken);
}

static long waitForFutex(long Number, const Arguments &X) {
  beforeBlock();
  long Result = call(Number, X);
  afterFutexWait(object(X.A), Result == 0);
  return Result;
}
// An address that cannot be read is left to the kernel to complain of.
static bool hasValue(long Address, long Value) {
  return isReadable(object(Address)) &&
         __atomic_load_n(reinterpret_cast<const uint32_t *>(Address), __ATOMIC_RELAXED) ==
             static_cast<uint32_t>(Value);
}
// The same for a wait that signals break off: those with a time are never restarted. A
// futex that has another value than Expected is not waited for.
static long waitForFutex(long Number, const Arguments &X, long Expected, bool HasTime) {
  if (CausalThread *T = causalThread();
      T && payToWait(*T, HasTime ? BreaksOff::Always : BreaksOff::UnlessRestarted) &&
      hasValue(X.A, Expected))
    return brokenOff<long>();
  return waitForFutex(Number, X);
}

static long futex(const Arguments &X) {
  uintptr_t First = object(X.A), Second = object(X.E);
  switch (static_cast<int>(X.B) & FUTEX_CMD_MASK) {
  case FUTEX_WAIT:
  case FUTEX_WAIT_BITSET:
    return waitForFutex(SysFutex, X, /*Expected=*/X.C, /*HasTime=*/X.D);
  case FUTEX_LOCK_PI:
  case FUTEX_LOCK_PI2:
  case FUTEX_WAIT_REQUEUE_PI:
    return waitForFutex(SysFutex, X);
  case FUTEX_WAKE:
  case FUTEX_WAKE_BITSET:
  case FUTEX_UNLOCK_PI:
    wakes(First);
    break;
  case FUTEX_WAKE_OP:
    wakes(First);
    wakes(Second);
    break;
  case FUTEX_REQUEUE:
  case FUTEX_CMP_REQUEUE:
  case FUTEX_CMP_REQUEUE_PI:
    beforeMove(First, Second);
    break;
  }
  return call(SysFutex, X);
}

static long futexWaitv(const Arguments &X) {
  beforeBlock();
  long Result = call(SysFutexWaitv, X);
  bool Woken = Result >= 0 && Result < X.B;
  const WaitEntry *Entries = reinterpret_cast<const WaitEntry *>(X.A);
  afterFutexWait(Woken ? Entries[Result].Address : 0, Woken);
  return Result;
}

// The calls of Linux 6.7, each for one operation of the old one.
static long futexRequeue(const Arguments &X) {
  if (const WaitEntry *Pair = reinterpret_cast<const WaitEntry *>(X.A))
    beforeMove(Pair[0].Address, Pair[1].Address);
  return call(SysFutexRequeue, X);
}

__attribute__((noinline)) static long waitOrWake(long Number, long A, long B, long C, long D,
                                                 long E, long F) {
  Arguments X = {A, B, C, D, E, F};
  switch (Number) {
  case SysFutex:
    return futex(X);
  case SysFutexWaitv:
    return futexWaitv(X);
  case SysFutexWait:
    return waitForFutex(SysFutexWait, X, /*Expected=*/X.B, /*HasTime=*/X.E);
  case SysFutexRequeue:
    return futexRequeue(X);
  case SysFutexWake:
    wakes(object(A));
  }
  return call(Number, X);
}

// syscall() is variadic. Its arguments lie where those of a function of seven longs
// do, and are handed on as they are, those that the caller has not given included.
CAUSAL_INTERFACE __attribute__((weak)) long
interposed_syscall(long Number, long A, long B, long C, long D, long E,
                   long F) __asm__(CAUSAL_INTERPOSED_SYMBOL(syscall));
CAUSAL_INTERFACE __attribute__((weak)) long interposed_syscall(long Number, long A, long B, long C,
                                                               long D, long E, long F) {
  if (__builtin_expect(Number == SysFutex || (Number >= SysFutexWaitv && Number <= SysFutexRequeue),
                       0))
    return waitOrWake(Number, A, B, C, D, E, F);
  switch (Number) {
  case SYS_execve:
  case SYS_execveat:
    return execBySystemCall(Number, {A, B, C, D, E, F});
  case SYS_sigaltstack:
    return stackBySystemCall(A, B);
  case SYS_seccomp:
    if (A == SECCOMP_SET_MODE_STRICT || A == SECCOMP_SET_MODE_FILTER)
      leaveBeforeSandbox();
    break;
  }
  return real_syscall(Number, A, B, C, D, E, F);
}
