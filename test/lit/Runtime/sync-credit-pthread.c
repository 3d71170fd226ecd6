// A thread that a pthread lock, semaphore or the like held back pays nothing for it.
// RUN: rm -f %t.*.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.mutex.causal" %t mutex
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.timedlock.causal" %t timedlock
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.rdlock.causal" %t rdlock
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.wrlock.causal" %t wrlock
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.clockwrlock.causal" %t clockwrlock
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.spin.causal" %t spin
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.semaphore.causal" %t semaphore
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.clockwait.causal" %t clockwait
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.once.causal" %t once
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.cond.causal" %t cond
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.join.causal" %t join
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.cancel.causal" %t cancel
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.sigsuspend.causal" %t sigsuspend
// RUN: %env_causal_opts="fixed_line='handover.h:40':fixed_speedup=100:experiment_ms=20:output=%t.pause.causal" %t pause
// RUN: %python %S/Inputs/credited.py %t.mutex.causal %t.timedlock.causal %t.rdlock.causal %t.wrlock.causal %t.clockwrlock.causal %t.spin.causal %t.semaphore.causal %t.clockwait.causal %t.once.causal %t.cond.causal %t.join.causal %t.cancel.causal %t.sigsuspend.causal %t.pause.causal

#define _GNU_SOURCE
#include "Inputs/handover.h"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>

// The worker holds it from before Go until its work is done.
static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t Lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t Spin;
static sem_t Done;
static pthread_once_t Once;
static pthread_cond_t Condition = PTHREAD_COND_INITIALIZER;
static int Ready, Spinning, Woken;

static sem_t Go, Next; // Semaphores are among what is tested.
static const char *Kind;
static struct timespec Late;
static sigset_t Closed, Open; // To SIGUSR1.
static void onSignal(int Signal) { (void)Signal; }
static int is(const char *Name) { return !strcmp(Kind, Name); }
static void goOn(void) { sem_post(&Go); }
static void workOnce(void) {
  goOn();
  work();
}

static void workHolding(void) {
  if (is("mutex") || is("timedlock")) {
    pthread_mutex_lock(&Mutex);
    goOn();
    work();
    pthread_mutex_unlock(&Mutex);
  } else if (is("rdlock") || is("wrlock") || is("clockwrlock")) {
    pthread_rwlock_wrlock(&Lock);
    goOn();
    work();
    pthread_rwlock_unlock(&Lock);
  } else if (is("spin")) {
    pthread_spin_lock(&Spin);
    goOn();
    while (!__atomic_load_n(&Spinning, __ATOMIC_SEQ_CST))
      ;
    workNow();
    pthread_spin_unlock(&Spin);
  } else if (is("once")) {
    pthread_once(&Once, workOnce);
  } else if (is("cond")) {
    goOn();
    work();
    pthread_mutex_lock(&Mutex);
    Ready = 1;
    pthread_cond_signal(&Condition);
    pthread_mutex_unlock(&Mutex);
  } else if (is("sigsuspend")) {
    goOn();
    work();
    kill(getpid(), SIGUSR1); // The waiter alone is open to it.
  } else if (is("pause")) {
    goOn();
    work();
    do { // It may come before the pause.
      kill(getpid(), SIGUSR1);
      usleep(1000);
    } while (!__atomic_load_n(&Woken, __ATOMIC_SEQ_CST));
    __atomic_store_n(&Woken, 0, __ATOMIC_SEQ_CST);
  } else {
    goOn();
    work();
    sem_post(&Done);
  }
}

static void waitForWork(void) {
  if (is("mutex")) {
    pthread_mutex_lock(&Mutex);
    pthread_mutex_unlock(&Mutex);
  } else if (is("timedlock")) {
    pthread_mutex_timedlock(&Mutex, &Late);
    pthread_mutex_unlock(&Mutex);
  } else if (is("rdlock")) {
    pthread_rwlock_rdlock(&Lock);
    pthread_rwlock_unlock(&Lock);
  } else if (is("wrlock")) {
    pthread_rwlock_wrlock(&Lock);
    pthread_rwlock_unlock(&Lock);
  } else if (is("clockwrlock")) {
    pthread_rwlock_clockwrlock(&Lock, CLOCK_REALTIME, &Late);
    pthread_rwlock_unlock(&Lock);
  } else if (is("spin")) {
    __atomic_store_n(&Spinning, 1, __ATOMIC_SEQ_CST);
    pthread_spin_lock(&Spin);
    Spinning = 0;
    pthread_spin_unlock(&Spin);
  } else if (is("once")) {
    pthread_once(&Once, workOnce);
  } else if (is("cond")) {
    pthread_mutex_lock(&Mutex);
    while (!Ready)
      pthread_cond_wait(&Condition, &Mutex);
    Ready = 0;
    pthread_mutex_unlock(&Mutex);
  } else if (is("sigsuspend")) {
    sigsuspend(&Open);
  } else if (is("pause")) {
    pause();
    __atomic_store_n(&Woken, 1, __ATOMIC_SEQ_CST);
  } else if (is("clockwait")) {
    sem_clockwait(&Done, CLOCK_REALTIME, &Late);
  } else {
    sem_wait(&Done);
  }
}

static void *worker(void *Argument) {
  for (int I = 0; I < Rounds; ++I) {
    workHolding();
    sem_wait(&Next);
  }
  return Argument;
}

static void *workOnceOnly(void *Argument) {
  work();
  return Argument;
}
static void *sleeper(void *Argument) {
  __atomic_store_n(&WaiterId, gettid(), __ATOMIC_SEQ_CST);
  sem_wait(&Done);
  return Argument;
}

int main(int Count, char **Arguments) {
  Kind = Arguments[1];
  clock_gettime(CLOCK_REALTIME, &Late);
  Late.tv_sec += 3600;
  pthread_spin_init(&Spin, 0);
  sem_init(&Done, 0, 0);
  sem_init(&Go, 0, 0);
  sem_init(&Next, 0, 0);
  pthread_t Thread;
  if (is("join") || is("cancel")) {
    for (int I = 0; I < Rounds; ++I) {
      pthread_create(&Thread, 0, is("join") ? workOnceOnly : sleeper, 0);
      if (is("cancel")) {
        while (!__atomic_load_n(&WaiterId, __ATOMIC_SEQ_CST))
          ;
        work();
        WaiterId = 0;
        pthread_cancel(Thread);
      }
      pthread_join(Thread, 0);
    }
    return 0;
  }
  signal(SIGUSR1, onSignal);
  sigprocmask(SIG_BLOCK, 0, &Open);
  sigemptyset(&Closed);
  sigaddset(&Closed, SIGUSR1);
  sigprocmask(SIG_BLOCK, &Closed, 0);
  pthread_create(&Thread, 0, worker, 0);
  if (is("pause"))
    sigprocmask(SIG_SETMASK, &Open, 0);
  for (int I = 0; I < Rounds; ++I) {
    sem_wait(&Go);
    waitForWork();
    Once = PTHREAD_ONCE_INIT;
    sem_post(&Next);
  }
  pthread_join(Thread, 0);
  return 0;
}
// SERIAL: its threads are to run when they want to.
