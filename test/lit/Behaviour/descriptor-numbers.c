// What the runtime opens for its threads has a low number for a moment. The program
// gets the numbers that it would get without us, while threads come and go. (Exactly
// that cannot be had: a call may be on its way already when the runtime opens.)
// RUN: %build
// RUN: env CAUSAL_OPTIONS=output=/dev/null %t
#include "busy.h"
#include <unistd.h>

enum { Milliseconds = 200, Series = 3, Lowest = 3 };

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

// Without care it is one in 200.
static int areTheLowest(void) {
  long Others = 0, All = 0;
  for (double End = cpuSeconds() + Milliseconds * 1e-3; cpuSeconds() < End;)
    for (int I = 0; I < 1000; ++I, ++All) {
      int Fd = dup(1);
      Others += Fd != Lowest;
      close(Fd);
    }
  printf("%ld of %ld\n", Others, All);
  return Others * 5000 <= All;
}

int main(void) {
  pthread_t Thread;
  pthread_create(&Thread, 0, creator, 0);
  // A machine that stands still while the runtime opens something spoils a series.
  int Good = 0;
  for (int I = 0; I < Series && !Good; ++I)
    Good = areTheLowest();
  __atomic_store_n(&Stop, 1, __ATOMIC_RELAXED);
  pthread_join(Thread, 0);
  return !Good;
}
