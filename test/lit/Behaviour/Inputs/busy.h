// Threads in the background that take samples and cause delays: two that hand a
// mutex to each other, with a progress point. They have made rounds (of about 75 us) for
// several experiments before busyBegin() returns, on however busy a machine.
#include <causal/causal.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPECT(Condition)                                                      \
  do                                                                           \
    if (!(Condition)) {                                                        \
      printf("line %d: %s\n", __LINE__, #Condition);                           \
      fflush(stdout);                                                          \
      _Exit(99);                                                               \
    }                                                                          \
  while (0)

static inline double cpuSeconds(void) {
  struct timespec T;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  return (double)T.tv_sec + (double)T.tv_nsec * 1e-9;
}

// Spins for about Microseconds of the calling thread's CPU time.
static inline void work(int Microseconds) {
  double End = cpuSeconds() + Microseconds * 1e-6;
  while (cpuSeconds() < End)
    for (volatile int I = 0; I < 2000; ++I)
      ;
}

static pthread_mutex_t BusyMutex = PTHREAD_MUTEX_INITIALIZER;
static int BusyStop, BusyRounds;
static pthread_t BusyThreads[2];
static void *busyWorker(void *Argument) {
  while (!__atomic_load_n(&BusyStop, __ATOMIC_RELAXED)) {
    work(100);
    pthread_mutex_lock(&BusyMutex);
    work(50);
    pthread_mutex_unlock(&BusyMutex);
    CAUSAL_PROGRESS;
    __atomic_fetch_add(&BusyRounds, 1, __ATOMIC_RELAXED);
  }
  return Argument;
}
static inline void busyBegin(void) {
  for (int I = 0; I < 2; ++I)
    pthread_create(&BusyThreads[I], 0, busyWorker, 0);
  while (__atomic_load_n(&BusyRounds, __ATOMIC_RELAXED) < 300)
    work(50);
}
static inline void busyEnd(void) {
  __atomic_store_n(&BusyStop, 1, __ATOMIC_RELAXED);
  for (int I = 0; I < 2; ++I)
    pthread_join(BusyThreads[I], 0);
}
