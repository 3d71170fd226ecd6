//===- pool_jobs.cpp - A pool that is given now this and now that ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worker waits for jobs of two kinds at one place; who gives it one works, too, and has to
// wait for the first kind.
//
//===----------------------------------------------------------------------===//
#include "Region.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace {

class Pool {
public:
  __attribute__((noinline)) void give(std::function<void()> New) {
    std::lock_guard<std::mutex> Lock(M);
    Job = std::move(New);
    Given.notify_one();
  }
  __attribute__((noinline)) void join() {
    std::unique_lock<std::mutex> Lock(M);
    Done.wait(Lock, [this] { return !Job; });
  }
  void stop() {
    give([this] { Stopped = true; });
    Worker.join();
  }

private:
  void work() {
    while (!Stopped) {
      std::unique_lock<std::mutex> Lock(M);
      Given.wait(Lock, [this] { return !!Job; });
      Lock.unlock();
      Job();
      Lock.lock();
      Job = nullptr;
      Done.notify_one();
    }
  }

  std::mutex M;
  std::condition_variable Given, Done;
  std::function<void()> Job;
  bool Stopped = false;
  std::thread Worker{[this] { work(); }};
};

} // namespace

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Long = accuracy::region("long", 240), Short = accuracy::region("short", 80);
  long Second = accuracy::region("second", 120), Beside = accuracy::region("beside", 120);
  Pool P;
  while (accuracy::running()) {
    P.give([=] {
      WORK(Long); // REGION long
    });
    WORK(Short); // REGION short
    P.join();
    P.give([=] {
      WORK(Second); // REGION second
    });
    WORK(Beside); // REGION beside
    P.join();
    ITEM_DONE();
  }
  P.stop();
  return accuracy::finish();
}
