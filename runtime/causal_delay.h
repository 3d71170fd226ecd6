//===- causal_delay.h - The law of delays -----------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bookkeeping behind a virtual speedup (Curtsinger & Berger, SOSP'15, 3.4),
// as pure code: clock and sleep are handed in, so that tests run it in simulated
// time. docs/how-it-works.md states the law; the numbers below refer to it.
//
// All values are nanoseconds. Total only grows; a thread's Local never exceeds it.
// Context: a thread works on its own ThreadDelay only; any thread, sample handler
// included, reads and raises GlobalDelay. Nothing here allocates or blocks, except
// pay(), which sleeps through the given Sleeper.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_DELAY_H
#define CAUSAL_DELAY_H

#include <stdint.h>

namespace __causal {

/// What the whole program owes: every thread is to have paused for Total, less
/// what it forgives by having been there when an experiment began.
struct GlobalDelay {
  uint64_t Total = 0;
  /// Total when the current experiment began. Older debts are forgiven.
  uint64_t Floor = 0;

  uint64_t total() const { return __atomic_load_n(&Total, __ATOMIC_RELAXED); }
  uint64_t floor() const { return __atomic_load_n(&Floor, __ATOMIC_RELAXED); }

  /// Law 1: raises Total to Local, if it is less. A thread adds nothing that
  /// another one has added before it: two leaders would push twice.
  void raise(uint64_t Local) {
    uint64_t Seen = total();
    while (Seen < Local &&
           !__atomic_compare_exchange_n(&Total, &Seen, Local, /*weak=*/true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      ;
  }
};

/// One thread's side of the books. Written by that thread alone.
struct ThreadDelay {
  /// How far this thread has come: it owes Total - Local.
  uint64_t Local = 0;
  /// Slept beyond what was asked; taken off the next pause (law 2).
  int64_t Overshoot = 0;
  /// Forgiven because the thread slept through whole experiments.
  uint64_t Forgiven = 0;

  /// The debt now; forgives what lies below the floor. Own thread.
  uint64_t owed(const GlobalDelay &G) {
    uint64_t Floor = G.floor();
    uint64_t L = local();
    if (L < Floor) {
      Forgiven += Floor - L;
      setLocal(L = Floor);
    }
    uint64_t Total = G.total();
    return Total > L ? Total - L : 0;
  }

  /// The debt as another thread may estimate it: changes nothing.
  uint64_t owedSeenFromOutside(const GlobalDelay &G) const {
    uint64_t L = local();
    uint64_t Floor = G.floor();
    if (L < Floor)
      L = Floor;
    uint64_t Total = G.total();
    return Total > L ? Total - L : 0;
  }

  /// Law 1: a sample in the target stands for Delay of virtual speedup.
  void hit(GlobalDelay &G, uint64_t Delay) {
    owed(G); // Old debts go first: they must not swallow this hit.
    setLocal(local() + Delay);
    G.raise(local());
  }

  /// Law 4: woken by a thread that had come as far as WakerLocal.
  void credit(uint64_t WakerLocal) {
    if (local() < WakerLocal)
      setLocal(WakerLocal);
  }

  /// Law 2: pauses until nothing above Tolerance is owed. Sleeper has
  ///   uint64_t now();               // monotonic
  ///   void sleepUntil(uint64_t T);  // may return late; never early
  /// Returns the time slept. A Sleeper may be left by a jump (a signal handler of
  /// the program): then the debt stays as it was.
  template <typename Sleeper>
  uint64_t pay(GlobalDelay &G, uint64_t Tolerance, Sleeper &&S) {
    uint64_t Slept = 0;
    for (;;) {
      uint64_t Debt = owed(G);
      if (Debt <= Tolerance)
        return Slept;
      uint64_t Goal = local() + Debt;
      if (Overshoot >= static_cast<int64_t>(Debt)) {
        Overshoot -= static_cast<int64_t>(Debt);
      } else {
        uint64_t Begin = S.now();
        int64_t Length = static_cast<int64_t>(Debt) - Overshoot;
        S.sleepUntil(Begin + static_cast<uint64_t>(Length));
        uint64_t Elapsed = S.now() - Begin;
        Overshoot = static_cast<int64_t>(Elapsed) - Length;
        Slept += Elapsed;
      }
      credit(Goal);
    }
  }

  uint64_t local() const { return __atomic_load_n(&Local, __ATOMIC_RELAXED); }

private:
  void setLocal(uint64_t L) { __atomic_store_n(&Local, L, __ATOMIC_RELAXED); }
};

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

} // namespace __causal

#endif // CAUSAL_DELAY_H
