//===- fork_join.cpp - Two threads, unequal; only the longer counts -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long A = accuracy::region("a", 6700), B = accuracy::region("b", 6400);
  while (accuracy::running()) {
    std::thread X([=] {
      WORK(A); // REGION a
    });
    std::thread Y([=] {
      WORK(B); // REGION b
    });
    X.join();
    Y.join();
    ITEM_DONE();
  }
  return accuracy::finish();
}
