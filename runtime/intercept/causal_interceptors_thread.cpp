//===- causal_interceptors_thread.cpp - Threads begin, end and are waited for -===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A new thread starts with its creator's delays and pays before it ends (law 6).
//
//===----------------------------------------------------------------------===//
#include "causal/causal_causal_mode.h"
#include "causal/causal_sync.h"
#include "causal/causal_thread_part.h"
#include "code/causal_images.h"
#include "code/causal_stack_walk.h"
#include "intercept/causal_interceptors.h"
#include "intercept/causal_wakes.h"
#include "sampler/causal_lifetime.h"
#include "sampler/causal_signal_stack.h"

#include <pthread.h>
#include <sched.h>
#include <threads.h>

using namespace __causal;

// A thread's function with another type of result, to keep it in Thread.
template <typename To, typename From> static auto convert(From (*Start)(void *)) -> To (*)(void *) {
  return reinterpret_cast<To (*)(void *)>(reinterpret_cast<void (*)()>(Start));
}

// Result is what a thread's function returns: int with C11, a pointer with POSIX.
template <typename Result> static Result threadMain(void *Argument) {
  ThreadBase *T = static_cast<ThreadBase *>(Argument);
  auto Start = convert<Result>(T->Start);
  void *StartArgument = T->Argument;
  beginThread(T, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  Result R = Start(StartArgument);
  endThread();
  return R;
}

// Where the program makes a thread: one from elsewhere does something else.
static uintptr_t placeOfCreation(CausalThread *Creator) {
  if (!Creator || Creator->InRuntime)
    return 0;
  InRuntimeScope Scope(*Creator);
  return callPath(Creator->Stack);
}

// Law 6: a new thread starts with what its creator has come to.
static void payToCreate(CausalThread &T) {
  CausalThread *Creator = causalThread();
  if (!Creator) {
    T.Delay.Local = run().Scheduler.Delays.total();
    return;
  }
  payToMeet(*Creator);
  T.Place ? goOnWoken(*Creator, 0, CreateContext, T.Place) : goOn(*Creator, CreateContext);
  T.Delay.Local = Creator->Delay.local();
}

// The state of a thread to come; null when it is not to be profiled.
static ThreadBase *beforeCreate(void *(*Start)(void *), void *Argument) {
  if (!isProfiling())
    return nullptr;
  ThreadBase *T = allocateThread(Start, placeOfCreation(causalThread()));
  if (!T)
    return nullptr;
  T->Argument = Argument;
  if (mode() == &CausalMode)
    payToCreate(static_cast<CausalThread &>(*T));
  return T;
}

template <typename Function> static int join(unsigned long Id, Function Wait) {
  CausalThread *T = causalThread();
  beforeBlock();
  if (T)
    __atomic_store_n(&T->Joining, 1, __ATOMIC_RELAXED);
  int Error = Wait();
  if (T)
    __atomic_store_n(&T->Joining, 0, __ATOMIC_RELAXED);
  afterBlock(threadObject(Id), Error == 0, JoinContext);
  return Error;
}

// A thread with little stack has what we use of it on top: the wrappers that it calls, and, where
// it has no alternative one, samples. The program's attributes stay as they are.
static const pthread_attr_t *withRoom(const pthread_attr_t *Attributes, pthread_attr_t &Copy) {
  constexpr size_t Little = 256 << 10, ForWrappers = 8 << 10;
  void *Address;
  size_t Size;
  if (!Attributes || pthread_attr_getstack(Attributes, &Address, &Size) || Size >= Little)
    return Attributes;
  // Without an address glibc has one that such a stack would end at 0 with.
  if (Address && reinterpret_cast<uintptr_t>(Address) + Size)
    return Attributes;
  __builtin_memcpy(&Copy, Attributes, sizeof(Copy));
  return pthread_attr_setstacksize(&Copy, Size + leastSignalStack() + ForWrappers) ? Attributes
                                                                                   : &Copy;
}

CAUSAL_INTERCEPTOR(int, pthread_create,
                   (pthread_t * Id, const pthread_attr_t *Attributes, void *(*Start)(void *),
                    void *Argument),
                   (Id, Attributes, Start, Argument)) {
  ThreadBase *T = beforeCreate(Start, Argument);
  if (!T)
    return real_pthread_create(Id, Attributes, Start, Argument);
  if (Attributes)
    pthread_attr_getstacksize(Attributes, &T->StackSize);
  pthread_attr_t Copy;
  int Error = real_pthread_create(Id, withRoom(Attributes, Copy), threadMain<void *>, T);
  if (Error)
    releaseThread(T);
  return Error;
}

// Weak: there are libraries that stand in for <threads.h>.
CAUSAL_WEAK_INTERPOSER(int, thrd_create, (thrd_t * Id, thrd_start_t Start, void *Argument),
                       (Id, Start, Argument)) {
  ThreadBase *T = beforeCreate(convert<void *>(Start), Argument);
  if (!T)
    return real_thrd_create(Id, Start, Argument);
  int Error = real_thrd_create(Id, threadMain<int>, T);
  if (Error != thrd_success)
    releaseThread(T);
  return Error;
}

static inline int real_pthread_clockjoin_np(pthread_t, void **, clockid_t, const struct timespec *);

// In mode=cpu it wakes up now and then, as one that waits for a lock does.
static int joinSlowly(pthread_t Id, void **Result);

CAUSAL_WAITS(Join, threadObject(Id), CAUSAL_INTERCEPTOR, int, pthread_join,
             (pthread_t Id, void **Result), (Id, Result)) {
  return join(Id, [=] { return joinSlowly(Id, Result); });
}

static int joinSlowly(pthread_t Id, void **Result) {
  CPUThread *T = cpuThread();
  if (!T || isSanitizers_pthread_join())
    return blocking_pthread_join(Id, Result);
  auto Wait = [=](const timespec *Until) {
    return real_pthread_clockjoin_np(Id, Result, CLOCK_MONOTONIC, Until);
  };
  return waitInCPUMode(*T, Site_pthread_join, threadObject(Id), callee_pthread_join(),
                       [=] { return lookingUp(Wait); });
}

CAUSAL_WAITS(Join, threadObject(Id), CAUSAL_WEAK_INTERPOSER, int, thrd_join,
             (thrd_t Id, int *Result), (Id, Result)) {
  return join(Id, [=] { return blocking_thrd_join(Id, Result); });
}

CAUSAL_INTERCEPTOR(int, pthread_tryjoin_np, (pthread_t Id, void **Result), (Id, Result)) {
  return real_pthread_tryjoin_np(Id, Result); // Never blocks: owes as usual.
}

CAUSAL_WAITS(Join, threadObject(Id), CAUSAL_INTERCEPTOR, int, pthread_timedjoin_np,
             (pthread_t Id, void **Result, const struct timespec *Until), (Id, Result, Until)) {
  return join(Id, [=] { return blocking_pthread_timedjoin_np(Id, Result, Until); });
}

CAUSAL_WAITS(Join, threadObject(Id), CAUSAL_INTERCEPTOR, int, pthread_clockjoin_np,
             (pthread_t Id, void **Result, clockid_t Clock, const struct timespec *Until),
             (Id, Result, Clock, Until)) {
  return join(Id, [=] { return blocking_pthread_clockjoin_np(Id, Result, Clock, Until); });
}

// The exit hook of the thread does what is left: destructors are yet to run.
CAUSAL_INTERCEPTOR(void, pthread_exit, (void *Result), (Result)) {
  beforeTry();
  real_pthread_exit(Result);
  __builtin_unreachable();
}

CAUSAL_WEAK_INTERPOSER(void, thrd_exit, (int Result), (Result)) {
  beforeTry();
  real_thrd_exit(Result);
  __builtin_unreachable();
}

// Wakes the thread out of whatever it waits for; its end asks for the credit.
CAUSAL_INTERCEPTOR(int, pthread_cancel, (pthread_t Id), (Id)) {
  wakes(threadObject(Id));
  return real_pthread_cancel(Id);
}

// Who yields, called from PC, most likely spins in a loop that the pass has not seen. It pays
// while that costs nothing. In a library without the profiler nobody sees what ends the wait.
static void beforeYield(void *PC) {
  CausalThread *T = causalThread();
  if (!T || T->Blocked || T->Spinning)
    return;
  payToMeet(*T);
  uintptr_t Caller = reinterpret_cast<uintptr_t>(PC) - 1;
  if (T->YieldsAt != Caller) {
    linemap::Frame Innermost;
    T->YieldsAt = Caller;
    T->YieldsUnseen = lookupFrames(Caller, &Innermost, 1) == 0;
  }
  T->UnseenYields += T->YieldsUnseen;
}
CAUSAL_WEAK_INTERPOSER(int, sched_yield, (), ()) {
  beforeYield(__builtin_return_address(0));
  return real_sched_yield();
}
CAUSAL_WEAK_INTERPOSER(void, thrd_yield, (), ()) {
  beforeYield(__builtin_return_address(0));
  real_thrd_yield();
}
