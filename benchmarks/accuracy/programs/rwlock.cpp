//===- rwlock.cpp - Two readers beside each other, and a writer ----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <mutex>
#include <shared_mutex>
#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Read = accuracy::region("read", 150);
  long Write = accuracy::region("write", 200);
  long Prepare = accuracy::region("prepare", 100);
  std::shared_mutex M;
  std::thread Writer([&] {
    while (accuracy::running()) {
      {
        std::unique_lock<std::shared_mutex> Lock(M); // SECTION write
        WORK(Write); // REGION write
      }
      WORK(Prepare); // REGION prepare
      ITEM_DONE();
    }
  });
  while (accuracy::running()) {
    std::shared_lock<std::shared_mutex> Lock(M); // SECTION read
    WORK(Read); // REGION read
  }
  Writer.join();
  return accuracy::finish();
}
