//===- causal_cpu_charges.h - Time that stacks are charged with -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of each thread, stack and state the time since the last snapshot. There are two tables:
// threads charge the current one; a snapshot makes the other one current, and empties the
// old one when nobody is in it any more. Where a thread is (it was preempted there), that
// is left to the next snapshot: nobody waits.
//
// The object is zeroed memory (6 MB) that the caller maps. Pure code. Context: add() in
// any thread, sample handler included; take() for one thread at a time.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_CHARGES_H
#define CAUSAL_CPU_CHARGES_H

#include "cpu/causal_cpu_state.h"

namespace __causal {

struct Charge {
  uint32_t Thread; ///< Its number in the run.
  uint32_t Stack;  ///< 0: not known.
  CPUState State;
  uint32_t Waker; ///< The stack that ended the wait; 0: not known.
  uint32_t WakerThread;
  uint64_t Time, Count;
};

class ChargeTable {
public:
  static constexpr uint32_t Size = 1 << 16;
  static constexpr unsigned MaxProbes = 64;

  /// False: no room.
  bool add(const Charge &C) {
    uint64_t Who = static_cast<uint64_t>(C.Thread) << 32 | C.Stack << 8 | index(C.State) << 1 | 1;
    uint64_t Waker = static_cast<uint64_t>(C.WakerThread) << 32 | C.Waker << 1 | 1;
    uint64_t Hash = (Who ^ Waker * 0xD6E8FEB86659FD93ull) * 0x9E3779B97F4A7C15ull;
    uint32_t At = static_cast<uint32_t>(Hash >> 40) % Size;
    for (unsigned Probe = 0; Probe != MaxProbes; ++Probe, At = (At + 1) % Size) {
      Entry &E = Entries[At];
      uint64_t Key = __atomic_load_n(&E.Who, __ATOMIC_RELAXED);
      if (!Key && __atomic_compare_exchange_n(&E.Who, &Key, Who, /*weak=*/false, __ATOMIC_RELAXED,
                                              __ATOMIC_RELAXED)) {
        __atomic_store_n(&E.Waker, Waker, __ATOMIC_RELAXED);
        uint32_t Index = __atomic_fetch_add(&Used, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&Order[Index], At, __ATOMIC_RELAXED);
        return count(E, C);
      }
      // One whose waker is not there yet is passed over: two with the same key do no harm.
      if (Key == Who && __atomic_load_n(&E.Waker, __ATOMIC_RELAXED) == Waker)
        return count(E, C);
    }
    return false;
  }

  uint32_t used() const { return __atomic_load_n(&Used, __ATOMIC_RELAXED); }

  /// Empties it. Nobody may be in it.
  template <typename Function> void take(Function F) {
    for (uint32_t I = 0; I != Used; ++I) {
      Entry &E = Entries[Order[I]];
      F(Charge{static_cast<uint32_t>(E.Who >> 32), static_cast<uint32_t>(E.Who) >> 8,
               static_cast<CPUState>(E.Who >> 1 & 0x7F), static_cast<uint32_t>(E.Waker) >> 1,
               static_cast<uint32_t>(E.Waker >> 32), E.Time, E.Count});
      E = Entry();
    }
    Used = 0;
  }

private:
  struct Entry {
    uint64_t Who = 0, Waker = 0, Time = 0, Count = 0;
  };

  static bool count(Entry &E, const Charge &C) {
    __atomic_fetch_add(&E.Time, C.Time, __ATOMIC_RELAXED);
    __atomic_fetch_add(&E.Count, C.Count, __ATOMIC_RELAXED);
    return true;
  }

  uint32_t Used;
  uint32_t Order[Size];
  Entry Entries[Size];
};

class Charges {
public:
  /// False: no room.
  bool add(const Charge &C) {
    for (;;) {
      unsigned Which = __atomic_load_n(&Current, __ATOMIC_SEQ_CST) & 1;
      __atomic_fetch_add(&Inside[Which], 1, __ATOMIC_SEQ_CST);
      bool IsCurrent = (__atomic_load_n(&Current, __ATOMIC_SEQ_CST) & 1) == Which;
      bool Added = IsCurrent && Tables[Which].add(C);
      __atomic_fetch_sub(&Inside[Which], 1, __ATOMIC_SEQ_CST);
      if (IsCurrent)
        return Added;
    }
  }

  /// There will be no room soon.
  bool nearlyFull() const {
    constexpr uint32_t Many = ChargeTable::Size / 8 * 5;
    return Tables[__atomic_load_n(&Current, __ATOMIC_RELAXED) & 1].used() > Many;
  }

  /// Gives F all that was charged before. False: some of it has to wait, since a thread is
  /// still in its table.
  template <typename Function> bool take(Function F) {
    if (!takeOld(F))
      return false;
    __atomic_store_n(&Current, Current + 1, __ATOMIC_SEQ_CST);
    return takeOld(F);
  }

  /// In the child of fork: whoever was inside is not there.
  void forgetOthers() { Inside[0] = Inside[1] = 0; }

private:
  template <typename Function> bool takeOld(Function F) {
    constexpr unsigned Looks = 1000;
    unsigned Old = (Current + 1) & 1;
    for (unsigned I = 0; __atomic_load_n(&Inside[Old], __ATOMIC_SEQ_CST); ++I)
      if (I == Looks)
        return false;
    Tables[Old].take(F);
    return true;
  }

  uint32_t Current;
  uint32_t Inside[2];
  ChargeTable Tables[2];
};

} // namespace __causal

#endif // CAUSAL_CPU_CHARGES_H
