// Waits stay cancellation points, and cleanup handlers run with the mutex held.
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=5:output=%t.causal %t
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t M = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t C = PTHREAD_COND_INITIALIZER;
static int Waiting, CleanedUp;
static void cleanUp(void *Argument) {
  CleanedUp = 1;
  pthread_mutex_unlock(&M);
}
static void *waiter(void *Argument) {
  pthread_mutex_lock(&M);
  pthread_cleanup_push(cleanUp, 0);
  Waiting = 1;
  pthread_cond_broadcast(&C);
  for (;;)
    pthread_cond_wait(&C, &M);
  pthread_cleanup_pop(1);
  return Argument;
}
int main(void) {
  pthread_t Thread;
  void *Result;
  pthread_create(&Thread, 0, waiter, 0);
  pthread_mutex_lock(&M);
  while (!Waiting)
    pthread_cond_wait(&C, &M);
  pthread_mutex_unlock(&M);
  pthread_cancel(Thread);
  pthread_join(Thread, &Result);
  return !(Result == PTHREAD_CANCELED && CleanedUp && pthread_mutex_trylock(&M) == 0);
}
