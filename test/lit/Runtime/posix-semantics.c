// Return values and errno of the wrapped functions are POSIX's.
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=5:output=%t.causal %t
// RUN: %clang -O1 -pthread %s -o %t.plain && %t.plain
#define _GNU_SOURCE
#include "Inputs/check.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static void *tryLock(void *M) { return (void *)(long)pthread_mutex_trylock(M); }
static void *leave(void *Value) { pthread_exit(Value); }
static void *meet(void *B) { return (void *)(long)pthread_barrier_wait(B); }
static void *signalSelf(void *Signal) {
  kill(getpid(), (int)(long)Signal);
  return 0;
}
int main(void) {
  struct timespec Past = {1, 0}, Bad = {1, 2000000000};
  pthread_t Thread;
  void *Result;
  errno = 42;

  pthread_mutexattr_t Attributes;
  pthread_mutexattr_init(&Attributes);
  pthread_mutexattr_settype(&Attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_t M;
  pthread_mutex_init(&M, &Attributes);
  CHECK(pthread_mutex_unlock(&M) == EPERM);
  CHECK(pthread_mutex_lock(&M) == 0);
  CHECK(pthread_mutex_lock(&M) == EDEADLK);
  CHECK(pthread_create(&Thread, 0, tryLock, &M) == 0);
  CHECK(pthread_join(Thread, &Result) == 0 && Result == (void *)(long)EBUSY);
  CHECK(pthread_mutex_unlock(&M) == 0);

  pthread_mutex_t R;
  pthread_mutexattr_settype(&Attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&R, &Attributes);
  CHECK(pthread_mutex_lock(&R) == 0 && pthread_mutex_lock(&R) == 0);
  CHECK(pthread_mutex_unlock(&R) == 0 && pthread_mutex_unlock(&R) == 0);

  pthread_mutex_t N = PTHREAD_MUTEX_INITIALIZER;
  CHECK(pthread_mutex_timedlock(&N, &Bad) == 0); // Free: the time is not looked at.
  CHECK(pthread_mutex_timedlock(&N, &Past) == ETIMEDOUT);
  CHECK(pthread_mutex_timedlock(&N, &Bad) == EINVAL);
  CHECK(pthread_mutex_clocklock(&N, CLOCK_MONOTONIC, &Past) == ETIMEDOUT);

  pthread_cond_t C = PTHREAD_COND_INITIALIZER;
  CHECK(pthread_cond_timedwait(&C, &N, &Past) == ETIMEDOUT);
  CHECK(pthread_cond_clockwait(&C, &N, CLOCK_MONOTONIC, &Past) == ETIMEDOUT);
  CHECK(pthread_cond_signal(&C) == 0 && pthread_cond_broadcast(&C) == 0);

  pthread_barrier_t B;
  CHECK(pthread_barrier_init(&B, 0, 2) == 0);
  CHECK(pthread_create(&Thread, 0, meet, &B) == 0);
  int Mine = pthread_barrier_wait(&B);
  CHECK(pthread_join(Thread, &Result) == 0);
  CHECK((Mine == PTHREAD_BARRIER_SERIAL_THREAD) !=
        ((int)(long)Result == PTHREAD_BARRIER_SERIAL_THREAD));

  CHECK(pthread_create(&Thread, 0, leave, (void *)5) == 0);
  CHECK(pthread_join(Thread, &Result) == 0 && Result == (void *)5);
  CHECK(pthread_join(pthread_self(), 0) == EDEADLK);
  CHECK(pthread_tryjoin_np(pthread_self(), 0) == EBUSY);

  sigset_t Set;
  siginfo_t Info;
  int Signal = 0;
  sigemptyset(&Set);
  sigaddset(&Set, SIGUSR1);
  CHECK(pthread_sigmask(SIG_BLOCK, &Set, 0) == 0);
  CHECK(pthread_create(&Thread, 0, signalSelf, (void *)SIGUSR1) == 0);
  CHECK(sigwait(&Set, &Signal) == 0 && Signal == SIGUSR1);
  CHECK(pthread_join(Thread, 0) == 0);
  CHECK(pthread_kill(pthread_self(), SIGUSR1) == 0);
  CHECK(sigwaitinfo(&Set, &Info) == SIGUSR1 && Info.si_pid == getpid());
  CHECK(errno == 42);
  struct timespec Soon = {0, 1000};
  CHECK(sigtimedwait(&Set, &Info, &Soon) == -1 && errno == EAGAIN);
  return 0;
}
