// The kernel looks at timers of CPU time at its ticks. Of a thread that naps it sees few, and a
// sample stands for all periods since the one before: so many the line has, or its share of the
// time would be a fraction of what it is. So it is where a single thread has to do with a timer,
// since there is no descriptor for a perf event.
// RUN: rm -f %t.timer.causal %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=sampler=timer:output=%t.timer.causal %t
// RUN: %python %S/Inputs/counted.py %t.timer.causal | FileCheck %s
// RUN: %env_causal_opts=output=%t.causal %t
// RUN: %python %S/Inputs/counted.py %t.causal | FileCheck %s
// CHECK: True
// How many counted for one is told, since counts vary by so much more.
// RUN: FileCheck %s --input-file=%t.timer.causal --check-prefix=WEIGHT
// RUN: FileCheck %s --input-file=%t.causal --check-prefix=WEIGHT
// WEIGHT: "sample_weight":{{[1-9]}}
// It is told where it is not the whole run's sampler.
// RUN: FileCheck %s --input-file=%t.causal --check-prefix=TOLD
// TOLD: "threads":2,"unsampled_threads":0,"timed_threads":1
// RUN: not grep timed_threads %t.timer.causal
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
#include <sys/resource.h>

static pthread_barrier_t Begun;

static void *nap(void *Argument) {
  pthread_barrier_wait(&Begun);
  struct timespec Nap = {0, 300000};
  for (int I = 0; I < 3000; ++I) {
    CAUSAL_PROGRESS;
    WORK(400);
    nanosleep(&Nap, 0);
  }
  return Argument;
}

int main(void) {
  struct rlimit Files;
  getrlimit(RLIMIT_NOFILE, &Files);
  struct rlimit None = {0, Files.rlim_max};
  setrlimit(RLIMIT_NOFILE, &None);
  pthread_barrier_init(&Begun, 0, 2);
  pthread_t Thread;
  pthread_create(&Thread, 0, nap, 0);
  pthread_barrier_wait(&Begun);
  setrlimit(RLIMIT_NOFILE, &Files);
  pthread_join(Thread, 0);
}
// SERIAL: its threads are to run when they want to.
