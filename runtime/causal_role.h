//===- causal_role.h - What threads do between meetings ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What law 11 has to know: of which lines the last samples were, by what the thread had
// done last that others could notice. This belongs to a role, which outlives the threads
// that play it: a kind of thread (its function, and where it was made), and the how-manieth
// of that kind. Where threads are made anew in every round, the next one in a role does what
// the last did.
//
// Pure code. Context: a Role is for the thread that plays it, sample handler included;
// the table for one thread at a time, but not the handler. All is zero at first.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ROLE_H
#define CAUSAL_ROLE_H

#include <stdint.h>

namespace __causal {

class Role {
public:
  /// That a thread takes so long to begin says nothing of cores: an idle one may have to
  /// wake up first. Crowded: few are idle.
  static constexpr uint64_t wakeUp(bool Crowded) { return Crowded ? 5000 : 50000; }
  /// Shares are in units of 1/One.
  static constexpr uint32_t One = 1 << 16;

  /// Of a sample that is of none.
  static constexpr uint32_t NoLine = ~0u;

  /// What a thread does between two meetings, and a segment of that; the same where it is
  /// not divided.
  struct Context {
    uintptr_t Whole, Segment;
    Context(uintptr_t Whole) : Whole(Whole), Segment(Whole) {}
    Context(uintptr_t Whole, uintptr_t Segment) : Whole(Whole), Segment(Segment) {}
  };

  /// A sample in C was of Line. Returns whether there are enough by now for share() to tell
  /// of them.
  bool add(Context C, uint32_t Line) {
    bool Tells = addTo(C.Segment, Line);
    // What is left of the whole is the segments that are not known yet.
    return Tells || C.Segment == C.Whole ? Tells : addTo(C.Whole, Line);
  }
  /// The share of Line in the last samples in C.
  uint32_t share(Context C, uint32_t Line) {
    const History *H = known(C, Line);
    return H ? H->Hits * One / H->kept() : 0;
  }
  /// The share of all others.
  uint64_t shareOfOthers(Context C, uint32_t Line) {
    const History *H = known(C, Line);
    return H ? (H->kept() - H->Hits) * One / H->kept() : 0;
  }

  /// A thread ends that ran for CPUTime.
  void ended(uint64_t CPUTime) {
    Life = Life ? Life - Life / 8 + CPUTime / 8 : CPUTime;
  }
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
  /// Samples that are kept of a context, and how many are enough.
  static constexpr unsigned Depth = 32, Least = 8;
  struct History {
    uint32_t Count = 0, LastSample = 0;
    uint32_t Hits = 0; ///< Of those kept, in the line that is counted.
    uint32_t Lines[Depth] = {};
    uint32_t kept() const { return Count < Depth ? Count : Depth; }
    bool tells() const { return Count >= Least; }
  };
  /// A context has its place in one of the sets, by its hash: to look for it is to be cheap,
  /// however many there are.
  static constexpr unsigned Sets = 16, Ways = 4;

  bool addTo(uintptr_t Context, uint32_t Line) {
    History *H = find(Context);
    if (!H)
      H = replace(Context);
    H->LastSample = ++Samples;
    uint32_t &Place = H->Lines[H->Count % Depth];
    H->Hits -= H->Count >= Depth && Place == Counted;
    H->Hits += Line == Counted;
    Place = Line;
    return H->Count++ >= Least;
  }
  // Null if there are too few samples, or none. Their hits are those of Line.
  const History *known(Context C, uint32_t Line) {
    if (Line != Counted)
      count(Line);
    const History *H = find(C.Segment);
    if (C.Segment != C.Whole && !(H && H->tells()))
      H = find(C.Whole);
    return H && H->tells() ? H : nullptr;
  }
  static unsigned set(uintptr_t Context) {
    return static_cast<unsigned>((Context * 0x9E3779B97F4A7C15ull) >> 60);
  }
  History *find(uintptr_t Context) {
    unsigned Set = set(Context);
    for (unsigned Way = 0; Way != Ways; ++Way)
      if (Contexts[Set][Way] == Context && Histories[Set][Way].Count)
        return &Histories[Set][Way];
    return nullptr;
  }
  // Of its set, the one that has been without a sample for longest gives way; those that
  // tell something last for longer than what may never come again.
  History *replace(uintptr_t Context) {
    unsigned Set = set(Context), Oldest = 0;
    for (unsigned Way = 1; Way != Ways; ++Way)
      if (age(Histories[Set][Way]) > age(Histories[Set][Oldest]))
        Oldest = Way;
    Contexts[Set][Oldest] = Context;
    Histories[Set][Oldest] = History();
    return &Histories[Set][Oldest];
  }
  uint32_t age(const History &H) const {
    constexpr uint32_t Longer = 16;
    uint32_t Age = Samples - H.LastSample;
    return !H.Count ? ~0u : H.tells() ? Age / Longer : Age;
  }
  void count(uint32_t Line) {
    Counted = Line;
    for (History(&Set)[Ways] : Histories)
      for (History &H : Set) {
        H.Hits = 0;
        for (uint32_t I = 0; I != H.kept(); ++I)
          H.Hits += H.Lines[I] == Line;
      }
  }

  // In place: it is too much for the stack of a thread that makes others.
  void forget() {
    Overshoot = CostOfPauses = 0;
    WakesLate = Life = Kind = 0;
    Rank = Generation = Samples = Counted = 0;
    Played = false;
    for (History(&Set)[Ways] : Histories)
      for (History &H : Set)
        H.Count = H.Hits = 0;
  }

  uintptr_t Kind = 0;
  unsigned Rank = 0, Generation = 0;
  uint64_t LastTaken = 0; ///< In the order of all that were taken.
  bool Played = false;
  uint64_t Life = 0; ///< CPU time of its threads, lately.
  uint32_t Samples = 0, Counted = 0;
  uintptr_t Contexts[Sets][Ways] = {};
  History Histories[Sets][Ways];
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
        return R;
      }
    return nullptr;
  }
  /// The thread has ended, or could not be made.
  void leave(Role *R) {
    if (R)
      R->Played = false;
  }
  /// Lines have new numbers: all is forgotten but that Mine, which may be null, is
  /// played.
  void restart(Role *Mine) {
    ++Generation;
    if (!Mine)
      return;
    uintptr_t Kind = Mine->Kind;
    unsigned Rank = Mine->Rank;
    forget(*Mine);
    Mine->Kind = Kind;
    Mine->Rank = Rank;
    Mine->Played = true;
  }

private:
  static constexpr unsigned Sets = 64, Ways = 4, MostOfAKind = 64;

  // Of the last that played it, or in the place of the role of its set that nobody has
  // played for longest. Null if it is being played, or all of its set are. The roles of a
  // kind are in sets side by side, so that no few kinds displace each other.
  Role *place(uintptr_t Kind, unsigned Rank) {
    Role *Oldest = nullptr;
    for (Role &R : Roles[((Kind * 0x9E3779B97F4A7C15ull >> 32) + Rank) % Sets]) {
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
};

} // namespace __causal

#endif // CAUSAL_ROLE_H
