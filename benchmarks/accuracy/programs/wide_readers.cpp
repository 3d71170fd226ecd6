//===- wide_readers.cpp - Readers on all cores but one, and who writes ----===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Read = accuracy::region("read", 100), Use = accuracy::region("use", 200);
  long Write = accuracy::region("write", 50),
       Prepare = accuracy::region("prepare", 500);
  std::shared_mutex M;
  std::vector<std::thread> Readers;
  for (int I = 1; I < accuracy::Threads; ++I)
    Readers.emplace_back([&] {
      while (accuracy::running()) {
        {
          std::shared_lock<std::shared_mutex> Lock(M); // SECTION read
          WORK(Read); // REGION read
        }
        WORK(Use); // REGION use
        ITEM_DONE();
      }
    });
  while (accuracy::running()) {
    {
      std::unique_lock<std::shared_mutex> Lock(M); // SECTION write
      WORK(Write); // REGION write
    }
    WORK(Prepare); // REGION prepare
  }
  for (std::thread &R : Readers)
    R.join();
  return accuracy::finish();
}
