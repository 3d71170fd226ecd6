// -Rpass=causal shows what is wrapped, at its source line.
// RUN: %clang_plugin -O1 -c -Rpass='causal' %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=remark:
#include <pthread.h>

void f(pthread_mutex_t *M) {
  // CHECK: sync-remarks.c:[[#@LINE+1]]:3: remark: pthread_mutex_lock is called through the runtime [-Rpass=causal]
  pthread_mutex_lock(M);
}
