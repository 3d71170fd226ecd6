//===- barrier.cpp - Two threads meet each round --------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <pthread.h>
#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Fast = accuracy::region("fast", 300),
       Slow = accuracy::region("slow", 500);
  pthread_barrier_t Begin, End;
  pthread_barrier_init(&Begin, nullptr, 2);
  pthread_barrier_init(&End, nullptr, 2);
  bool Stop = false; // Written between End and Begin.
  std::thread Other([&] {
    for (;;) {
      pthread_barrier_wait(&Begin);
      if (Stop)
        return;
      WORK(Fast); // REGION fast
      pthread_barrier_wait(&End);
    }
  });
  while (!Stop) {
    pthread_barrier_wait(&Begin);
    WORK(Slow); // REGION slow
    pthread_barrier_wait(&End);
    ITEM_DONE();
    Stop = !accuracy::running();
  }
  pthread_barrier_wait(&Begin);
  Other.join();
  return accuracy::finish();
}
