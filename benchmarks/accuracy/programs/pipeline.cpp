//===- pipeline.cpp - Producer and consumer over a bounded queue ----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <condition_variable>
#include <mutex>
#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Produce = accuracy::region("produce", 250);
  long Consume = accuracy::region("consume", 400);
  std::mutex M;
  std::condition_variable NotFull, NotEmpty;
  int Queued = 0;
  bool Closed = false;
  std::thread Producer([&] {
    while (accuracy::running()) {
      WORK(Produce); // REGION produce
      std::unique_lock<std::mutex> Lock(M);
      NotFull.wait(Lock, [&] { return Queued < 16; });
      ++Queued;
      NotEmpty.notify_one();
    }
    std::lock_guard<std::mutex> Lock(M);
    Closed = true;
    NotEmpty.notify_one();
  });
  for (;;) {
    {
      std::unique_lock<std::mutex> Lock(M);
      NotEmpty.wait(Lock, [&] { return Queued || Closed; });
      if (!Queued)
        break;
      --Queued;
      NotFull.notify_one();
    }
    WORK(Consume); // REGION consume
    ITEM_DONE();
  }
  Producer.join();
  return accuracy::finish();
}
