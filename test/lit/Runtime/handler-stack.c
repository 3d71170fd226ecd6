// A sample fits where runtime/sampler/causal_signal_stack.h says that it does
// (SampleStackNeed): what it leaves on an alternative stack of the program is not longer.
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=5:cooloff_ms=1:sample_period_us=100:output=%t.causal %t
// RUN: grep -c '"type":"experiment"' %t.causal
// RUN: %env_causal_opts=sampler=timer:output=%t.causal %t
#define _GNU_SOURCE
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

enum { Need = 4480, Size = 65536, Unused = 0x5a };

static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
static void *run(void *Argument) {
  unsigned char *Low = malloc(Size);
  memset(Low, Unused, Size);
  stack_t Stack = {.ss_sp = Low, .ss_size = Size};
  if (sigaltstack(&Stack, 0))
    return "sigaltstack";
  for (int I = 0; I < 3000; ++I) {
    WORK(100);
    pthread_mutex_lock(&Mutex);
    WORK(50);
    pthread_mutex_unlock(&Mutex);
    CAUSAL_PROGRESS;
  }
  unsigned long Untouched = 0, Frame = getauxval(AT_MINSIGSTKSZ);
  while (Untouched < Size && Low[Untouched] == Unused)
    ++Untouched;
  fprintf(stderr, "%lu bytes of stack, %lu of them the kernel's\n", Size - Untouched, Frame);
  return Untouched == Size                ? "no sample"
         : Size - Untouched > Frame + Need ? "more than SampleStackNeed"
                                           : Argument;
}

int main(void) {
  pthread_t Threads[2];
  int Failed = 0;
  for (int I = 0; I < 2; ++I)
    pthread_create(&Threads[I], 0, run, 0);
  for (int I = 0; I < 2; ++I) {
    void *Fault;
    pthread_join(Threads[I], &Fault);
    if (Fault)
      fprintf(stderr, "%s\n", (char *)Fault);
    Failed |= Fault != 0;
  }
  return Failed;
}
