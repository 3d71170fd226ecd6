//===- causal_cpu_wakers.h - Who ended a wait -------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By a hash of the object that threads wait for: how many do, and who was the last to do
// what may end such a wait. Who wakes nobody only reads one word. Objects that share a
// slot take each other's place: then a waker is not known, and never a wrong one.
//
// Also whether a condition is a pool's: several threads wait for it in their outermost
// loops, and it is signalled, not broadcast to all of them.
//
// Pure code; zeroed is valid. Context: any; nothing blocks.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_WAKERS_H
#define CAUSAL_CPU_WAKERS_H

#include <stdint.h>

namespace __causal {

struct Waker {
  uint32_t Stack = 0, Thread = 0;
};

class WakerTable {
public:
  static constexpr unsigned Size = 4096;

  void beginWait(uintptr_t Object) {
    __atomic_fetch_add(&slot(Object).Waiters, 1, __ATOMIC_RELAXED);
  }
  void endWait(uintptr_t Object) {
    uint32_t &Waiters = slot(Object).Waiters;
    if (__atomic_load_n(&Waiters, __ATOMIC_RELAXED)) // A child of fork has none.
      __atomic_fetch_sub(&Waiters, 1, __ATOMIC_RELAXED);
  }
  bool hasWaiters(uintptr_t Object) const {
    return __atomic_load_n(&slot(Object).Waiters, __ATOMIC_RELAXED) != 0;
  }

  void wakes(uintptr_t Object, Waker W, uint64_t Now) {
    Slot &S = slot(Object);
    __atomic_store_n(&S.Object, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&S.Last, static_cast<uint64_t>(W.Thread) << 32 | W.Stack, __ATOMIC_RELAXED);
    __atomic_store_n(&S.Time, Now, __ATOMIC_RELAXED);
    __atomic_store_n(&S.Object, Object, __ATOMIC_RELEASE);
  }
  /// Who has ended a wait for Object that began at Since. Zeroed: not known.
  Waker lastWaker(uintptr_t Object, uint64_t Since) const {
    const Slot &S = slot(Object);
    bool Same = __atomic_load_n(&S.Object, __ATOMIC_ACQUIRE) == Object;
    uint64_t Last = __atomic_load_n(&S.Last, __ATOMIC_RELAXED);
    uint64_t Time = __atomic_load_n(&S.Time, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (!Same || Time < Since || __atomic_load_n(&S.Object, __ATOMIC_RELAXED) != Object)
      return {};
    return {static_cast<uint32_t>(Last), static_cast<uint32_t>(Last >> 32)};
  }

  /// Thread (a number above 0) waits for Object in its outermost loop. Whether several do.
  bool sharesLoop(uintptr_t Object, uint32_t Thread) {
    uint64_t *Seen = &slot(Object).Loop, Mine = key(Object) << 32 | Thread;
    uint64_t Before = __atomic_load_n(Seen, __ATOMIC_RELAXED);
    if (Before >> 32 != key(Object)) {
      __atomic_store_n(Seen, Mine, __ATOMIC_RELAXED);
      return false;
    }
    uint32_t First = static_cast<uint32_t>(Before);
    if (First == Thread || First == Broadcast)
      return false;
    if (First != Pool)
      __atomic_store_n(Seen, key(Object) << 32 | Pool, __ATOMIC_RELAXED);
    return true;
  }
  /// All who wait are woken: no pool's work.
  void broadcasts(uintptr_t Object) {
    __atomic_store_n(&slot(Object).Loop, key(Object) << 32 | Broadcast, __ATOMIC_RELAXED);
  }

  /// In the child of fork nobody waits.
  void forgetWaiters() {
    for (Slot &S : Slots)
      S.Waiters = 0;
  }

private:
  static constexpr uint32_t Pool = ~0u, Broadcast = ~0u - 1;
  struct Slot {
    uintptr_t Object; ///< That Last and Time are of; 0 while they change.
    uint64_t Last, Time;
    uint64_t Loop; ///< Upper half: of the object; lower half: the one thread seen, or which.
    uint32_t Waiters;
  };

  static uint64_t hash(uintptr_t Object) { return Object * 0x9E3779B97F4A7C15ull; }
  // The rest of the hash, never 0.
  static uint64_t key(uintptr_t Object) { return (hash(Object) >> 16 & 0xffffffff) | 1; }
  Slot &slot(uintptr_t Object) { return Slots[hash(Object) >> 52]; }
  const Slot &slot(uintptr_t Object) const { return Slots[hash(Object) >> 52]; }

  Slot Slots[Size];
};

} // namespace __causal

#endif // CAUSAL_CPU_WAKERS_H
