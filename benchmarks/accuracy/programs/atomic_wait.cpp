//===- atomic_wait.cpp - Two threads take turns through std::atomic::wait ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// FLAGS: -std=c++20
#include "Region.h"

#include <atomic>
#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Ask = accuracy::region("ask", 200);
  long Answer = accuracy::region("answer", 300);
  long Aside = accuracy::region("aside", 100);
  enum { Asking, Answering, Stopped };
  std::atomic<int> Turn{Asking};
  std::thread Other([&] {
    for (;;) {
      Turn.wait(Asking);
      if (Turn == Stopped)
        return;
      WORK(Answer); // REGION answer
      Turn = Asking;
      Turn.notify_one();
    }
  });
  while (accuracy::running()) {
    WORK(Ask); // REGION ask
    Turn = Answering;
    Turn.notify_one();
    WORK(Aside); // REGION aside
    Turn.wait(Answering);
    ITEM_DONE();
  }
  Turn = Stopped;
  Turn.notify_one();
  Other.join();
  return accuracy::finish();
}
