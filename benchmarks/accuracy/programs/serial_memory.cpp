//===- serial_memory.cpp - One thread that waits for memory ---------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk through 64 MB in random order, each step of which misses the caches, and sums of
// 16 KB, which do not.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <numeric>
#include <random>
#include <vector>

namespace {
std::vector<unsigned> randomCycle(unsigned Length) {
  std::vector<unsigned> Order(Length), Next(Length);
  std::iota(Order.begin(), Order.end(), 0);
  std::shuffle(Order.begin(), Order.end(), std::minstd_rand(1));
  for (unsigned I = 0; I < Length; ++I)
    Next[Order[I]] = Order[(I + 1) % Length];
  return Next;
}
} // namespace

int main(int Argc, char **Argv) {
  std::vector<unsigned> Next = randomCycle(16 << 20);
  std::vector<unsigned> Few(4096, 1);
  accuracy::start(Argc, Argv);
  long Steps = accuracy::region("walk", 4), Sums = accuracy::region("sum", 0.2);
  unsigned At = 0;
  volatile unsigned Sum = 0;
  while (accuracy::running()) {
    for (long I = 0; I < Steps; ++I) At = Next[At]; // REGION walk
    for (long I = 0; I < Sums; ++I) Sum = Sum + std::accumulate(Few.begin(), Few.end(), At); // REGION sum
    ITEM_DONE();
  }
  return accuracy::finish();
}
