//===- crowded_pipeline.cpp - More stages than cores ----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four stages, a thread each, with room for two items between them. On two cores it is all
// work that counts, and not the slowest stage alone.
//
#include "Region.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace {
class Queue {
public:
  void push() {
    std::unique_lock<std::mutex> Lock(M);
    NotFull.wait(Lock, [&] { return Queued < 2; });
    ++Queued;
    NotEmpty.notify_one();
  }
  /// False when nothing comes any more.
  bool pop() {
    std::unique_lock<std::mutex> Lock(M);
    NotEmpty.wait(Lock, [&] { return Queued || Closed; });
    if (!Queued)
      return false;
    --Queued;
    NotFull.notify_one();
    return true;
  }
  void close() {
    std::lock_guard<std::mutex> Lock(M);
    Closed = true;
    NotEmpty.notify_one();
  }

private:
  std::mutex M;
  std::condition_variable NotFull, NotEmpty;
  int Queued = 0;
  bool Closed = false;
};
} // namespace

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Read = accuracy::region("read", 110);
  long Decode = accuracy::region("decode", 140);
  long Filter = accuracy::region("filter", 165);
  long Write = accuracy::region("write", 100);
  Queue Encoded, Decoded, Filtered;
  std::thread Reader([&] {
    while (accuracy::running()) {
      WORK(Read); // REGION read
      Encoded.push();
    }
    Encoded.close();
  });
  std::thread Decoder([&] {
    while (Encoded.pop()) {
      WORK(Decode); // REGION decode
      Decoded.push();
    }
    Decoded.close();
  });
  std::thread Filterer([&] {
    while (Decoded.pop()) {
      WORK(Filter); // REGION filter
      Filtered.push();
    }
    Filtered.close();
  });
  while (Filtered.pop()) {
    WORK(Write); // REGION write
    ITEM_DONE();
  }
  Reader.join();
  Decoder.join();
  Filterer.join();
  return accuracy::finish();
}
