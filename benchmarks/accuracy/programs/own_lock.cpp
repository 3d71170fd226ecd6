//===- own_lock.cpp - Sections behind a lock class of the program's -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <mutex>
#include <thread>

namespace {
class Lock {
public:
  __attribute__((noinline)) void enter() { M.lock(); }
  __attribute__((noinline)) void leave() { M.unlock(); }

private:
  std::mutex M;
};
} // namespace

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Look = accuracy::region("look", 40);
  long Change = accuracy::region("change", 130);
  long Private = accuracy::region("private", 60);
  Lock Shared;
  auto Worker = [&] {
    while (accuracy::running()) {
      Shared.enter(); // SECTION look
      WORK(Look);     // REGION look
      Shared.leave();
      WORK(Private);   // REGION private
      Shared.enter();  // SECTION change
      WORK(Change);    // REGION change
      Shared.leave();
      ITEM_DONE();
    }
  };
  std::thread X(Worker), Y(Worker);
  X.join();
  Y.join();
  return accuracy::finish();
}
