// The runtime is told what a pool calls, in C++ as it is compiled, at any level of
// optimisation and for a link-time optimiser; -mllvm -causal-sync=0 leaves it alone.
// RUN: %causal_clangxx -fcausal-profile -std=c++20 -O1 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %causal_clangxx -fcausal-profile -std=c++20 -O3 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %causal_clangxx -fcausal-profile -std=c++20 -O2 -flto=thin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %causal_clangxx -fcausal-profile -std=c++20 -O0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=O0
// RUN: %causal_clangxx -fcausal-profile -Xclang -mllvm -Xclang -causal-sync=0 -O2 -std=c++20 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: __causal_before_dispatch
#include <functional>
#include <mutex>
#include <pthread.h>

extern std::mutex M;
extern std::function<void()> Job;

// CHECK-LABEL: @run(
// CHECK: call void @__causal_before_dispatch(ptr {{.*}}%[[JOB:[0-9]+]])
// CHECK-NEXT: {{call|invoke}} void %[[JOB]](
extern "C" void run() {
  {
    std::lock_guard<std::mutex> Lock(M);
  }
  Job();
}

// Without inlining a std::function is called by a function that meets nobody.
// O0-LABEL: @inC(
// O0: call void @__causal_before_dispatch(
// O0-NEXT: call void %
extern "C" void inC(pthread_mutex_t *Mutex, void (*Function)(void *), void *Argument) {
  pthread_mutex_lock(Mutex);
  pthread_mutex_unlock(Mutex);
  Function(Argument);
}
