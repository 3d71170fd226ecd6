// Samples of all threads are counted, by function and line, and collecting twice changes nothing.
// RUN: rm -rf %t.db
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=mode=continuous:db=%t.db %t
// RUN: %causal db collect %t.db | FileCheck %s
// CHECK: 1 segments, 1 of them of processes that have ended: {{[1-9][0-9]*}} samples, 0 dropped
// RUN: %causal db collect %t.db | FileCheck --check-prefix=AGAIN %s
// AGAIN: 0 segments, {{.*}} 0 samples
// RUN: %python %S/Inputs/check.py %t.db %causal --least 100 --name three --name one --ratio three one
// RUN: ls %t.db/spool | count 0
// RUN: %causal db prof %t.db | FileCheck --check-prefix=TEXT %s
// TEXT: {{[0-9]+}} samples, {{.*}} of CPU time; 0 dropped
// TEXT: %{{ +[0-9]+}} three ({{.*}})
// RUN: %causal db prof --by=line %t.db | FileCheck --check-prefix=LINE %s
// LINE: burn.h:{{[45]}}
#include "Inputs/burn.h"
#include <pthread.h>
static void *work(void *Unused) {
  burn(500);
  return Unused;
}
int main(void) {
  pthread_t Threads[3];
  for (int I = 0; I < 3; ++I)
    pthread_create(&Threads[I], 0, work, 0);
  for (int I = 0; I < 3; ++I)
    pthread_join(Threads[I], 0);
  return 0;
}
