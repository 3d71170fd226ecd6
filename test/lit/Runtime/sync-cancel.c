// Waits for semaphores and C11's conditions stay cancellation points.
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=5:output=%t.causal %t
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static sem_t S;
static mtx_t M;
static cnd_t C;
static int CleanedUp;
static struct timespec Late;
static void cleanUp(void *Argument) { ++CleanedUp; }

static void *waiter(void *How) {
  pthread_cleanup_push(cleanUp, 0);
  switch ((long)How) {
  case 0:
    sem_wait(&S);
    break;
  case 1:
    sem_timedwait(&S, &Late);
    break;
  case 2:
    sem_clockwait(&S, CLOCK_REALTIME, &Late);
    break;
  case 3:
    mtx_lock(&M);
    for (;;)
      cnd_wait(&C, &M);
  }
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  sem_init(&S, 0, 0);
  mtx_init(&M, mtx_plain);
  cnd_init(&C);
  clock_gettime(CLOCK_REALTIME, &Late);
  Late.tv_sec += 3600;
  for (long How = 0; How < 4; ++How) {
    pthread_t Thread;
    void *Result;
    pthread_create(&Thread, 0, waiter, (void *)How);
    pthread_cancel(Thread);
    if (pthread_join(Thread, &Result) || Result != PTHREAD_CANCELED)
      return 1;
  }
  return CleanedUp != 4;
}
