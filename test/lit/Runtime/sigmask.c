// A thread that blocks every signal is sampled all the same, and sees its own mask.
// RUN: rm -f %t.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts=experiment_ms=10:output=%t.causal %t
// RUN: FileCheck %s --input-file=%t.causal
// CHECK: "function":"worker","speedup"
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
#include <signal.h>
static void *worker(void *Argument) {
  for (int I = 0; I < 200; ++I) {
    CAUSAL_PROGRESS;
    WORK(1000);
  }
  return Argument;
}
int main(void) {
  sigset_t All, Now;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, 0);
  pthread_sigmask(SIG_BLOCK, 0, &Now);
  if (sigismember(&Now, SIGTRAP) != 1 || sigismember(&Now, SIGUSR1) != 1)
    return 1;
  pthread_t Thread;
  pthread_create(&Thread, 0, worker, 0);
  pthread_join(Thread, 0);
  sigemptyset(&All);
  sigprocmask(SIG_SETMASK, &All, &Now);
  if (sigismember(&Now, SIGTRAP) != 1)
    return 2;
  sigprocmask(SIG_SETMASK, 0, &Now);
  return sigismember(&Now, SIGTRAP) == 1 ? 3 : 0;
}
