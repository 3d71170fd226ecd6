//===- fork_join.cpp - Two threads, one of them slightly slower -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figure 1 of the Coz paper, over and over: two threads start, compute for 6.7
// and 6.4 milliseconds on a machine of our day, and are joined.
//
//===----------------------------------------------------------------------===//
#include <causal/causal.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

// 6.7 units of work.
static void a() {
  for (volatile unsigned I = 0; I < 14'500'000; ++I) {
  }
}

// 6.4 units of work.
static void b() {
  for (volatile unsigned I = 0; I < 13'850'000; ++I) {
  }
}

int main(int Argc, char **Argv) {
  using Clock = std::chrono::steady_clock;
  const auto End =
      Clock::now() + std::chrono::seconds(Argc > 1 ? std::atoi(Argv[1]) : 20);
  unsigned Rounds = 0;
  for (; Clock::now() < End; ++Rounds) {
    std::thread A(a), B(b);
    A.join();
    B.join();
    CAUSAL_PROGRESS_NAMED("round");
  }
  std::printf("%u rounds\n", Rounds);
}
