// A period that would leave the program no time is raised to one that does, and no
// thread's first period is shorter: a timer that expires faster than its interrupt ends
// would hold the thread up for ever.
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=sample_period_us=1:output=%t.causal %t 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=PERIOD %s < %t.causal
// CHECK: causal: sample_period_us=1 {{.*}} raised to 50
// CHECK: 1000 threads
// PERIOD: "period":50000
#include <pthread.h>
#include <stdio.h>

static void *shortLived(void *Argument) {
  for (volatile int I = 0; I < 20000; ++I)
    ;
  return Argument;
}

int main(void) {
  setvbuf(stdout, 0, _IONBF, 0);
  for (int I = 0; I < 1000; ++I) {
    pthread_t Thread;
    pthread_create(&Thread, 0, shortLived, 0);
    pthread_join(Thread, 0);
  }
  puts("1000 threads");
}
