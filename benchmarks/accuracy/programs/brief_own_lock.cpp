//===- brief_own_lock.cpp - A spin lock of its own, as brief ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Critical = accuracy::region("critical", 2);
  long Private = accuracy::region("private", 10);
  std::atomic<bool> Lock{false};
  auto Worker = [&] {
    while (accuracy::running()) {
      while (Lock.exchange(true, std::memory_order_acquire))
        __builtin_ia32_pause();
      WORK(Critical); // REGION critical
      Lock.store(false, std::memory_order_release);
      WORK(Private); // REGION private
      ITEM_DONE();
    }
  };
  std::thread X(Worker), Y(Worker);
  X.join();
  Y.join();
  return accuracy::finish();
}
