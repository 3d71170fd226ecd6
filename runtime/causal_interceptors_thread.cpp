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
#include "causal_interceptors.h"
#include "causal_sync.h"
#include "causal_thread.h"

#include <errno.h>
#include <pthread.h>

using namespace __causal;

static void *threadMain(void *Argument) {
  Thread *T = static_cast<Thread *>(Argument);
  void *(*Start)(void *) = T->Start;
  void *StartArgument = T->Argument;
  beginThread(T, reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  void *Result = Start(StartArgument);
  endThread();
  return Result;
}

CAUSAL_INTERCEPTOR(int, pthread_create,
                   (pthread_t * Id, const pthread_attr_t *Attributes,
                    void *(*Start)(void *), void *Argument),
                   (Id, Attributes, Start, Argument)) {
  Thread *T = run().active() ? allocateThread() : nullptr;
  if (!T)
    return real_pthread_create(Id, Attributes, Start, Argument);
  T->Start = Start;
  T->Argument = Argument;
  if (Thread *Creator = currentThread()) {
    pay(*Creator);
    T->Delay.Local = Creator->Delay.local();
  } else {
    T->Delay.Local = run().Scheduler.Delays.total();
  }
  int Error = real_pthread_create(Id, Attributes, threadMain, T);
  if (Error)
    releaseThread(T);
  return Error;
}

CAUSAL_INTERCEPTOR(int, pthread_join, (pthread_t Id, void **Result),
                   (Id, Result)) {
  beforeBlock();
  int Error = real_pthread_join(Id, Result);
  afterBlock(threadObject(Id), Error == 0);
  return Error;
}

CAUSAL_INTERCEPTOR(int, pthread_tryjoin_np, (pthread_t Id, void **Result),
                   (Id, Result)) {
  return real_pthread_tryjoin_np(Id, Result); // Never blocks: owes as usual.
}

CAUSAL_INTERCEPTOR(int, pthread_timedjoin_np,
                   (pthread_t Id, void **Result, const struct timespec *Until),
                   (Id, Result, Until)) {
  beforeBlock();
  int Error = real_pthread_timedjoin_np(Id, Result, Until);
  afterBlock(threadObject(Id), Error == 0);
  return Error;
}

CAUSAL_INTERCEPTOR(int, pthread_clockjoin_np,
                   (pthread_t Id, void **Result, clockid_t Clock,
                    const struct timespec *Until),
                   (Id, Result, Clock, Until)) {
  beforeBlock();
  int Error = real_pthread_clockjoin_np(Id, Result, Clock, Until);
  afterBlock(threadObject(Id), Error == 0);
  return Error;
}

// The exit hook of the thread does what is left: destructors are yet to run.
CAUSAL_INTERCEPTOR(void, pthread_exit, (void *Result), (Result)) {
  if (Thread *T = currentThread())
    pay(*T);
  real_pthread_exit(Result);
  __builtin_unreachable();
}
