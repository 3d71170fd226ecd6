//===- sensors.cpp - A planted fault in a worker thread -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A reader hands batches of values to a worker, which puts each into order: rank() inserts
// value by value, and grows as the square; its caller is digest(). smooth() is linear. The
// worker's input is what the other thread wrote. sensors SEED [few]
//
//===----------------------------------------------------------------------===//

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

using Batch = std::vector<int>;

struct Channel {
  std::mutex Lock;
  std::condition_variable Changed;
  const Batch *Next = nullptr;
  bool Done = false;
};

__attribute__((noinline)) void rank(int *Values, size_t Number) {
  for (size_t I = 1; I < Number; ++I) {
    int Value = Values[I];
    size_t At = I;
    for (; At > 0 && Values[At - 1] > Value; --At)
      Values[At] = Values[At - 1];
    Values[At] = Value;
  }
}

__attribute__((noinline)) long smooth(const int *Values, size_t Number) {
  long Last = 0, Sum = 0;
  for (size_t I = 0; I < Number; ++I)
    Sum += Last = (3 * Last + Values[I]) / 4;
  return Sum;
}

__attribute__((noinline)) long digest(const Batch &Incoming) {
  long Level = smooth(Incoming.data(), Incoming.size());
  Batch Copy;
  for (int Value : Incoming)
    Copy.push_back(Value);
  rank(Copy.data(), Copy.size());
  return Level + Copy[Copy.size() / 2];
}

__attribute__((noinline)) long work(Channel &From) {
  long Sum = 0;
  std::unique_lock<std::mutex> Held(From.Lock);
  while (true) {
    From.Changed.wait(Held, [&] { return From.Next || From.Done; });
    if (!From.Next)
      return Sum;
    Sum += digest(*From.Next);
    From.Next = nullptr;
    From.Changed.notify_all();
  }
}

int main(int argc, char **argv) {
  std::mt19937 Random(argc > 1 ? unsigned(std::atoi(argv[1])) : 1);
  bool Few = argc > 2 && std::string_view(argv[2]) == "few";
  Channel To;
  long Sum = 0;
  std::thread Worker([&] { Sum = work(To); });
  Batch Values;
  for (double Size = 40; Size < 4000; Size *= Few ? 12 : 1.4) {
    Values.assign(size_t(Size * std::uniform_real_distribution<>(0.9, 1.1)(Random)), 0);
    for (int &Value : Values)
      Value = int(Random() % 100000);
    std::unique_lock<std::mutex> Held(To.Lock);
    To.Next = &Values;
    To.Changed.notify_all();
    To.Changed.wait(Held, [&] { return !To.Next; });
  }
  {
    std::lock_guard<std::mutex> Held(To.Lock);
    To.Done = true;
    To.Changed.notify_all();
  }
  Worker.join();
  std::printf("%ld\n", Sum);
}
