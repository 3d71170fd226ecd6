// The child of fork learns its critical sections anew, and gives back a lock that it was
// born with.
// RUN: rm -f %t.*.causal
// RUN: %causal_clang -fcausal-profile -O1 -pthread %s -o %t
// RUN: %env_causal_opts="target=section:experiment_ms=10:output=%t.%%p.causal" %t
// RUN: cat %t.*.causal | %python %S/Inputs/count_runs.py 2
// RUN: cat %t.*.causal | grep '"type":"line"' | FileCheck %s
#include "Inputs/work.h"
#include <causal/causal.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t M = PTHREAD_MUTEX_INITIALIZER, N = PTHREAD_MUTEX_INITIALIZER;
// clang-format off
__attribute__((noinline)) static void inParent(void) {
  pthread_mutex_lock(&M); // CHECK-DAG: "line":[[#@LINE]],"function":"inParent","section":true
  WORK(1000);
  pthread_mutex_unlock(&M);
}
__attribute__((noinline)) static void inChild(void) {
  pthread_mutex_lock(&M); // CHECK-DAG: "line":[[#@LINE]],"function":"inChild","section":true
  WORK(1000);
  pthread_mutex_unlock(&M);
}
// clang-format on
int main(void) {
  for (int I = 0; I < 100; ++I) {
    CAUSAL_PROGRESS;
    inParent();
  }
  pthread_mutex_lock(&N);
  pid_t Child = fork();
  for (int I = 0; I < 100; ++I) {
    CAUSAL_PROGRESS;
    Child ? inParent() : inChild();
    WORK(1000);
  }
  pthread_mutex_unlock(&N);
  if (!Child)
    return 0;
  int Status;
  waitpid(Child, &Status, 0);
  return Status != 0;
}
