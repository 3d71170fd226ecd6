//===- pipeline.cpp - Two stages with a bounded queue between them --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `parse` takes 5 units of time for a request and `answer` 8, so the queue is
// full and requests spend their time in it. Two questions about one program:
// how many requests a second ("answered"), and how long does one take
// ("request")?
//
//===----------------------------------------------------------------------===//
#include "BoundedQueue.h"

#include <causal/causal.h>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using Clock = std::chrono::steady_clock;

static unsigned parse(unsigned X) {
  for (unsigned I = 0; I < 75'000; ++I)
    X = X % 1000003 * 7919 + I;
  return X;
}

static unsigned answer(unsigned X) {
  for (unsigned I = 0; I < 120'000; ++I)
    X = X % 1000003 * 7919 + I;
  return X;
}

int main(int Argc, char **Argv) {
  const auto End =
      Clock::now() + std::chrono::seconds(Argc > 1 ? std::atoi(Argv[1]) : 20);
  BoundedQueue<unsigned> Requests(16);

  std::thread Parser([&] {
    for (unsigned N = 1; Clock::now() < End; ++N) {
      unsigned Request = parse(N);
      CAUSAL_BEGIN("request");
      Requests.push(Request);
    }
    Requests.close();
  });

  unsigned Answered = 0, Check = 0;
  while (std::optional<unsigned> Request = Requests.pop()) {
    Check ^= answer(*Request);
    ++Answered;
    CAUSAL_END("request");
    CAUSAL_PROGRESS_NAMED("answered");
  }
  Parser.join();
  std::printf("%u requests answered, check %08x\n", Answered, Check);
}
