// Every function of the list is retargeted as the system's headers declare it, at
// -O0 and optimised: nothing of it is left undefined under its own name.
// RUN: %clang_plugin -O0 -I %include -c %s -o %t.o && llvm-nm -u -j %t.o > %t.nm
// RUN: FileCheck %s --input-file=%t.nm
// RUN: %clang_plugin -O2 -I %include -c %s -o %t.o && llvm-nm -u -j %t.o > %t.nm
// RUN: FileCheck %s --input-file=%t.nm
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>

#define CAUSAL_SYNC(Return, Name, Params) (void *)Name,
void *const Functions[] = {
#include "causal/RuntimeABI.def"
};

// CHECK-NOT: {{^[^_]}}
// CHECK: __causal_kill
// CHECK: __causal_pthread_create
// CHECK: __causal_sigwait
// CHECK-NOT: {{^[^_]}}
