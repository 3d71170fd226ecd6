//===- spin_deadline.cpp - Waits by spinning that look at a clock --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread works alone and then beside another one; each spins until the other is there,
// and would give up after a while, as task schedulers do. The one looks at a clock by a
// function of its own, the other at the flag.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <thread>

namespace {

std::atomic<unsigned> Given{0}, Done{0};

__attribute__((noinline)) long microseconds() {
  auto Elapsed = accuracy::Clock::now() - accuracy::Begin;
  return std::chrono::duration_cast<std::chrono::microseconds>(Elapsed).count();
}
__attribute__((noinline)) bool isAt(const std::atomic<unsigned> &Count, unsigned Round) {
  return Count.load(std::memory_order_acquire) == Round;
}

} // namespace

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Alone = accuracy::region("alone", 300), Beside = accuracy::region("beside", 100);
  long Answer = accuracy::region("answer", 200);
  constexpr unsigned Stop = ~0u;
  std::thread Other([=] {
    for (unsigned Round = 1;; ++Round) {
      while (!isAt(Given, Round))
        if (isAt(Given, Stop))
          return;
      WORK(Answer); // REGION answer
      Done.store(Round, std::memory_order_release);
    }
  });
  for (unsigned Round = 1; accuracy::running(); ++Round) {
    WORK(Alone); // REGION alone
    Given.store(Round, std::memory_order_release);
    WORK(Beside); // REGION beside
    long Begin = microseconds();
    while (Done.load(std::memory_order_acquire) != Round)
      if (microseconds() - Begin > 10000000)
        abort();
    ITEM_DONE();
  }
  Given.store(Stop, std::memory_order_release);
  Other.join();
  return accuracy::finish();
}
