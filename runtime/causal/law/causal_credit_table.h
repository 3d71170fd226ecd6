//===- causal_credit_table.h - How far wakers had come ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the thread that wakes to the one that is woken, where the object they share is
// all they know of each other (law 4). Context: any thread; wait-free.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CREDIT_TABLE_H
#define CAUSAL_CREDIT_TABLE_H

#include <stdint.h>

namespace __causal {

/// What the last waker of each waited-on object has left, and who waits for those that are
/// locks. Objects are told apart by a hash of their address.
struct CreditTable {
  static constexpr unsigned Slots = 4096;
  struct Slot {
    uint64_t Local;
    uintptr_t Path;
    uintptr_t Pausing;
    uint32_t Waiting;
  } Of[Slots] = {};

  static unsigned slot(uintptr_t Object) {
    return static_cast<unsigned>((Object * 0x9E3779B97F4A7C15ull) >> 52);
  }
  /// Law 4: before a wake-up, what the waker has paid. Since Total only grows, a collision
  /// can at most credit what some waker had really paid. Any thread.
  void publish(uintptr_t Object, uint64_t WakerLocal) {
    uint64_t *S = &Of[slot(Object)].Local;
    if (__atomic_load_n(S, __ATOMIC_RELAXED) < WakerLocal)
      __atomic_store_n(S, WakerLocal, __ATOMIC_RELAXED);
  }
  /// After a wake-up. Any thread.
  uint64_t get(uintptr_t Object) const {
    return __atomic_load_n(&Of[slot(Object)].Local, __ATOMIC_RELAXED);
  }

  /// Law 3: who has Lock pauses before it gives it back, or does so no more. Any thread.
  void beginPause(uintptr_t Lock) {
    __atomic_store_n(&Of[slot(Lock)].Pausing, Lock, __ATOMIC_RELAXED);
  }
  void endPause(uintptr_t Lock) { __atomic_store_n(&Of[slot(Lock)].Pausing, 0, __ATOMIC_RELAXED); }
  bool isPausing(uintptr_t Lock) const {
    return __atomic_load_n(&Of[slot(Lock)].Pausing, __ATOMIC_RELAXED) == Lock;
  }

  /// A thread waits for Lock, or does so no more; returns whether no other one does. Any thread.
  bool beginWait(uintptr_t Lock) {
    return __atomic_fetch_add(&Of[slot(Lock)].Waiting, 1, __ATOMIC_RELAXED) == 0;
  }
  void endWait(uintptr_t Lock) { __atomic_fetch_sub(&Of[slot(Lock)].Waiting, 1, __ATOMIC_RELAXED); }

  /// Law 11: where in the program it woke, a hash of its callers. Likewise.
  void publishPath(uintptr_t Object, uintptr_t Path) {
    __atomic_store_n(&Of[slot(Object)].Path, Path, __ATOMIC_RELAXED);
  }
  uintptr_t path(uintptr_t Object) const {
    return __atomic_load_n(&Of[slot(Object)].Path, __ATOMIC_RELAXED);
  }
};

} // namespace __causal

#endif // CAUSAL_CREDIT_TABLE_H
