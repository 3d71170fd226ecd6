//===- causal_recent_hits.h - When hits were, and when charged --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample holds its thread up for microseconds, 15 of them in a virtual machine, before it is
// charged. Where locks are held for less, others come to wait for
// one meanwhile: for the sample, and not for the line. They were at work when it was hit,
// so they owe it, whatever the thread that they wait for has come to (law 4).
//
// Pure code. Nanoseconds of CLOCK_MONOTONIC. Nothing allocates or blocks.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_RECENT_HITS_H
#define CAUSAL_RECENT_HITS_H

#include <stdint.h>

namespace __causal {

class RecentHits {
public:
  /// A handler that nothing was to be done in but to begin took so long to come: to tell when
  /// a hit was from when its handler began. Any thread, sample handler included.
  void arrivedAfter(uint64_t Latency) {
    if (Latency > Longest)
      return;
    int64_t Before = __atomic_load_n(&Usual, __ATOMIC_RELAXED);
    int64_t Now = static_cast<int64_t>(Latency) * Memory;
    __atomic_store_n(&Usual, Before ? Before + (Now - Before) / Memory : Now, __ATOMIC_RELAXED);
  }
  /// How long samples take to come; 0 until one has been seen to.
  uint64_t latency() const {
    return static_cast<uint64_t>(__atomic_load_n(&Usual, __ATOMIC_RELAXED) / Memory);
  }

  /// A hit, whose handler began at Began, was charged by Charged for Delay. Any thread, sample
  /// handler included.
  void note(uint64_t Began, uint64_t Charged, uint64_t Delay) {
    uint32_t At = __atomic_fetch_add(&Count, 1, __ATOMIC_RELAXED);
    Hit &H = Of[At % Size];
    __atomic_store_n(&H.Charged, 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    uint64_t Latency = latency();
    __atomic_store_n(&H.Fired, Began > Latency ? Began - Latency : 0, __ATOMIC_RELAXED);
    __atomic_store_n(&H.Delay, Delay, __ATOMIC_RELAXED);
    __atomic_store_n(&H.Charged, Charged, __ATOMIC_RELEASE);
  }

  /// Law 4: what a thread that waits since Since is to be credited with, whose waker has come
  /// as far as Paid. Since: 0 is not known. Any thread.
  uint64_t credit(uint64_t Paid, uint64_t Since) const {
    uint64_t Late = Since ? chargedLate(Since) : 0;
    return Paid > Late ? Paid - Late : 0;
  }
  /// What hits before Since add up to that were charged after it. Any thread.
  uint64_t chargedLate(uint64_t Since) const {
    uint64_t Sum = 0;
    for (const Hit &H : Of) {
      uint64_t Charged = __atomic_load_n(&H.Charged, __ATOMIC_ACQUIRE);
      uint64_t Fired = __atomic_load_n(&H.Fired, __ATOMIC_RELAXED);
      uint64_t Delay = __atomic_load_n(&H.Delay, __ATOMIC_RELAXED);
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      if (Fired < Since && Since < Charged &&
          __atomic_load_n(&H.Charged, __ATOMIC_RELAXED) == Charged)
        Sum += Delay;
    }
    return Sum;
  }

private:
  /// What takes longer was interrupted by more than the sample.
  static constexpr uint64_t Longest = 100000;
  static constexpr int64_t Memory = 16;
  /// As many as may be charged while one thread waits for a lock that is soon given back.
  static constexpr unsigned Size = 16;
  struct Hit {
    uint64_t Fired, Charged, Delay; ///< Charged is 0 while the rest is written.
  } Of[Size] = {};
  uint32_t Count = 0;
  int64_t Usual = 0; ///< In units of 1/Memory.
};

} // namespace __causal

#endif // CAUSAL_RECENT_HITS_H
