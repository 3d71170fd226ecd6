// Build tools drop flags that they do not know (libtool, when it links a library), or are given
// ours for the compiler alone: a link finds out from what it links that it needs the runtime.
//
// RUN: mkdir -p %t && cd %t
// RUN: %causal_clang -fcausal-profile -fPIC -c %s -o a.o
// RUN: %causal_clang -fcausal-profile -fPIC -DLIB -c %s -o lib.o
//
// RUN: %causal_clang a.o lib.o -o program && ./program
// RUN: llvm-nm program | FileCheck %s --check-prefix=RUNTIME
// RUN: %causal_clang -static a.o lib.o -o static && ./static
// RUN: llvm-nm static | FileCheck %s --check-prefix=RUNTIME
// RUNTIME: T __causal_register_image
//
// RUN: %causal_clang -shared -Wl,-z,defs lib.o -o liblib.so
// RUN: %causal_clang a.o -L. -llib -Wl,-rpath,%t -o shared && ./shared
// The executable itself is not instrumented:
// RUN: %causal_clang -c %s -o plain.o
// RUN: %causal_clang plain.o %t/liblib.so -Wl,-rpath,%t -o shared && ./shared
// RUN: llvm-nm shared | FileCheck %s --check-prefix=RUNTIME
// RUN: rm -f lib.a && llvm-ar rcs lib.a lib.o
// RUN: %causal_clang %s lib.a -o archive && ./archive
// RUN: llvm-nm archive | FileCheck %s --check-prefix=RUNTIME
//
// RUN: %causal_clang -flto -fcausal-profile -c %s -o a.o
// RUN: %causal_clang -flto -fcausal-profile -DLIB -c %s -o lib.o
// RUN: %causal_clang -flto -fuse-ld=lld a.o lib.o -o lto && ./lto
// RUN: llvm-nm lto | FileCheck %s --check-prefix=RUNTIME
// RUN: llvm-readelf -S lto | FileCheck %s --check-prefix=TABLE
// TABLE: causal_fn
//
// What is not instrumented stays as it is, and so does what is asked to:
// RUN: %causal_clang --causal-print-flags plain.o -o program | count 0
// RUN: not %causal_clang -fno-causal-profile a.o lib.o -o program
#include <pthread.h>
int library(void);
#ifdef LIB
static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
int library(void) {
  pthread_mutex_lock(&Mutex);
  return pthread_mutex_unlock(&Mutex);
}
#else
int main(void) { return library(); }
#endif
