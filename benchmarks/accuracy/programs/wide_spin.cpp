//===- wide_spin.cpp - A thread on each core watches atomics each round ---===//
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
  long Alone = accuracy::region("alone", 200);
  long Even = accuracy::region("even", 400), Odd = accuracy::region("odd", 300);
  std::atomic<long> Round{0};
  std::atomic<int> Left{0};
  std::atomic<bool> Stop{false};
  std::vector<std::thread> Others;
  for (int I = 1; I < accuracy::Threads; ++I)
    Others.emplace_back([&, I] {
      for (long Mine = 1;; ++Mine) {
        while (Round < Mine) {
        }
        if (Stop)
          return;
        if (I % 2) {
          WORK(Odd); // REGION odd
        } else {
          WORK(Even); // REGION even
        }
        --Left;
      }
    });
  while (accuracy::running()) {
    WORK(Alone); // REGION alone
    Left = accuracy::Threads - 1;
    ++Round;
    while (Left) {
    }
    ITEM_DONE();
  }
  Stop = true;
  ++Round;
  for (std::thread &T : Others)
    T.join();
  return accuracy::finish();
}
