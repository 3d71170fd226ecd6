// A program all of whose threads wait for locks, and for each other's end, still writes
// down that they do.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t
// RUN: %python %S/Inputs/kill_when.py '"state":"lock"' 3 %t.causal env CAUSAL_OPTIONS=mode=cpu:snapshot_ms=20:output=%t.causal %t
// RUN: %python %S/Inputs/cpu_profile.py %t.causal --not-final --print --frames stuck:lock:takesBoth \
// RUN:   --frames waits:join:main
#include "Inputs/work.h"
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
  name("waits");
  pthread_barrier_init(&Both, 0, 2);
  pthread_create(&Threads[0], 0, stuck, 0);
  pthread_create(&Threads[1], 0, stuck, &Both);
  pthread_join(Threads[0], 0);
  return 0;
}
