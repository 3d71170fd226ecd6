// Ten thousand threads one after the other, five thousand at a time, and the same with
// few descriptors: every one of them runs, and its destructors do.
// RUN: %build
// RUN: %same --samplers=auto --options=sample_period_us=1000:experiment_ms=50 %t.native %t
// RUN: %same --samplers=auto --options=sample_period_us=1000:experiment_ms=50 %t.native %t 256
#include "busy.h"
#include <sys/resource.h>

enum { Short = 10000, Live = 5000 };
static int Ran, Destroyed, Failed;
static pthread_key_t Key;
static pthread_barrier_t Barrier;
static void destroy(void *Value) { __atomic_add_fetch(&Destroyed, 1, __ATOMIC_RELAXED); }
static void *run(void *Argument) {
  __atomic_add_fetch(&Ran, 1, __ATOMIC_RELAXED);
  pthread_setspecific(Key, &Key);
  CAUSAL_PROGRESS;
  work(5);
  if (Argument)
    pthread_barrier_wait(&Barrier);
  return Argument;
}
int main(int argc, char **argv) {
  static pthread_t Threads[Live];
  pthread_attr_t Attributes;
  struct rlimit Limit = {256, 256};
  if (argc > 1)
    setrlimit(RLIMIT_NOFILE, &Limit);
  pthread_attr_init(&Attributes);
  pthread_attr_setstacksize(&Attributes, 64 << 10);
  pthread_key_create(&Key, destroy);
  for (int I = 0; I < Short; I += 8) {
    for (int J = 0; J < 8; ++J)
      Failed += pthread_create(&Threads[J], &Attributes, run, 0) != 0;
    for (int J = 0; J < 8; ++J)
      pthread_join(Threads[J], 0);
  }
  pthread_barrier_init(&Barrier, 0, Live + 1);
  for (int I = 0; I < Live; ++I)
    if (pthread_create(&Threads[I], &Attributes, run, &Barrier))
      return 1;
  pthread_barrier_wait(&Barrier);
  for (int I = 0; I < Live; ++I)
    pthread_join(Threads[I], 0);
  printf("ran %d destroyed %d failed %d\n", Ran, Destroyed, Failed);
  return 0;
}
