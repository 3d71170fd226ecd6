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

/// How far the last waker of each waited-on object had come (law 4). Objects are
/// told apart by a hash of their address; since Total only grows, a collision can
/// at most credit what some waker had really paid.
struct CreditTable {
  static constexpr unsigned Slots = 4096;
  uint64_t Local[Slots] = {};

  static unsigned slot(uintptr_t Object) {
    return static_cast<unsigned>((Object * 0x9E3779B97F4A7C15ull) >> 52);
  }
  /// Before a wake-up: what the waker has paid. Any thread.
  void publish(uintptr_t Object, uint64_t WakerLocal) {
    uint64_t *S = &Local[slot(Object)];
    if (__atomic_load_n(S, __ATOMIC_RELAXED) < WakerLocal)
      __atomic_store_n(S, WakerLocal, __ATOMIC_RELAXED);
  }
  /// After a wake-up. Any thread.
  uint64_t get(uintptr_t Object) const {
    return __atomic_load_n(&Local[slot(Object)], __ATOMIC_RELAXED);
  }
};

/// Where in the program the last waker of each object was: a hash of its callers.
struct WakerTable {
  static constexpr unsigned Slots = 256;
  uintptr_t Paths[Slots] = {};

  static unsigned slot(uintptr_t Object) {
    return static_cast<unsigned>((Object * 0x9E3779B97F4A7C15ull) >> 56);
  }
  void set(uintptr_t Object, uintptr_t Path) {
    __atomic_store_n(&Paths[slot(Object)], Path, __ATOMIC_RELAXED);
  }
  uintptr_t get(uintptr_t Object) const {
    return __atomic_load_n(&Paths[slot(Object)], __ATOMIC_RELAXED);
  }
};

} // namespace __causal

#endif // CAUSAL_CREDIT_TABLE_H
