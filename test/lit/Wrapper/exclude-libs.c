// What is not compiled with the profiler reaches the runtime, though the symbols of archives
// are hidden.
// RUN: %causal_clang -fcausal-profile -O1 %s -o %t -Wl,--exclude-libs,ALL
// RUN: llvm-nm -D --defined-only %t | FileCheck %s
// CHECK-DAG: pthread_mutex_lock
// CHECK-DAG: __causal_register_image
int main(void) { return 0; }
