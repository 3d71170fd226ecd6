// Law 12: where threads share cores and wait for nothing else, experiments dilate time,
// though never by all of it; where they wait for each other they do not.
// RUN: rm -f %t.causal %t.waiting.causal
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t -pthread
// RUN: %env_causal_opts="fixed_line='shared-cores.c:30':fixed_speedup=100:experiment_ms=50:output=%t.causal" %t
// RUN: grep '"dilated":true' %t.causal > %t.dilated
// RUN: FileCheck %s --input-file=%t.dilated
// CHECK: "line":30,"function":"work","speedup":90,
// CHECK-SAME: "pause":0,
// RUN: %env_causal_opts="fixed_speedup=50:experiment_ms=50:output=%t.waiting.causal" %t waiting
// RUN: grep '"speedup":50' %t.waiting.causal > %t.waiting
// RUN: not grep dilated %t.waiting
#define _GNU_SOURCE
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

static int Waiting;
static pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
static time_t End;

static void *work(void *Argument) {
  while (time(0) < End) {
    // With the lock held for longer than a time slice somebody waits for it.
    if (Waiting)
      pthread_mutex_lock(&Lock);
    for (int I = 0; I < (Waiting ? 50 : 1); ++I)
      WORK(300);
    if (Waiting)
      pthread_mutex_unlock(&Lock);
    CAUSAL_PROGRESS;
  }
  return Argument;
}

int main(int Argc, char **Argv) {
  cpu_set_t One;
  CPU_ZERO(&One);
  CPU_SET(sched_getcpu(), &One);
  sched_setaffinity(0, sizeof(One), &One);
  (void)Argv;
  Waiting = Argc > 1;
  End = time(0) + 3;
  pthread_t Threads[3];
  for (int I = 0; I < 3; ++I)
    pthread_create(&Threads[I], 0, work, 0);
  for (int I = 0; I < 3; ++I)
    pthread_join(Threads[I], 0);
}
// SERIAL: what others do with the cores is counted.
