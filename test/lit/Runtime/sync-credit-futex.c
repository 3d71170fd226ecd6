// The same for futexes, through libc's syscall(), and for locks that a program tells of.
// RUN: rm -f %t.*.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.wait.causal" %t wait
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.bitset.causal" %t bitset
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.wakeop.causal" %t wakeop
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.requeue.causal" %t requeue
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.waitv.causal" %t waitv
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.hooks.causal" %t hooks
// RUN: %python %S/Inputs/credited.py %t.wait.causal %t.bitset.causal %t.wakeop.causal %t.requeue.causal %t.waitv.causal %t.hooks.causal

#define _GNU_SOURCE
#include "Inputs/handover.h"
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *Kind;
static int is(const char *Name) { return !strcmp(Kind, Name); }
static int Turn, Parked;
static void set(int Value) { __atomic_store_n(&Turn, Value, __ATOMIC_SEQ_CST); }
static int get(void) { return __atomic_load_n(&Turn, __ATOMIC_SEQ_CST); }

static void wake(int Value) {
  if (is("hooks")) {
    CAUSAL_BEFORE_WAKE(&Turn);
    set(Value);
    return;
  }
  if (!is("wakeop"))
    set(Value);
  if (is("wakeop")) // The kernel sets the turn itself.
    syscall(SYS_futex, &Parked, FUTEX_WAKE_OP_PRIVATE, 1, 1L, &Turn,
            FUTEX_OP(FUTEX_OP_SET, Value, FUTEX_OP_CMP_GE, 0));
  else if (is("requeue")) {
    syscall(SYS_futex, &Turn, FUTEX_CMP_REQUEUE_PRIVATE, 0, 1L, &Parked, Value);
    syscall(SYS_futex, &Parked, FUTEX_WAKE_PRIVATE, 1);
  } else if (is("bitset"))
    syscall(SYS_futex, &Turn, FUTEX_WAKE_BITSET_PRIVATE, 1, 0, 0, 4);
  else
    syscall(SYS_futex, &Turn, is("waitv") ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE, 1);
}

static void await(int Value) {
  if (is("hooks")) {
    CAUSAL_BEFORE_WAIT();
    while (get() != Value)
      usleep(50);
    CAUSAL_AFTER_WAIT(&Turn, 1);
    return;
  }
  int Seen;
  while ((Seen = get()) != Value)
    if (is("bitset"))
      syscall(SYS_futex, &Turn, FUTEX_WAIT_BITSET_PRIVATE, Seen, 0, 0, 4);
    else if (is("waitv")) {
      struct {
        uint64_t Value, Address;
        uint32_t Flags, Reserved;
      } Entries[2] = {{0, (uintptr_t)&Parked, 2, 0},
                      {(uint64_t)Seen, (uintptr_t)&Turn, 2, 0}};
      if (syscall(449, Entries, 2, 0, 0, 0) < 0 && errno == ENOSYS)
        syscall(SYS_futex, &Turn, FUTEX_WAIT, Seen, 0);
    } else
      syscall(SYS_futex, &Turn, FUTEX_WAIT_PRIVATE, Seen, 0);
}

static void *worker(void *Argument) {
  for (int I = 0; I < Rounds; ++I) {
    await(1);
    work();
    wake(0);
  }
  return Argument;
}

int main(int Count, char **Arguments) {
  Kind = Arguments[1];
  pthread_t Thread;
  pthread_create(&Thread, 0, worker, 0);
  for (int I = 0; I < Rounds; ++I) {
    wake(1);
    await(0);
  }
  return pthread_join(Thread, 0);
}
// SERIAL: its threads are to run when they want to.
