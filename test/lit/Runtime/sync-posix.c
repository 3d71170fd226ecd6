// Values and errno of rwlocks, spin locks, semaphores, once and C11's threads are the
// system's; also in a static program, and without the profiler.
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=5:output=%t.causal %t
// RUN: %causal_clang -fcausal-profile -O1 -static -pthread %s -o %t.static
// RUN: %env_causal_opts=experiment_ms=5:output=%t.causal %t.static
// RUN: %clang -O1 -pthread %s -o %t.plain && %t.plain
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static const struct timespec Past = {1, 0}, Bad = {1, 2000000000};

static int locks(void) {
  pthread_rwlock_t L = PTHREAD_RWLOCK_INITIALIZER;
  CHECK(pthread_rwlock_rdlock(&L) == 0 && pthread_rwlock_tryrdlock(&L) == 0);
  CHECK(pthread_rwlock_trywrlock(&L) == EBUSY);
  CHECK(pthread_rwlock_timedwrlock(&L, &Past) == ETIMEDOUT);
  CHECK(pthread_rwlock_clockwrlock(&L, CLOCK_MONOTONIC, &Past) == ETIMEDOUT);
  CHECK(pthread_rwlock_timedrdlock(&L, &Past) == 0);
  for (int I = 0; I < 3; ++I)
    CHECK(pthread_rwlock_unlock(&L) == 0);
  CHECK(pthread_rwlock_wrlock(&L) == 0);
  CHECK(pthread_rwlock_wrlock(&L) == EDEADLK);
  CHECK(pthread_rwlock_rdlock(&L) == EDEADLK);
  CHECK(pthread_rwlock_tryrdlock(&L) == EBUSY);
  CHECK(pthread_rwlock_timedrdlock(&L, &Bad) == EINVAL);
  CHECK(pthread_rwlock_unlock(&L) == 0);
  CHECK(pthread_rwlock_clockrdlock(&L, CLOCK_MONOTONIC, &Past) == 0);
  CHECK(pthread_rwlock_unlock(&L) == 0);

  pthread_spinlock_t S;
  CHECK(pthread_spin_init(&S, 0) == 0 && pthread_spin_lock(&S) == 0);
  CHECK(pthread_spin_trylock(&S) == EBUSY);
  CHECK(pthread_spin_unlock(&S) == 0 && pthread_spin_trylock(&S) == 0);
  CHECK(pthread_spin_unlock(&S) == 0);
  return 0;
}

static void handler(int Signal) {}
static sem_t S;
static pthread_t Waiter;
static void *interrupt(void *Argument) {
  while (!__atomic_load_n((int *)Argument, __ATOMIC_SEQ_CST)) {
    pthread_kill(Waiter, SIGUSR1);
    sched_yield();
  }
  return 0;
}

static int semaphores(const char *Name) {
  CHECK(sem_init(&S, 0, 1) == 0 && sem_wait(&S) == 0 && errno == 42);
  CHECK(sem_trywait(&S) == -1 && errno == EAGAIN);
  CHECK(sem_timedwait(&S, &Past) == -1 && errno == ETIMEDOUT);
  CHECK(sem_clockwait(&S, CLOCK_MONOTONIC, &Past) == -1 && errno == ETIMEDOUT);
  CHECK(sem_timedwait(&S, &Bad) == -1 && errno == EINVAL);
  errno = 42;
  CHECK(sem_post(&S) == 0 && sem_timedwait(&S, &Past) == 0 && errno == 42);

  struct sigaction Action = {.sa_handler = handler};
  sigaction(SIGUSR1, &Action, 0);
  int Stop = 0;
  pthread_t Thread;
  Waiter = pthread_self();
  CHECK(pthread_create(&Thread, 0, interrupt, &Stop) == 0);
  CHECK(sem_wait(&S) == -1 && errno == EINTR);
  __atomic_store_n(&Stop, 1, __ATOMIC_SEQ_CST);
  CHECK(pthread_join(Thread, 0) == 0);

  sem_t *Named = sem_open(Name, O_CREAT | O_EXCL, 0600, 0);
  CHECK(Named != SEM_FAILED && sem_unlink(Name) == 0);
  CHECK(sem_post(Named) == 0 && sem_wait(Named) == 0 && sem_close(Named) == 0);
  return 0;
}

static int Count;
static pthread_once_t Inner = PTHREAD_ONCE_INIT;
static void inside(void) { Count += 10; }
static void outside(void) {
  pthread_once(&Inner, inside);
  ++Count;
}
static sem_t InOnce;
static void waitForever(void) {
  sem_post(&InOnce);
  for (;;)
    pause();
}
static void *cancelledOnce(void *Control) {
  pthread_once(Control, waitForever);
  return 0;
}

static int once(void) {
  pthread_once_t Control = PTHREAD_ONCE_INIT;
  once_flag Flag = ONCE_FLAG_INIT;
  CHECK(pthread_once(&Control, outside) == 0 && Count == 11);
  CHECK(pthread_once(&Control, outside) == 0 && Count == 11);
  call_once(&Flag, inside);
  call_once(&Flag, inside);
  CHECK(Count == 21);
  // Cancelled on its way, it is to be done by the next one.
  pthread_once_t Again = PTHREAD_ONCE_INIT;
  pthread_t Thread;
  sem_init(&InOnce, 0, 0);
  CHECK(pthread_create(&Thread, 0, cancelledOnce, &Again) == 0);
  CHECK(sem_wait(&InOnce) == 0 && pthread_cancel(Thread) == 0);
  CHECK(pthread_join(Thread, 0) == 0);
  CHECK(pthread_once(&Again, inside) == 0 && Count == 31);
  return 0;
}

static int leave(void *Value) { thrd_exit(*(int *)Value); }
static int tryLock(void *M) { return mtx_trylock(M); }

static int c11(void) {
  mtx_t M;
  cnd_t C;
  thrd_t Thread;
  int Value = 5, Result;
  CHECK(mtx_init(&M, mtx_timed) == thrd_success && cnd_init(&C) == thrd_success);
  CHECK(mtx_lock(&M) == thrd_success);
  CHECK(mtx_timedlock(&M, &Past) == thrd_timedout);
  CHECK(cnd_timedwait(&C, &M, &Past) == thrd_timedout);
  CHECK(cnd_signal(&C) == thrd_success && cnd_broadcast(&C) == thrd_success);
  CHECK(thrd_create(&Thread, tryLock, &M) == thrd_success);
  CHECK(thrd_join(Thread, &Result) == thrd_success && Result == thrd_busy);
  CHECK(mtx_unlock(&M) == thrd_success && mtx_trylock(&M) == thrd_success);
  CHECK(thrd_create(&Thread, leave, &Value) == thrd_success);
  CHECK(thrd_join(Thread, &Result) == thrd_success && Result == 5);
  return 0;
}

int main(void) {
  char Name[32];
  snprintf(Name, sizeof(Name), "/causal.%d", (int)getpid());
  errno = 42;
  if (locks() || semaphores(Name) || once())
    return 1;
  errno = 42;
  return c11() || errno != 42;
}
