// Inlined code of the standard library is user code: std::mutex and std::thread.
// RUN: %clangxx_plugin -O0 -c %s -o %t.o && llvm-nm -u -j %t.o | FileCheck %s --implicit-check-not={{^}}pthread
// RUN: %clangxx_plugin -O2 -c %s -o %t.o && llvm-nm -u -j %t.o | FileCheck %s --implicit-check-not={{^}}pthread
#include <mutex>
#include <thread>

std::mutex M;
void f() {
  std::lock_guard<std::mutex> Guard(M);
}
void g() { std::thread(f).join(); }

// CHECK-DAG: __causal_pthread_mutex_lock
// CHECK-DAG: __causal_pthread_mutex_unlock
