//===- adhoc_spin.cpp - Two threads take turns through an atomic that they watch ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <atomic>
#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Ask = accuracy::region("ask", 200);
  long Answer = accuracy::region("answer", 300);
  enum { Asking, Answering, Stopped };
  std::atomic<int> Turn{Asking};
  std::thread Other([&] {
    for (;;) {
      while (Turn == Asking) {
      }
      if (Turn == Stopped)
        return;
      WORK(Answer); // REGION answer
      Turn = Asking;
    }
  });
  while (accuracy::running()) {
    WORK(Ask); // REGION ask
    Turn = Answering;
    while (Turn != Asking) {
    }
    ITEM_DONE();
  }
  Turn = Stopped;
  Other.join();
  return accuracy::finish();
}
