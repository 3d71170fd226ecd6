// What the runtime opens for its threads has a low number for a moment. The program
// gets the numbers that it would get without us, while threads come and go. (Exactly
// that cannot be had: a call may be on its way already when the runtime opens.)
// RUN: %build
// RUN: env CAUSAL_OPTIONS=output=/dev/null %t
#include "busy.h"
#include <unistd.h>

enum { Milliseconds = 500, Lowest = 3 };

static void *shortLived(void *Argument) {
  work(10);
  return Argument;
}

static int Stop;
static void *creator(void *Argument) {
  while (!__atomic_load_n(&Stop, __ATOMIC_RELAXED)) {
    pthread_t Thread;
    pthread_create(&Thread, 0, shortLived, 0);
    pthread_join(Thread, 0);
  }
  return Argument;
}

int main(void) {
  pthread_t Thread;
  pthread_create(&Thread, 0, creator, 0);
  long Others = 0, All = 0;
  for (double End = cpuSeconds() + Milliseconds * 1e-3; cpuSeconds() < End;)
    for (int I = 0; I < 1000; ++I, ++All) {
      int Fd = dup(1);
      Others += Fd != Lowest;
      close(Fd);
    }
  __atomic_store_n(&Stop, 1, __ATOMIC_RELAXED);
  pthread_join(Thread, 0);
  // Without care it is one in 200.
  printf("%ld of %ld\n", Others, All);
  return Others * 5000 > All;
}
