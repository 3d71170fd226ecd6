//===- future.cpp - One thread asks another for values, and for the next before it needs it ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// FLAGS: -std=c++20
#include "Region.h"

#include <future>
#include <memory>
#include <semaphore>
#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Compute = accuracy::region("compute", 400);
  long Use = accuracy::region("use", 300);
  std::binary_semaphore Asked(0);
  std::unique_ptr<std::promise<bool>> Request; // Handed over with Asked.
  std::thread Other([&] {
    for (bool More = true; More;) {
      Asked.acquire();
      auto Mine = std::move(Request);
      More = accuracy::running();
      WORK(Compute); // REGION compute
      Mine->set_value(More);
    }
  });
  auto Ask = [&] {
    Request = std::make_unique<std::promise<bool>>();
    auto Future = Request->get_future();
    Asked.release();
    return Future;
  };
  for (auto Next = Ask(); Next.get();) {
    Next = Ask();
    WORK(Use); // REGION use
    ITEM_DONE();
  }
  Other.join();
  return accuracy::finish();
}
