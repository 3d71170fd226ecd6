//===- wide_mutex.cpp - A lock that a thread on each core takes -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <mutex>
#include <thread>
#include <vector>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Critical = accuracy::region("critical", 240.0 / accuracy::Threads);
  long Private = accuracy::region("private", 160);
  std::mutex M;
  std::vector<std::thread> Workers;
  for (int I = 0; I < accuracy::Threads; ++I)
    Workers.emplace_back([&] {
      while (accuracy::running()) {
        M.lock(); // SECTION critical
        WORK(Critical); // REGION critical
        M.unlock();
        WORK(Private); // REGION private
        ITEM_DONE();
      }
    });
  for (std::thread &W : Workers)
    W.join();
  return accuracy::finish();
}
