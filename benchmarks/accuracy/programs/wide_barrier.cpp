//===- wide_barrier.cpp - A thread on each core meets the others each round ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <pthread.h>
#include <thread>
#include <vector>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Alone = accuracy::region("alone", 200);
  long Even = accuracy::region("even", 400), Odd = accuracy::region("odd", 300);
  std::atomic<bool> Stop{false};
  pthread_barrier_t Barrier;
  pthread_barrier_init(&Barrier, nullptr,
                       static_cast<unsigned>(accuracy::Threads));
  std::vector<std::thread> Workers;
  for (int I = 0; I < accuracy::Threads; ++I)
    Workers.emplace_back([&, I] {
      for (;;) {
        if (I == 0) {
          WORK(Alone); // REGION alone
          Stop = !accuracy::running();
        }
        pthread_barrier_wait(&Barrier);
        if (Stop)
          return;
        if (I % 2) {
          WORK(Odd); // REGION odd
        } else {
          WORK(Even); // REGION even
        }
        pthread_barrier_wait(&Barrier);
        if (I == 0)
          ITEM_DONE();
      }
    });
  for (std::thread &W : Workers)
    W.join();
  return accuracy::finish();
}
