// Waits for a mutex are counted, with their time; looks at a free one and waits awake are not.
// RUN: rm -f %t.*.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=20:fixed_speedup=0:output=%t.mutex.causal %t mutex
// RUN: %env_causal_opts=experiment_ms=20:fixed_speedup=0:output=%t.spin.causal %t spin
// RUN: %env_causal_opts=experiment_ms=20:fixed_speedup=0:output=%t.free.causal %t free
// RUN: %python -c "import json; E = [r for r in map(json.loads, open(r'%t.mutex.causal')) if r['type'] == 'experiment']; W = [r for r in E if 'lock_waits' in r]; N, T, Wall = (sum(r[f] for r in W) for f in ('lock_waits', 'lock_wait_time', 'wall')); print(len(E) > 3, 2 * len(W) > len(E), T > 100000 * N, T < 2 * Wall)" | FileCheck %s
// RUN: grep -c '"type":"experiment"' %t.spin.causal
// RUN: not grep lock_waits %t.spin.causal
// RUN: grep -c '"type":"experiment"' %t.free.causal
// RUN: not grep lock_waits %t.free.causal
// CHECK: True True True True
#include "Inputs/work.h"

#include <causal/causal.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t Shared = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t Spin;
static enum { Mutex, SpinLock, Free } Kind;

// Most of a round is done with the lock, so that it is always waited for.
static void *worker(void *Argument) {
  pthread_mutex_t Own = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_t *Lock = Kind == Free ? &Own : &Shared;
  for (int I = 0; I < 300; ++I) {
    if (Kind == SpinLock)
      pthread_spin_lock(&Spin);
    else
      pthread_mutex_lock(Lock);
    WORK(800);
    if (Kind == SpinLock)
      pthread_spin_unlock(&Spin);
    else
      pthread_mutex_unlock(Lock);
    CAUSAL_PROGRESS;
    WORK(200);
  }
  return Argument;
}

int main(int Count, char **Arguments) {
  Kind = Count > 1 && !strcmp(Arguments[1], "spin")   ? SpinLock
         : Count > 1 && !strcmp(Arguments[1], "free") ? Free
                                                      : Mutex;
  pthread_spin_init(&Spin, 0);
  pthread_t T;
  pthread_create(&T, 0, worker, 0);
  worker(0);
  pthread_join(T, 0);
}
// SERIAL: its threads are to run when they want to.
