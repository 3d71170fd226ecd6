//===- wide_shards.cpp - A thread on each core, locks for a quarter of them ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Find = accuracy::region("find", 60), Update = accuracy::region("update", 30);
  long Answer = accuracy::region("answer", 80);
  size_t Shards = size_t(accuracy::Threads + 3) / 4;
  std::unique_ptr<std::mutex[]> Locks(new std::mutex[Shards]);
  std::vector<std::thread> Workers;
  for (int I = 0; I < accuracy::Threads; ++I)
    Workers.emplace_back([&, I] {
      unsigned Random = static_cast<unsigned>(I) + 1;
      while (accuracy::running()) {
        WORK(Find); // REGION find
        Random = Random * 1664525 + 1013904223;
        {
          std::lock_guard<std::mutex> Lock(Locks[(Random >> 16) % Shards]); // SECTION update
          WORK(Update); // REGION update
        }
        WORK(Answer); // REGION answer
        ITEM_DONE();
      }
    });
  for (std::thread &W : Workers)
    W.join();
  return accuracy::finish();
}
