//===- BoundedQueue.h - A queue that makes its producer wait ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef EXAMPLE_BOUNDEDQUEUE_H
#define EXAMPLE_BOUNDEDQUEUE_H

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

template <typename T> class BoundedQueue {
public:
  explicit BoundedQueue(size_t Capacity) : Capacity(Capacity) {}

  /// Waits for room.
  void push(T Item) {
    std::unique_lock<std::mutex> Lock(M);
    NotFull.wait(Lock, [&] { return Items.size() < Capacity; });
    Items.push_back(std::move(Item));
    NotEmpty.notify_one();
  }

  /// Waits for an item. Nothing comes after close(), once the queue is empty.
  std::optional<T> pop() {
    std::unique_lock<std::mutex> Lock(M);
    NotEmpty.wait(Lock, [&] { return !Items.empty() || Closed; });
    if (Items.empty())
      return std::nullopt;
    T Item = std::move(Items.front());
    Items.pop_front();
    NotFull.notify_one();
    return Item;
  }

  void close() {
    std::lock_guard<std::mutex> Lock(M);
    Closed = true;
    NotEmpty.notify_all();
  }

private:
  const size_t Capacity;
  std::mutex M;
  std::condition_variable NotFull, NotEmpty;
  std::deque<T> Items;
  bool Closed = false;
};

#endif // EXAMPLE_BOUNDEDQUEUE_H
