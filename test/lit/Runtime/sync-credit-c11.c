// The same for C11's threads.
// RUN: rm -f %t.*.causal
// RUN: %causal_clang -fcausal-profile -std=gnu11 -O1 -pthread %s -o %t
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.mtx.causal" %t mtx
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.cnd.causal" %t cnd
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.once.causal" %t once
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.join.causal" %t join
// RUN: %python %S/Inputs/credited.py %t.mtx.causal %t.cnd.causal %t.once.causal %t.join.causal

#include "Inputs/handover.h"
#include <string.h>
#include <threads.h>

static mtx_t Mutex, Working;
static cnd_t Condition;
static once_flag Once = ONCE_FLAG_INIT;
enum { Nobody, Holder, Waiter } static Turn;
static const char *Kind;
static int is(const char *Name) { return !strcmp(Kind, Name); }

static void pass(int Next) {
  mtx_lock(&Mutex);
  Turn = Next;
  cnd_broadcast(&Condition);
  mtx_unlock(&Mutex);
}
static void await(int Mine) {
  mtx_lock(&Mutex);
  while (Turn != Mine)
    cnd_wait(&Condition, &Mutex);
  mtx_unlock(&Mutex);
}
static void workOnce(void) {
  pass(Waiter);
  work();
}

static int worker(void *Argument) {
  for (int I = 0; I < Rounds; ++I) {
    await(Holder);
    if (is("once")) {
      call_once(&Once, workOnce);
    } else if (is("mtx")) {
      mtx_lock(&Working);
      pass(Waiter);
      work();
      mtx_unlock(&Working);
    } else {
      work();
      pass(Waiter);
    }
  }
  return 0;
}
static int workOnly(void *Argument) {
  work();
  return 7;
}

int main(int Count, char **Arguments) {
  Kind = Arguments[1];
  mtx_init(&Mutex, mtx_plain);
  mtx_init(&Working, mtx_timed);
  cnd_init(&Condition);
  thrd_t Thread;
  int Result = 0;
  if (is("join")) {
    for (int I = 0; I < Rounds; ++I) {
      thrd_create(&Thread, workOnly, 0);
      thrd_join(Thread, &Result);
      if (Result != 7)
        return 1;
    }
    return 0;
  }
  thrd_create(&Thread, worker, 0);
  for (int I = 0; I < Rounds; ++I) {
    pass(Holder);
    await(Waiter);
    if (is("once")) {
      call_once(&Once, workOnce);
      Once = (once_flag)ONCE_FLAG_INIT;
    } else if (is("mtx")) {
      mtx_lock(&Working);
      mtx_unlock(&Working);
    }
  }
  return thrd_join(Thread, &Result) != thrd_success;
}
// SERIAL: its threads are to run when they want to.
