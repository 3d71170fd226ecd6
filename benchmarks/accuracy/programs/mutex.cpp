//===- mutex.cpp - Two threads share a lock -------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <mutex>
#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Critical = accuracy::region("critical", 120);
  long Private = accuracy::region("private", 80);
  std::mutex M;
  auto Worker = [&] {
    while (accuracy::running()) {
      M.lock(); // SECTION critical
      WORK(Critical); // REGION critical
      M.unlock();
      WORK(Private); // REGION private
      ITEM_DONE();
    }
  };
  std::thread X(Worker), Y(Worker);
  X.join();
  Y.join();
  return accuracy::finish();
}
