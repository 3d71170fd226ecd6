//===- tbb.cpp - oneTBB: work by one thread, then two tasks side by side --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// The library waits in code that was not compiled with the profiler: it spins for a while,
// then sleeps.
// FLAGS: -ltbb
#include "Region.h"

#include <tbb/parallel_invoke.h>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Alone = accuracy::region("alone", 300);
  long Short = accuracy::region("short", 250);
  long Long = accuracy::region("long", 400);
  while (accuracy::running()) {
    WORK(Alone); // REGION alone
    tbb::parallel_invoke(
        [&] {
          WORK(Short); // REGION short
        },
        [&] {
          WORK(Long); // REGION long
        });
    ITEM_DONE();
  }
  return accuracy::finish();
}
