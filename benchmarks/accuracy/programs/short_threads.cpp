//===- short_threads.cpp - Six threads for each item, shorter than a sample ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <thread>
#include <vector>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long A = accuracy::region("a", 300), B = accuracy::region("b", 150);
  while (accuracy::running()) {
    std::vector<std::thread> Threads;
    for (int I = 0; I < 3; ++I) {
      Threads.emplace_back([=] {
        WORK(A); // REGION a
      });
      Threads.emplace_back([=] {
        WORK(B); // REGION b
      });
    }
    for (std::thread &T : Threads)
      T.join();
    ITEM_DONE();
  }
  return accuracy::finish();
}
