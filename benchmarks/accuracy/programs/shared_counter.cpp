//===- shared_counter.cpp - Threads that contend for a cache line -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without the random numbers the two threads fall into step, so that they meet at the
// counter always or never.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <thread>

#define NEXT(Random) (Random = Random * 1664525 + 1013904223)
#define COUNT(Times)                                                           \
  for (long T_ = 0; T_ < (Times); T_ += 100) {                                 \
    Counter.fetch_add(1, std::memory_order_relaxed);                           \
    WORK(20 + (NEXT(Random) >> 26));                                           \
  }

namespace {
alignas(64) std::atomic<long> Counter;
} // namespace

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Counts = accuracy::region("count", 1), Private = accuracy::region("private", 1);
  auto Worker = [=](unsigned Random) {
    while (accuracy::running()) {
      for (int Round = 0; Round < 50; ++Round) {
        COUNT(Counts);                        // REGION count
        WORK(Private + (NEXT(Random) >> 25)); // REGION private
      }
      ITEM_DONE();
    }
  };
  std::thread X(Worker, 1), Y(Worker, 77);
  X.join();
  Y.join();
  return accuracy::finish();
}
