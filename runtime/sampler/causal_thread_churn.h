//===- causal_thread_churn.h - Which of many short threads to sample -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To begin to sample a thread costs several microseconds, which a thread that lives
// for a hundred notices. Where threads begin by the thousands a second, one of so
// many is sampled, and its samples stand for so many times as much.
//
// Pure code; any thread, not the sample handler. Zeroed it samples every thread.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_THREAD_CHURN_H
#define CAUSAL_THREAD_CHURN_H

#include <stdint.h>

namespace __causal {

class ThreadChurn {
public:
  /// As many threads may begin to be sampled in a window: 1000 a second.
  static constexpr uint64_t Window = 10000000, Affordable = 10;
  static constexpr uint64_t Most = 16;

  /// A thread begins at Now (monotonic, in nanoseconds): one of how many like it
  /// is to be sampled, by what was seen lately.
  uint32_t begin(uint64_t Now) {
    uint64_t Elapsed = Now - __atomic_load_n(&Begin, __ATOMIC_RELAXED);
    uint64_t Begun = __atomic_add_fetch(&Count, 1, __ATOMIC_RELAXED);
    if (Elapsed >= Window) {
      uint64_t InWindow = Begun * Window / Elapsed;
      uint64_t Share = (InWindow + Affordable - 1) / Affordable;
      Share = Share < Most ? Share : Most;
      __atomic_store_n(&OneIn, static_cast<uint32_t>(Share), __ATOMIC_RELAXED);
      __atomic_store_n(&Begin, Now, __ATOMIC_RELAXED);
      __atomic_store_n(&Count, 0, __ATOMIC_RELAXED);
    }
    uint32_t Share = __atomic_load_n(&OneIn, __ATOMIC_RELAXED);
    return Share ? Share : 1;
  }

private:
  uint64_t Begin = 0, Count = 0;
  uint32_t OneIn = 0;
};

} // namespace __causal

#endif // CAUSAL_THREAD_CHURN_H
