// At link time a file that was built without the profiler stays as it is.
// RUN: %clang -O2 -flto=thin -DWAITS -c %s -o %t.waits.o
// RUN: %causal_clang -fcausal-profile -O2 -flto=thin -c %s -o %t.o
// RUN: %causal_clang -fcausal-profile -O2 -flto=thin -fuse-ld=lld %t.o %t.waits.o -o %t && %t
// RUN: llvm-objdump -d --disassemble-symbols=waitFor %t | FileCheck %s
// CHECK: <waitFor>:
// CHECK-NOT: __causal_sp
#include <stdatomic.h>
#ifdef WAITS
__attribute__((noinline)) int waitFor(atomic_int *Flag) {
  while (!atomic_load(Flag))
    ;
  return 1;
}
#else
int waitFor(atomic_int *Flag);
int main(void) {
  atomic_int Flag = 1;
  return waitFor(&Flag) - 1;
}
#endif
