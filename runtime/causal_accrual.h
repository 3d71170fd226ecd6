//===- causal_accrual.h - Delays that accrue --------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Law 11: the work that a sample stands for was done in as many pieces as the thread
// met others meanwhile, and each piece would have been shorter. So where threads meet
// more often than they are sampled, the delay of a hit is not due at once: it accrues
// while the thread does what it did when it was hit. What it does is known by its
// context, the last meeting: whom it woke or what it waited for. Locks are no
// meetings; most are free, and taking a free one is to cost nothing.
//
// Pure code; times are nanoseconds of any clock. Context: as causal_delay.h.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ACCRUAL_H
#define CAUSAL_ACCRUAL_H

#include <stdint.h>

namespace __causal {

class Accrual {
public:
  /// A thread begins that is sampled every Period.
  void begin(uint64_t Now, uint64_t Period) {
    *this = Accrual();
    Begin = Now;
    // Longer is smoother: side by side, whoever accrues faster holds the others back.
    // But what has not accrued when an experiment ends is lost.
    Horizon = 4 * Period;
  }
  /// What the thread leaves will go on in another one.
  void expectSuccessor() { Succeeded = true; }
  /// The thread has just met others; it goes on in Context. Cheap.
  void enter(uintptr_t Context) {
    Current = Context;
    ++Meetings;
  }
  /// The thread is being sampled: whether it met others since the last time. A young
  /// thread without a successor does not live to see its hits accrue.
  bool metOthers(uint64_t Now) {
    bool Met = Meetings != SeenMeetings;
    SeenMeetings = Meetings;
    return Met && (Succeeded || Now - Begin > longest());
  }
  /// Something is left to accrue, in one context or another.
  bool any() const { return Any; }

  // For ThreadDelay, which charges what these return.

  /// A hit of Delay. Epoch: of the experiment; what is left of others is void.
  /// Returns what has lost its place and is due now.
  uint64_t add(uint64_t Delay, uint64_t Now, uint32_t InEpoch) {
    forgetOthers(InEpoch);
    uint64_t Displaced = 0;
    if (!find()) {
      Entry = 0;
      for (unsigned I = 1; I != Contexts; ++I)
        if (Entries[I].Left < Entries[Entry].Left)
          Entry = I;
      Displaced = Entries[Entry].Left;
      Entries[Entry] = {Current, 0, 0};
    }
    Entries[Entry].Left += Delay;
    Entries[Entry].LastHit = Since = Now;
    Any = true;
    return Displaced;
  }
  /// The thread stops accruing, to pause or to meet others. Returns what is due.
  uint64_t suspend(uint64_t Now, uint32_t InEpoch) {
    uint64_t Due = due(Now, InEpoch);
    Entries[Entry].Left -= Due;
    Since = 0;
    return Due;
  }
  /// It goes on.
  void resume(uint64_t Now, uint32_t InEpoch) {
    forgetOthers(InEpoch);
    Since = find() ? Now : 0;
    Any = false;
    for (const Hit &H : Entries)
      Any |= H.Left != 0;
  }
  /// The thread ends. Returns what was left.
  uint64_t finish(uint32_t InEpoch) {
    uint64_t Left = 0;
    forgetOthers(InEpoch);
    for (Hit &H : Entries) {
      Left += H.Left;
      H.Left = 0;
    }
    Since = 0;
    Any = false;
    return Left;
  }
  /// What suspend() would return.
  uint64_t due(uint64_t Now, uint32_t InEpoch) const {
    if (!Since || Now <= Since || Epoch != InEpoch)
      return 0;
    const Hit &H = Entries[Entry];
    uint64_t Time = Now - Since;
    bool All = Time >= Horizon || Now > H.LastHit + longest();
    return All ? H.Left : H.Left * Time / Horizon;
  }

  /// The owner writes, which others can tell.
  class Writing {
  public:
    explicit Writing(Accrual &A) : A(A) {
      __atomic_store_n(&A.Version, A.Version + 1, __ATOMIC_RELAXED);
      __atomic_thread_fence(__ATOMIC_RELEASE);
    }
    ~Writing() {
      __atomic_store_n(&A.Version, A.Version + 1, __ATOMIC_RELEASE);
    }
    Writing(const Writing &) = delete;

  private:
    Accrual &A;
  };
  /// Even where the owner does not write; unchanged where it has not meanwhile.
  uint32_t version() const {
    return __atomic_load_n(&Version, __ATOMIC_ACQUIRE);
  }
  bool isUnchanged(uint32_t Before) const {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&Version, __ATOMIC_RELAXED) == Before &&
           !(Before & 1);
  }

  /// A hit has accrued after about the horizon's time in its context or, when the
  /// context comes back, after this much time anywhere.
  uint64_t longest() const { return 2 * Horizon; }

private:
  static constexpr unsigned Contexts = 4;
  struct Hit {
    uintptr_t Context = 0;
    uint64_t Left = 0, LastHit = 0;
  };

  // The current context's entry, if something is left there.
  bool find() {
    for (unsigned I = 0; I != Contexts; ++I)
      if (Entries[I].Left && Entries[I].Context == Current) {
        Entry = I;
        return true;
      }
    return false;
  }
  void forgetOthers(uint32_t InEpoch) {
    if (Epoch == InEpoch)
      return;
    Epoch = InEpoch;
    for (Hit &H : Entries)
      H.Left = 0;
  }

  uintptr_t Current = 0;
  uint32_t Meetings = 0, SeenMeetings = 0;
  uint32_t Version = 0, Epoch = 0;
  unsigned Entry = 0;
  bool Any = false, Succeeded = false;
  uint64_t Since = 0; ///< 0: nothing accrues.
  uint64_t Begin = 0, Horizon = 1000000;
  Hit Entries[Contexts];
};

} // namespace __causal

#endif // CAUSAL_ACCRUAL_H
