// Waits of a library that was built without the profiler are not seen. But such loops mostly
// yield: these calls are counted. How many there are is up to the machine.
// RUN: split-file %s %t.dir
// RUN: %causal_clang -O1 -c %t.dir/library.c -o %t.plain.o
// RUN: %causal_clang -fcausal-profile -O1 -c %t.dir/library.c -o %t.profiled.o
// RUN: %causal_clang -fcausal-profile -O1 -c %t.dir/main.c -I%S -o %t.main.o
// RUN: %causal_clang -fcausal-profile %t.main.o %t.plain.o -o %t.unseen -pthread
// RUN: %causal_clang -fcausal-profile %t.main.o %t.profiled.o -o %t.seen -pthread
// RUN: rm -f %t.unseen.causal %t.seen.causal
// RUN: %env_causal_opts=experiment_ms=10:output=%t.unseen.causal %t.unseen
// RUN: %env_causal_opts=experiment_ms=10:output=%t.seen.causal %t.seen
// RUN: FileCheck %s --input-file=%t.unseen.causal --check-prefix=UNSEEN
// RUN: FileCheck %s --input-file=%t.seen.causal --check-prefix=SEEN
// UNSEEN: "final":true{{.*}}"losses":{{.*}}"yields":{{[1-9][0-9]*}}
// SEEN: "final":true
// SEEN-NOT: "yields"

//--- library.c
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>

// Not one that the pass knows: it has something to do while it waits.
int waitFor(atomic_int *Flag, int Value, atomic_int *Rounds) {
  int Failed = 0;
  errno = 42;
  while (atomic_load_explicit(Flag, memory_order_acquire) < Value) {
    atomic_fetch_add_explicit(Rounds, 1, memory_order_relaxed);
    Failed |= sched_yield() != 0;
  }
  return Failed || errno != 42;
}

//--- main.c
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
#include <stdatomic.h>

int waitFor(atomic_int *Flag, int Value, atomic_int *Rounds);
static atomic_int Flag, Rounds;
enum { Items = 1500 };

static void *wait(void *Argument) {
  for (int I = 1; I <= Items; ++I)
    if (waitFor(&Flag, I, &Rounds))
      return Argument;
  return 0;
}

int main(void) {
  pthread_t Thread;
  pthread_create(&Thread, 0, wait, &Thread);
  for (int I = 1; I <= Items; ++I) {
    WORK(700);
    CAUSAL_PROGRESS;
    atomic_store(&Flag, I);
  }
  void *Failed;
  pthread_join(Thread, &Failed);
  return Failed != 0;
}
