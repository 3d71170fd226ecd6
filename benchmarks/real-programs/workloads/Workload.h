//===- Workload.h - Threads that work until time is up ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the workloads of real_programs.py share: a number of threads repeat a unit
// of work for as long as the command line says, and the result is printed as
// "rate=<units per second> cpu=<seconds of CPU per unit>". Setting up is not timed.
//
//===----------------------------------------------------------------------===//
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <atomic>
#include <causal/causal.h>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace workload {

/// Ends the program if something that cannot fail did.
inline void require(bool Condition, const char *What) {
  if (Condition)
    return;
  std::fprintf(stderr, "%s\n", What);
  std::exit(1);
}

/// Pseudo-random numbers that are the same in every run (SplitMix64).
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed) {}
  uint64_t next() {
    uint64_t Z = State += 0x9e3779b97f4a7c15;
    Z = (Z ^ Z >> 30) * 0xbf58476d1ce4e5b9;
    Z = (Z ^ Z >> 27) * 0x94d049bb133111eb;
    return Z ^ Z >> 31;
  }
  uint64_t below(uint64_t Bound) { return next() % Bound; }

private:
  uint64_t State;
};

inline double cpuSeconds() {
  rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  auto Seconds = [](const timeval &T) { return T.tv_sec + T.tv_usec * 1e-6; };
  return Seconds(Usage.ru_utime) + Seconds(Usage.ru_stime);
}

/// Calls MakeWorker(Thread) in each of the threads, then what it returned again
/// and again until time is up. One call is one unit. Returns main()'s status.
template <typename Factory>
int run(int Argc, char **Argv, unsigned Threads, Factory MakeWorker) {
  double Seconds = Argc == 2 ? std::atof(Argv[1]) : 0;
  require(Seconds > 0, "usage: workload SECONDS");
  std::atomic<bool> Stop{false};
  std::atomic<uint64_t> Units{0};
  auto Begin = std::chrono::steady_clock::now();
  double CpuBegin = cpuSeconds();
  std::vector<std::thread> Workers;
  for (unsigned I = 0; I < Threads; ++I)
    Workers.emplace_back([&, I] {
      auto Work = MakeWorker(I);
      uint64_t Done = 0;
      for (; !Stop.load(std::memory_order_relaxed); ++Done)
        Work();
      Units += Done;
    });
  std::this_thread::sleep_for(std::chrono::duration<double>(Seconds));
  Stop = true;
  for (std::thread &Worker : Workers)
    Worker.join();
  std::chrono::duration<double> Wall = std::chrono::steady_clock::now() - Begin;
  double Total = static_cast<double>(Units);
  std::printf("rate=%.6g cpu=%.6g\n", Total / Wall.count(),
              (cpuSeconds() - CpuBegin) / Total);
  return 0;
}

} // namespace workload

#endif // WORKLOAD_H
