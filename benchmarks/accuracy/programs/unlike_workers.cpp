//===- unlike_workers.cpp - Six workers with work of three sorts -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They share two cores, and a fair scheduler gives what one sort saves to those that do it.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <thread>
#include <vector>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long A = accuracy::region("a", 300), B = accuracy::region("b", 200);
  long C = accuracy::region("c", 600);
  std::vector<std::thread> Workers;
  for (int I = 0; I < 6; ++I)
    Workers.emplace_back([=] {
      while (accuracy::running()) {
        switch (I % 3) {
        case 0:
          WORK(A); // REGION a
          break;
        case 1:
          WORK(B); // REGION b
          break;
        default:
          WORK(C); // REGION c
        }
        ITEM_DONE();
      }
    });
  for (std::thread &W : Workers)
    W.join();
  return accuracy::finish();
}
