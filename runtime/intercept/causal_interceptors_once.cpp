//===- causal_interceptors_once.cpp - Initialisation by the first to come -===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first thread runs a function of the program, the others wait until it has. Who
// is the first is known only when the function is called, so it is called through
// one of ours. It may throw, or be cancelled: nothing is to be undone then.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_sync.h"
#include "intercept/causal_interceptors.h"
#include "intercept/causal_wakes.h"

#include <pthread.h>
#include <threads.h>

using namespace __causal;

namespace {
struct Initialisation {
  void (*Function)(void);
  const void *Control;
};
} // namespace

// What this thread is about to do once. Read when the function begins and not
// after, since it may do other things once.
static __thread Initialisation Next __attribute__((tls_model("initial-exec")));

static void runInitialisation() {
  Initialisation Mine = Next;
  if (CausalThread *T = causalThread())
    T->Blocked = 0;
  Mine.Function();
  wakes(Mine.Control);
}

// libc's value of a control whose function has returned, in its ABI since GCC's
// thread-safe statics once read it.
static bool isDone(const int *Control) { return __atomic_load_n(Control, __ATOMIC_ACQUIRE) == 2; }

template <typename Function>
static int waitForFirst(int *Control, void (*Initialise)(void), Function Call) {
  Next = {Initialise, Control};
  return waitFor(Control, Call);
}

CAUSAL_WAITS(Wait, Control, CAUSAL_INTERCEPTOR, int, pthread_once,
             (pthread_once_t * Control, void (*Initialise)(void)), (Control, Initialise)) {
  if (__builtin_expect(isDone(Control), 1))
    return 0;
  return waitForFirst(Control, Initialise,
                      [=] { return blocking_pthread_once(Control, runInitialisation); });
}

CAUSAL_WEAK_INTERPOSER(void, call_once, (once_flag * Flag, void (*Initialise)(void)),
                       (Flag, Initialise)) {
  int *Control = reinterpret_cast<int *>(Flag);
  if (__builtin_expect(isDone(Control), 1))
    return;
  waitForFirst(Control, Initialise, [=] {
    real_call_once(Flag, runInitialisation);
    return 0;
  });
}
