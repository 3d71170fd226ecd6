//===- oversubscribed.cpp - Eight workers, whatever the number of cores ----===//
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
  long A = accuracy::region("a", 300), B = accuracy::region("b", 200);
  std::vector<std::thread> Workers;
  for (int I = 0; I < 8; ++I)
    Workers.emplace_back([=] {
      while (accuracy::running()) {
        WORK(A); // REGION a
        WORK(B); // REGION b
        ITEM_DONE();
      }
    });
  for (std::thread &W : Workers)
    W.join();
  return accuracy::finish();
}
