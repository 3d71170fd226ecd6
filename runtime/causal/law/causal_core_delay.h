//===- causal_core_delay.h - What a shared core owes ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One core's side of the law of delays, where threads share cores; causal_delay.h has
// the threads'. Context: any thread that runs on the core, sample handler included.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CORE_DELAY_H
#define CAUSAL_CORE_DELAY_H

#include <stdint.h>

namespace __causal {

struct ThreadDelay;

/// Law 10, more threads than cores: how far a core has come, because it paid, by whichever
/// thread, or because a hit made its work shorter. Those that waited for it meanwhile do
/// not owe that.
struct CoreDelay {
  uint64_t Local = 0;
  /// The last thread that went on there, or paid. It may be gone.
  const ThreadDelay *Last = nullptr;
  /// How many went on there and do not wait, and what all owed when there were none.
  uint32_t Threads = 0;
  uint64_t TotalWhenLeft = 0;

  const ThreadDelay *last() const { return __atomic_load_n(&Last, __ATOMIC_RELAXED); }
  void enter(const ThreadDelay *T) {
    if (last() != T)
      __atomic_store_n(&Last, T, __ATOMIC_RELAXED);
  }
  /// A thread that has come as far as ThreadLocal goes on there. What others did while the core
  /// had nothing to do it is spared, as far as the thread is; who waits for it then is, too.
  void arrive(uint64_t ThreadLocal, uint64_t Total) {
    if (__atomic_fetch_add(&Threads, 1, __ATOMIC_RELAXED))
      return;
    uint64_t Spared = local() + Total - __atomic_load_n(&TotalWhenLeft, __ATOMIC_RELAXED);
    raise(Spared < ThreadLocal ? Spared : ThreadLocal);
  }
  void leave(uint64_t Total) {
    if (__atomic_sub_fetch(&Threads, 1, __ATOMIC_RELAXED) == 0)
      __atomic_store_n(&TotalWhenLeft, Total, __ATOMIC_RELAXED);
  }
  uint64_t local() const { return __atomic_load_n(&Local, __ATOMIC_RELAXED); }
  void raise(uint64_t To) {
    if (local() < To)
      __atomic_store_n(&Local, To, __ATOMIC_RELAXED);
  }
};

/// Some of the first Most cores. Most is a multiple of 64.
template <unsigned Most> class CoreSet {
public:
  /// Whether Core was none of them yet.
  bool add(unsigned Core) {
    uint64_t &Word = Words[Core / 64 % (Most / 64)], Bit = 1ull << Core % 64;
    bool IsNew = !(Word & Bit);
    Word |= Bit;
    return IsNew;
  }

private:
  uint64_t Words[Most / 64] = {};
};

} // namespace __causal

#endif // CAUSAL_CORE_DELAY_H
