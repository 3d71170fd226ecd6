//===- threads_in_turn.cpp - Threads made anew for now this and now that --===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread is made for each of two jobs in turn, by the same function of the library; who
// makes it works, too, and has to wait for the first job.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Long = accuracy::region("long", 480), Short = accuracy::region("short", 160);
  long Second = accuracy::region("second", 240), Beside = accuracy::region("beside", 240);
  while (accuracy::running()) {
    std::thread First([=] {
      WORK(Long); // REGION long
    });
    WORK(Short); // REGION short
    First.join();
    std::thread Next([=] {
      WORK(Second); // REGION second
    });
    WORK(Beside); // REGION beside
    Next.join();
    ITEM_DONE();
  }
  return accuracy::finish();
}
