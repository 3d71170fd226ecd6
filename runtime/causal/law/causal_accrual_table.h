//===- causal_accrual_table.h - To whom delay accrues ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By which threads that meet see what has accrued to others (law 11). Context: as
// causal_delay.h.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ACCRUAL_TABLE_H
#define CAUSAL_ACCRUAL_TABLE_H

#include "causal/law/causal_delay.h"

#include <stdint.h>

namespace __causal {

/// The threads to which something accrues. What they are owed by now is not on their
/// books yet, so others look when they meet somebody.
class AccrualTable {
public:
  unsigned count() const {
    return static_cast<unsigned>(__builtin_popcountll(__atomic_load_n(&Taken, __ATOMIC_RELAXED)));
  }
  bool empty() const { return !__atomic_load_n(&Taken, __ATOMIC_RELAXED); }

  /// Notes whether something accrues to T, after a resume(). A thread that finds no
  /// place is seen when it pays. Own thread.
  void update(ThreadDelay &T) {
    if (T.Accruing.any() == (T.AccrualSlot != 0))
      return;
    if (!T.Accruing.any())
      leave(T);
    else
      enter(T);
  }
  /// Own thread.
  void leave(ThreadDelay &T) {
    if (T.AccrualSlot)
      __atomic_fetch_and(&Taken, ~(1ull << (T.AccrualSlot - 1)), __ATOMIC_RELAXED);
    T.AccrualSlot = 0;
  }
  /// Returns what idle cores are to GlobalDelay::advance() by. Any thread.
  uint64_t chargeAll(GlobalDelay &G, uint64_t Now) const {
    uint64_t Grown = 0;
    for (uint64_t Left = __atomic_load_n(&Taken, __ATOMIC_ACQUIRE); Left; Left &= Left - 1)
      if (const ThreadDelay *T = __atomic_load_n(&Threads[__builtin_ctzll(Left)], __ATOMIC_ACQUIRE))
        Grown += T->chargeFromOutside(G, Now);
    return Grown;
  }

private:
  void enter(ThreadDelay &T) {
    uint64_t Seen = __atomic_load_n(&Taken, __ATOMIC_RELAXED);
    while (~Seen) {
      int Free = __builtin_ctzll(~Seen);
      if (!__atomic_compare_exchange_n(&Taken, &Seen, Seen | 1ull << Free,
                                       /*weak=*/true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
      // Who looks before this sees the place's last owner, whose memory is kept.
      __atomic_store_n(&Threads[Free], &T, __ATOMIC_RELEASE);
      T.AccrualSlot = static_cast<unsigned>(Free) + 1;
      return;
    }
  }

  uint64_t Taken = 0;
  const ThreadDelay *Threads[64] = {};
};

} // namespace __causal

#endif // CAUSAL_ACCRUAL_TABLE_H
