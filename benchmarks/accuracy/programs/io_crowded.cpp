//===- io_crowded.cpp - More threads that sleep than cores ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Requests that wait for the outside world, some longer than others, by twice as many
// threads as cores. Cores are nearly always taken, but not all threads want one.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <random>
#include <thread>
#include <vector>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Parse = accuracy::region("parse", 500);
  long Answer = accuracy::region("answer", 500);
  auto Worker = [&](unsigned Seed) {
    std::minstd_rand Random(Seed);
    std::uniform_int_distribution<int> Wait(350, 1050);
    while (accuracy::running()) {
      std::this_thread::sleep_for(std::chrono::microseconds(Wait(Random)));
      WORK(Parse); // REGION parse
      WORK(Answer); // REGION answer
      ITEM_DONE();
    }
  };
  std::vector<std::thread> Workers;
  for (unsigned I = 1; I <= 4; ++I)
    Workers.emplace_back(Worker, I);
  for (std::thread &W : Workers)
    W.join();
  return accuracy::finish();
}
