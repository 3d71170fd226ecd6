//===- wide_queue.cpp - One feeds a thread on each other core -------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  int Consumers = accuracy::Threads > 2 ? accuracy::Threads - 1 : 1;
  long Produce = accuracy::region("produce", 300.0 / Consumers);
  long Consume = accuracy::region("consume", 270);
  std::mutex M;
  std::condition_variable NotEmpty, NotFull;
  std::queue<int> Queue;
  std::vector<std::thread> Workers;
  for (int I = 0; I < Consumers; ++I)
    Workers.emplace_back([&] {
      for (;;) {
        std::unique_lock<std::mutex> Lock(M);
        NotEmpty.wait(Lock, [&] { return !Queue.empty(); });
        int Item = Queue.front();
        Queue.pop();
        Lock.unlock();
        NotFull.notify_one();
        if (!Item)
          return;
        WORK(Consume); // REGION consume
        ITEM_DONE();
      }
    });
  auto Push = [&](int Item) {
    std::unique_lock<std::mutex> Lock(M);
    NotFull.wait(Lock,
                 [&] { return Queue.size() < size_t(2 * accuracy::Threads); });
    Queue.push(Item);
    Lock.unlock();
    NotEmpty.notify_one();
  };
  while (accuracy::running()) {
    WORK(Produce); // REGION produce
    Push(1);
  }
  for (int I = 0; I < Consumers; ++I)
    Push(0);
  for (std::thread &W : Workers)
    W.join();
  return accuracy::finish();
}
