//===- spin_rounds.cpp - Rounds of six threads that watch atomics ----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On fewer cores than threads a round takes as many time slices as there are threads to
// each core, however short their work is, but for what takes longer than a slice.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <atomic>
#include <thread>
#include <vector>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  constexpr int Workers = 5;
  long Share = accuracy::region("share", 1000),
       Alone = accuracy::region("alone", 9000);
  std::atomic<long> Round{0};
  std::atomic<int> Left{0};
  std::atomic<bool> Stop{false};
  std::vector<std::thread> Others;
  for (int I = 0; I < Workers; ++I)
    Others.emplace_back([&] {
      for (long Mine = 1;; ++Mine) {
        while (Round < Mine) {
        }
        if (Stop)
          return;
        WORK(Share); // REGION share
        --Left;
      }
    });
  while (accuracy::running()) {
    WORK(Alone); // REGION alone
    Left = Workers;
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
