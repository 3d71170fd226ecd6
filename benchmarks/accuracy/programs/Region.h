//===- Region.h - Work that can really be made faster --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs whose speedup is known: a region is one source line of work, marked
// `// REGION name`, whose length in microseconds the command line can cut.
//
//   program [--seconds T] [--speed ITERATIONS-PER-MICROSECOND] [--threads N]
//           [--faster NAME=PERCENT]...
//
// prints "rate=<items per second>". Calibrate.cpp prints the speed of the machine.
//
//===----------------------------------------------------------------------===//
#ifndef ACCURACY_REGION_H
#define ACCURACY_REGION_H

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#ifdef USE_COZ
#include <coz.h>
#define VISIT COZ_PROGRESS_NAMED("item")
#else
#include <causal/causal.h>
#define VISIT CAUSAL_PROGRESS_NAMED("item")
#endif

// A chain of multiplications in a register, which takes the same time whenever it runs: a
// loop that counts in memory is a third slower for seconds at a time on some processors,
// when they do not foresee the store that each load reads.
#define WORK(Iterations)                                                       \
  for (unsigned long I_ = static_cast<unsigned long>(Iterations), X_ = I_; I_; \
       --I_) {                                                                 \
    X_ *= 0x9E3779B97F4A7C15ul;                                                \
    __asm__ volatile("" : "+r"(X_));                                           \
  }

#define ITEM_DONE()                                                            \
  do {                                                                         \
    accuracy::Items.fetch_add(1, std::memory_order_relaxed);                   \
    VISIT;                                                                     \
  } while (0)

namespace accuracy {

using Clock = std::chrono::steady_clock;
inline std::atomic<long> Items{0};
inline Clock::time_point Begin;
inline double Seconds = 2, PerMicrosecond = 1000;
/// Of the programs that have as many threads as the machine has cores.
inline int Threads = static_cast<int>(std::thread::hardware_concurrency());
inline int ArgumentCount;
inline char **Arguments;

inline double elapsed() {
  return std::chrono::duration<double>(Clock::now() - Begin).count();
}
inline bool running() { return elapsed() < Seconds; }

inline void start(int Argc, char **Argv) {
  ArgumentCount = Argc;
  Arguments = Argv;
  for (int I = 1; I + 1 < Argc; I += 2) {
    if (!strcmp(Argv[I], "--seconds"))
      Seconds = atof(Argv[I + 1]);
    if (!strcmp(Argv[I], "--speed"))
      PerMicrosecond = atof(Argv[I + 1]);
    if (!strcmp(Argv[I], "--threads"))
      Threads = atoi(Argv[I + 1]);
  }
  if (Threads < 1) // The machine does not say.
    Threads = 1;
  Begin = Clock::now();
}

/// Iterations of WORK for a region, less what the command line takes off.
inline long region(const char *Name, double Microseconds) {
  std::string Prefix = std::string(Name) + "=";
  for (int I = 1; I + 1 < ArgumentCount; I += 2)
    if (!strcmp(Arguments[I], "--faster") &&
        !strncmp(Arguments[I + 1], Prefix.c_str(), Prefix.size()))
      Microseconds *= 1 - atof(Arguments[I + 1] + Prefix.size()) / 100;
  return static_cast<long>(Microseconds * PerMicrosecond);
}

inline int finish() {
  printf("rate=%.4f\n", static_cast<double>(Items.load()) / elapsed());
  return 0;
}

} // namespace accuracy

#endif // ACCURACY_REGION_H
