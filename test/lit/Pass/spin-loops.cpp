// Waits by spinning are found in C++ as it is compiled, at any level of optimisation and
// for a link-time optimiser; -mllvm -causal-sync=0 leaves them alone.
// RUN: %causal_clangxx -fcausal-profile -std=c++20 -O1 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %causal_clangxx -fcausal-profile -std=c++20 -O3 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %causal_clangxx -fcausal-profile -std=c++20 -O2 -flto=thin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %causal_clangxx -fcausal-profile -std=c++20 -O0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=O0
// RUN: %causal_clangxx -fcausal-profile -Xclang -mllvm -Xclang -causal-sync=0 -O2 -std=c++20 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=OFF
// OFF-NOT: __causal_spin
#include <atomic>
#include <chrono>
#include <thread>
#include <unistd.h>

// CHECK-LABEL: @byTurns(
// CHECK: call void @__causal_spin()
// CHECK: call void @__causal_spun()
extern "C" void byTurns(std::atomic<int> &Turn) {
  while (Turn != 1)
    ;
}

// CHECK-LABEL: @lock(
// CHECK: call void @__causal_spin()
// CHECK: call void @__causal_spun()
extern "C" void lock(std::atomic_flag &Lock) {
  while (Lock.test_and_set(std::memory_order_acquire))
    while (Lock.test(std::memory_order_relaxed))
      std::this_thread::yield();
}

// CHECK-LABEL: @deadline(
// CHECK: call void @__causal_spin()
// CHECK: call void @__causal_spun()
extern "C" bool deadline(std::atomic<int> &Turn) {
  auto Begin = std::chrono::steady_clock::now();
  while (Turn.load(std::memory_order_acquire) != 1)
    if (std::chrono::steady_clock::now() - Begin > std::chrono::seconds(10))
      return false;
  return true;
}

// Those that give the core away after a while.
// CHECK-LABEL: @naps(
// CHECK: call void @__causal_spin()
// CHECK: call void @__causal_spun()
extern "C" void naps(std::atomic<unsigned char> &Lock) {
  unsigned Rounds = 0;
  while (Lock.exchange(1, std::memory_order_acquire))
    while (Lock.load(std::memory_order_relaxed))
      if (++Rounds > 4000) {
        timespec Time = {0, 500000};
        nanosleep(&Time, nullptr);
      }
}

// CHECK-LABEL: @napsByChrono(
// CHECK: call void @__causal_spin()
// CHECK: call void @__causal_spun()
extern "C" void napsByChrono(std::atomic<int> &Turn) {
  while (Turn.load(std::memory_order_acquire) != 1)
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

// CHECK-LABEL: @napsLonger(
// CHECK: call void @__causal_sp{{in|un}}()
extern "C" void napsLonger(std::atomic<int> &Turn) {
  for (useconds_t Time = 1; Turn.load(std::memory_order_acquire) != 1; Time *= 2)
    usleep(Time);
}

// CHECK-LABEL: @old(
// CHECK: call void @__causal_spin()
// O0-LABEL: @old(
// O0: call void @__causal_spin()
volatile int Old;
extern "C" void old() {
  while (!Old)
    ;
}

// CHECK-LABEL: @add(
// CHECK-NOT: __causal_spin
// CHECK: ret void
extern "C" void add(std::atomic<double> &Sum, double More) {
  double Seen = Sum;
  while (!Sum.compare_exchange_weak(Seen, Seen + More))
    ;
}
