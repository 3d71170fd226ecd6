// The whole run is one experiment, from its beginning to its end, and its own progress
// point. The program has no other; its child is no run of its own.
// RUN: rm -f %t.*.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts="end_to_end=1:fixed_line='end-to-end.c:50':fixed_speedup=50:output=%t.run.causal" %t 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: causal
// RUN: %python %S/Inputs/whole_run.py 50 50 < %t.run.causal
//
// By itself it takes the line of the first sample, and draws a speedup.
// RUN: %env_causal_opts="end_to_end=1:output=%t.any.causal" %t
// RUN: %python %S/Inputs/whole_run.py < %t.any.causal
//
// Nor is it lost while other threads go on working.
// RUN: %env_causal_opts="end_to_end=1:output=%t.busy.causal" %t busy
// RUN: %python %S/Inputs/whole_run.py < %t.busy.causal
//
// RUN: %env_causal_opts="end_to_end=1:fixed_line='end-to-end.c:1':output=%t.none.causal" %t 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: causal: no experiment was made: no sample fell into fixed_line=end-to-end.c:1.
#include "Inputs/work.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *second(void *Unused) {
  WORK(40000);
  return Unused;
}

static void *forEver(void *Unused) {
  for (;;)
    WORK(1000);
  return Unused;
}

static void atEnd(void) { WORK(20000); }

int main(int Count, char **Arguments) {
  (void)Arguments;
  pthread_t T;
  atexit(atEnd);
  if (!fork()) {
    WORK(50000);
    _exit(0);
  }
  wait(0);
  if (Count > 1)
    pthread_create(&T, 0, forEver, 0);
  pthread_create(&T, 0, second, 0);
  WORK(60000);
  pthread_join(T, 0);
  return 0;
}
