// -causal-sync=false leaves the calls alone.
// RUN: %clang_plugin %no_sync -c %s -o %t.o && llvm-nm -u -j %t.o | FileCheck %s --implicit-check-not=__causal_pthread
#include <pthread.h>
// CHECK: {{^}}pthread_mutex_lock
void f(pthread_mutex_t *M) { pthread_mutex_lock(M); }
