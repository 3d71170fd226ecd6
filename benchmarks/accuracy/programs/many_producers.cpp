//===- many_producers.cpp - Each of many threads works now and then -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <semaphore.h>
#include <thread>
#include <vector>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Produce = accuracy::region("produce", 120);
  long Consume = accuracy::region("consume", 180);
  constexpr int Producers = 40, Capacity = 16;
  sem_t Free, Full;
  sem_init(&Free, 0, Capacity);
  sem_init(&Full, 0, 0);
  std::vector<std::thread> Workers;
  for (int I = 0; I < Producers; ++I)
    Workers.emplace_back([&] {
      while (accuracy::running()) {
        WORK(Produce); // REGION produce
        sem_wait(&Free);
        sem_post(&Full);
      }
      sem_post(&Free); // For others that wait.
    });
  while (accuracy::running()) {
    sem_wait(&Full);
    sem_post(&Free);
    WORK(Consume); // REGION consume
    ITEM_DONE();
  }
  sem_post(&Free);
  for (std::thread &W : Workers)
    W.join();
  return accuracy::finish();
}
