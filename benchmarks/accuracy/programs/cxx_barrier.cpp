//===- cxx_barrier.cpp - Two threads meet at C++20's barrier -------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// FLAGS: -std=c++20
#include "Region.h"

#include <barrier>
#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Fast = accuracy::region("fast", 300),
       Slow = accuracy::region("slow", 500);
  std::barrier<> Begin(2), End(2);
  bool Stop = false; // Written between End and Begin.
  std::thread Other([&] {
    for (;;) {
      Begin.arrive_and_wait();
      if (Stop)
        return;
      WORK(Fast); // REGION fast
      End.arrive_and_wait();
    }
  });
  while (!Stop) {
    Begin.arrive_and_wait();
    WORK(Slow); // REGION slow
    End.arrive_and_wait();
    ITEM_DONE();
    Stop = !accuracy::running();
  }
  Begin.arrive_and_wait();
  Other.join();
  return accuracy::finish();
}
