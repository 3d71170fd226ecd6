//===- causal_succession.h - What short threads leave to others -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Law 11 where threads are started for less work than a sample stands for: the work of
// a hit was done by several threads in turn, so what has not accrued when a thread ends
// goes on in the next one of its kind. That is a thread with the same function, and
// with as many others of that function at work when it began: the one that does in the
// next round what this one did in the last.
//
// Pure code; times are nanoseconds of any clock. Context: one thread at a time; not the
// sample handler.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SUCCESSION_H
#define CAUSAL_SUCCESSION_H

#include <stdint.h>

namespace __causal {

class ThreadSuccession {
public:
  struct Heir {
    uintptr_t Kind = 0;
    unsigned Rank = 0;
    /// Such a thread began less than Recent ago, so that another may be expected. Not
    /// if they take locks: a hit may stand for what is done with one held, and is not to
    /// accrue while another thread holds it.
    bool Recurs = false;
    bool TookLock = false, Begun = false;
    /// What it was left, and then what it leaves, and in which experiment.
    uint64_t Left = 0;
    uint32_t Epoch = 0;
    /// How much longer than asked the last pause took (law 2), likewise.
    int64_t Overshoot = 0;
  };

  /// A thread of a kind is made, by its creator: threads may begin in any order.
  Heir make(uintptr_t Kind) {
    Heir H;
    H.Kind = Kind;
    H.Rank = find(Kind, All).Alive++;
    return H;
  }
  /// It begins. Epoch: of the experiment; what was left in another one is void.
  void begin(Heir &H, uint64_t Now, uint64_t Recent, uint32_t Epoch) {
    Place &P = find(H.Kind, H.Rank);
    H.Recurs = P.LastBegin && Now - P.LastBegin < Recent && !P.TookLock;
    P.LastBegin = Now;
    H.Left = P.Epoch == Epoch ? P.Left : 0;
    H.Epoch = Epoch;
    H.Begun = true;
    H.Overshoot = H.Recurs ? P.Overshoot : 0;
    P.Left = 0;
    P.Overshoot = 0;
  }
  /// It ends, or could not be made.
  void end(const Heir &H) {
    Place &OfKind = find(H.Kind, All);
    OfKind.Alive -= OfKind.Alive != 0;
    if (!H.Begun)
      return;
    Place &P = find(H.Kind, H.Rank);
    if (P.Epoch != H.Epoch)
      P.Left = 0;
    P.Epoch = H.Epoch;
    P.Left += H.Left;
    P.Overshoot = H.Overshoot;
    P.TookLock = H.TookLock;
  }

private:
  static constexpr unsigned Places = 256, All = ~0u;
  struct Place {
    uintptr_t Kind = 0;
    unsigned Rank = 0, Alive = 0;
    uint32_t Epoch = 0;
    uint64_t LastBegin = 0, Left = 0;
    int64_t Overshoot = 0;
    bool TookLock = false;
  };

  // Two that collide forget each other.
  Place &find(uintptr_t Kind, unsigned Rank) {
    Place &P = Table[((Kind + Rank) * 0x9E3779B97F4A7C15ull) >> 56];
    if (P.Kind != Kind || P.Rank != Rank) {
      P = Place();
      P.Kind = Kind;
      P.Rank = Rank;
    }
    return P;
  }

  Place Table[Places];
};

} // namespace __causal

#endif // CAUSAL_SUCCESSION_H
