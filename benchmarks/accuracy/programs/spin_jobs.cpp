//===- spin_jobs.cpp - Jobs of two kinds for who spins --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worker spins for jobs of two kinds, each of some tens of microseconds, and who gives
// them out works, too, and spins until they are done: as scientific code does it that has no
// time for the kernel.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <thread>

namespace {

enum Job { None, First, Next, Stop };
std::atomic<unsigned> Given{None}; // A job and how many there have been.
std::atomic<bool> Done{false};
unsigned Jobs;

void give(Job Kind) { Given.store(++Jobs << 2 | Kind, std::memory_order_release); }
__attribute__((noinline)) void join() {
  while (!Done.load(std::memory_order_acquire)) {
  }
  Done.store(false, std::memory_order_release);
}

} // namespace

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Long = accuracy::region("long", 40), Short = accuracy::region("short", 10);
  long Second = accuracy::region("second", 20), Beside = accuracy::region("beside", 20);
  std::thread Worker([=] {
    for (unsigned Seen = 0;;) {
      unsigned Now;
      while ((Now = Given.load(std::memory_order_acquire)) == Seen) {
      }
      Seen = Now;
      if ((Now & 3) == Stop)
        return;
      if ((Now & 3) == First)
        WORK(Long) // REGION long
      else
        WORK(Second) // REGION second
      Done.store(true, std::memory_order_release);
    }
  });
  while (accuracy::running())
    for (int I = 0; I < 16; ++I) {
      give(First);
      WORK(Short); // REGION short
      join();
      give(Next);
      WORK(Beside); // REGION beside
      join();
      ITEM_DONE();
    }
  give(Stop);
  Worker.join();
  return accuracy::finish();
}
