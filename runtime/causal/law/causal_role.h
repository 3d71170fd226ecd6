//===- causal_role.h - What threads do between meetings ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What law 11 has to know of a thread's work belongs to a role, which outlives the threads
// that play it: a kind of thread (its function, and where it was made), and the how-manieth
// of that kind. Where threads are made anew in every round, the next one in a role does what
// the last did. Until a role has been sampled enough, it is taken to do what all of its kind
// do: many threads are each sampled seldom.
//
// Pure code. Context: a Role is for the thread that plays it, sample handler included;
// the table for one thread at a time, but not the handler. All is zero at first.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ROLE_H
#define CAUSAL_ROLE_H

#include "causal/law/causal_work_history.h"

#include <stdint.h>

namespace __causal {

class Role {
public:
  using Context = WorkHistory::Context;
  static constexpr uint32_t One = WorkHistory::One, NoLine = WorkHistory::NoLine;

  /// That a thread takes so long to begin says nothing of cores: an idle one may have to
  /// wake up first. Crowded: few are idle.
  static constexpr uint64_t wakeUp(bool Crowded) { return Crowded ? 5000 : 50000; }

  /// A sample in C was of Line. Returns whether there are enough by now for share() to tell
  /// of them.
  bool add(Context C, uint32_t Line) {
    bool Tells = Work.add(C, Line);
    return (OfKind && OfKind->add(C, Line)) || Tells;
  }
  /// The share of Line in the last samples in C: of this role if there are enough, else of
  /// all of its kind.
  uint32_t share(Context C, uint32_t Line) { return shares(C, Line).ofLine(); }
  /// The share of all others.
  uint32_t shareOfOthers(Context C, uint32_t Line) { return shares(C, Line).ofOthers(); }

  /// A thread ends that ran for CPUTime.
  void ended(uint64_t CPUTime) { Life = Life ? Life - Life / 8 + CPUTime / 8 : CPUTime; }
  /// What a thread waited for a core before its first sample, which stands for Period:
  /// as if all those had been sampled that did not live so long.
  uint64_t waitedBeforeFirst(uint64_t Time, uint64_t Period, bool Crowded) const {
    uint64_t WakeUp = wakeUp(Crowded);
    Time = Time > WakeUp ? Time - WakeUp : 0;
    return Life && Life < Period ? Time * Period / Life : Time;
  }

  /// What a thread leaves to the next one: see ThreadDelay.
  int64_t Overshoot = 0, CostOfPauses = 0;
  uint64_t WakesLate = 0;

private:
  friend class RoleTable;

  WorkHistory::Shares shares(Context C, uint32_t Line) {
    if (!Work.counts(Line))
      Work.count(Line);
    WorkHistory::Shares S = Work.shares(C);
    return S.known() || !OfKind ? S : OfKind->shares(C, Line);
  }

  // In place: it is too much for the stack of a thread that makes others.
  void forget() {
    Overshoot = CostOfPauses = 0;
    WakesLate = Life = Kind = 0;
    Rank = Generation = 0;
    Played = false;
    Work.forget();
  }

  uintptr_t Kind = 0;
  unsigned Rank = 0, Generation = 0;
  uint64_t LastTaken = 0; ///< In the order of all that were taken.
  bool Played = false;
  uint64_t Life = 0; ///< CPU time of its threads, lately.
  WorkHistory Work;
  SharedHistory *OfKind = nullptr; ///< While it is played.
};

class RoleTable {
public:
  /// A thread of Kind is made: the first role of that kind that nobody plays. Null if
  /// there are too many.
  Role *take(uintptr_t Kind) {
    for (unsigned Rank = 0; Rank != MostOfAKind; ++Rank)
      if (Role *R = place(Kind, Rank)) {
        R->Kind = Kind;
        R->Rank = Rank;
        R->Played = true;
        R->LastTaken = ++Taken;
        R->OfKind = join(Kind);
        return R;
      }
    return nullptr;
  }
  /// The thread has ended, or could not be made.
  void leave(Role *R) {
    if (!R)
      return;
    R->Played = false;
    if (R->OfKind && R->Generation == Generation)
      --Kinds[set(R->Kind)].Players;
    R->OfKind = nullptr;
  }
  /// Lines have new numbers: all is forgotten but that Mine, which may be null, is
  /// played.
  void restart(Role *Mine) {
    ++Generation;
    for (KindEntry &K : Kinds)
      K.Players = 0;
    if (!Mine)
      return;
    uintptr_t Kind = Mine->Kind;
    unsigned Rank = Mine->Rank;
    forget(*Mine);
    Mine->Kind = Kind;
    Mine->Rank = Rank;
    Mine->Played = true;
    Mine->OfKind = join(Kind);
  }

private:
  static constexpr unsigned Sets = 64, Ways = 4, MostOfAKind = 64;

  static unsigned set(uintptr_t Kind) {
    return static_cast<unsigned>((Kind * 0x9E3779B97F4A7C15ull >> 32) % Sets);
  }
  // Null while threads of another kind have its place.
  SharedHistory *join(uintptr_t Kind) {
    KindEntry &K = Kinds[set(Kind)];
    SharedHistory &Work = WorkOfKinds[set(Kind)];
    if (K.Kind != Kind || K.Generation != Generation) {
      if (K.Players)
        return nullptr;
      K = {Kind, Generation, 0};
      Work.forget();
    }
    ++K.Players;
    return &Work;
  }

  // Of the last that played it, or in the place of the role of its set that nobody has
  // played for longest. Null if it is being played, or all of its set are. The roles of a
  // kind are in sets side by side, so that no few kinds displace each other.
  Role *place(uintptr_t Kind, unsigned Rank) {
    Role *Oldest = nullptr;
    for (Role &R : Roles[(set(Kind) + Rank) % Sets]) {
      if (R.Kind == Kind && R.Rank == Rank && R.Generation == Generation && R.LastTaken)
        return R.Played ? nullptr : &R;
      if (!R.Played && (!Oldest || R.LastTaken < Oldest->LastTaken))
        Oldest = &R;
    }
    if (Oldest)
      forget(*Oldest);
    return Oldest;
  }
  void forget(Role &R) {
    R.forget();
    R.Generation = Generation;
  }

  unsigned Generation = 0;
  uint64_t Taken = 0;
  Role Roles[Sets][Ways];
  /// Which kind has a place, and how many threads of it play.
  struct KindEntry {
    uintptr_t Kind = 0;
    unsigned Generation = 0, Players = 0;
  } Kinds[Sets];
  SharedHistory WorkOfKinds[Sets];
};

} // namespace __causal

#endif // CAUSAL_ROLE_H
