// Where something else than the kernel executes the program, which samples would hit in its own
// code, the program is not profiled, and is told so.
// REQUIRES: valgrind
// RUN: %build
// RUN: rm -f %t.causal
// RUN: %env_causal_opts=output=%t.causal:experiment_ms=5 valgrind -q --error-exitcode=99 %t > %t.out 2> %t.err
// RUN: FileCheck %s --input-file=%t.out
// CHECK: worked
// RUN: FileCheck %s --input-file=%t.err --check-prefix=SAID --implicit-check-not=Invalid
// SAID: causal: something else than the kernel executes the program (Valgrind, an emulator, {{.*}}): it is not profiled. {{.*}}sampler=timer
// RUN: test ! -e %t.causal
// RUN: %env_causal_opts=output=%t.causal:experiment_ms=5 valgrind -q --tool=helgrind --error-exitcode=99 %t locks > %t.out 2> %t.err
// RUN: FileCheck %s --input-file=%t.out
// RUN: test ! -e %t.causal

// Who wants it nevertheless has it:
// RUN: %env_causal_opts=output=%t.causal:experiment_ms=5:sampler=timer valgrind -q %t > %t.out 2> %t.err
// RUN: FileCheck %s --input-file=%t.out
// RUN: grep timer %t.causal

// And elsewhere there is no word of it:
// RUN: %env_causal_opts=output=%t.causal:experiment_ms=5 %t 2> %t.err
// RUN: not grep executes %t.err
#include "busy.h"

// Nothing that a checker for races takes for one.
static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t Condition = PTHREAD_COND_INITIALIZER;
static int Sum;
static void *add(void *Argument) {
  for (int I = 0; I < 100; ++I) {
    pthread_mutex_lock(&Mutex);
    if (++Sum == 200)
      pthread_cond_signal(&Condition);
    pthread_mutex_unlock(&Mutex);
  }
  return Argument;
}
static void addInThreads(void) {
  pthread_t Threads[2];
  for (int I = 0; I < 2; ++I)
    pthread_create(&Threads[I], 0, add, 0);
  pthread_mutex_lock(&Mutex);
  while (Sum < 200)
    pthread_cond_wait(&Condition, &Mutex);
  pthread_mutex_unlock(&Mutex);
  for (int I = 0; I < 2; ++I)
    pthread_join(Threads[I], 0);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    addInThreads();
  } else {
    busyBegin();
    work(20000);
    busyEnd();
  }
  puts("worked");
  return 0;
}
