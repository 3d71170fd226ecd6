// A program that is killed keeps what was known at the last snapshot, waits that still last
// included, with their stacks.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: not --crash %env_causal_opts=mode=cpu:snapshot_ms=50:output=%t.causal %t
// RUN: %python %S/Inputs/cpu_profile.py %t.causal --not-final --print --expect works:cpu \
// RUN:   --frames stuck:lock:takesBoth --frames stuck:lock:pthread_mutex_lock
#include "Inputs/work.h"
#include <signal.h>
static pthread_mutex_t Mutexes[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_barrier_t Both;
__attribute__((noinline)) static void takesBoth(pthread_mutex_t *First, pthread_mutex_t *Second) {
  pthread_mutex_lock(First);
  pthread_barrier_wait(&Both);
  pthread_mutex_lock(Second); // For ever.
  work(1);
}
static void *stuck(void *Argument) {
  name("stuck");
  Argument ? takesBoth(&Mutexes[0], &Mutexes[1]) : takesBoth(&Mutexes[1], &Mutexes[0]);
  return 0;
}
int main(void) {
  pthread_t Threads[2];
  name("works");
  pthread_barrier_init(&Both, 0, 2);
  pthread_create(&Threads[0], 0, stuck, 0);
  pthread_create(&Threads[1], 0, stuck, &Both);
  work(400);
  raise(SIGKILL);
}
