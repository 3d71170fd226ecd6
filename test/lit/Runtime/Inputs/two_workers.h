// Two threads that work beside each other, for tests of what is counted.
#include "work.h"

#include <causal/causal.h>
#include <pthread.h>

// Rounds of 1 ms of CPU time each; int *Rounds.
static void *worker(void *Rounds) {
  for (int I = 0; I < *(int *)Rounds; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
  return Rounds;
}

static void twoWorkers(int Rounds) {
  pthread_t T;
  pthread_create(&T, 0, worker, &Rounds);
  worker(&Rounds);
  pthread_join(T, 0);
}
