//===- causal_work_history.h - Lines of work by context ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What law 11 has to know: of which lines the last samples were, by what the thread had
// done last that others could notice.
//
// Pure code. Context: the sample handler and the thread it interrupts, of one thread; a
// SharedHistory is for all. All is zero at first.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_WORK_HISTORY_H
#define CAUSAL_WORK_HISTORY_H

#include <stdint.h>

namespace __causal {

class WorkHistory {
public:
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
  /// What the last samples tell of a line: nothing if there are too few.
  struct Shares {
    uint32_t Hits = 0, Samples = 0;
    bool known() const { return Samples != 0; }
    uint32_t ofLine() const { return known() ? Hits * One / Samples : 0; }
    uint32_t ofOthers() const { return known() ? (Samples - Hits) * One / Samples : 0; }
  };

  /// A sample in C was of Line. Returns whether there were enough before for shares() to tell
  /// of them.
  bool add(Context C, uint32_t Line) {
    bool Tells = addTo(C.Segment, Line);
    // What is left of the whole is the segments that are not known yet.
    return Tells || C.Segment == C.Whole ? Tells : addTo(C.Whole, Line);
  }
  /// Whether hits of Line are counted; else shares() does not know. Any thread.
  bool counts(uint32_t Line) const { return Line == __atomic_load_n(&Counted, __ATOMIC_RELAXED); }
  void count(uint32_t Line) {
    for (History(&Set)[Ways] : Histories)
      for (History &H : Set) {
        uint32_t Hits = 0;
        for (uint32_t I = 0; I != kept(H.Count); ++I)
          Hits += H.Lines[I] == Line;
        __atomic_store_n(&H.Hits, Hits, __ATOMIC_RELAXED);
      }
    __atomic_store_n(&Counted, Line, __ATOMIC_RELAXED);
  }
  /// Of Line, which hits are counted of. Any thread; while another one adds to it, of samples
  /// a little older or newer.
  Shares shares(Context C) {
    Shares S = sharesIn(C.Segment);
    return S.known() || C.Segment == C.Whole ? S : sharesIn(C.Whole);
  }
  void forget() {
    Samples = Counted = 0;
    for (History(&Set)[Ways] : Histories)
      for (History &H : Set)
        H.Count = H.Hits = 0;
  }

private:
  /// Samples that are kept of a context, and how many are enough.
  static constexpr unsigned Depth = 32, Least = 8;
  struct History {
    uint32_t Count = 0, LastSample = 0;
    uint32_t Hits = 0; ///< Of those kept, in the line that is counted.
    uint32_t Lines[Depth] = {};
  };
  /// A context has its place in one of the sets, by its hash: to look for it is to be cheap,
  /// however many there are.
  static constexpr unsigned Sets = 16, Ways = 4;

  static uint32_t kept(uint32_t Count) { return Count < Depth ? Count : Depth; }
  static unsigned set(uintptr_t Context) {
    return static_cast<unsigned>((Context * 0x9E3779B97F4A7C15ull) >> 60);
  }
  Shares sharesIn(uintptr_t Context) {
    History *H = find(Context);
    uint32_t Count = H ? __atomic_load_n(&H->Count, __ATOMIC_RELAXED) : 0;
    if (Count < Least)
      return {};
    uint32_t Kept = kept(Count), Hits = __atomic_load_n(&H->Hits, __ATOMIC_RELAXED);
    return {Hits < Kept ? Hits : Kept, Kept};
  }
  bool addTo(uintptr_t Context, uint32_t Line) {
    History *H = find(Context);
    if (!H)
      H = replace(Context);
    H->LastSample = ++Samples;
    uint32_t &Place = H->Lines[H->Count % Depth], Hits = H->Hits;
    Hits -= H->Count >= Depth && Place == Counted;
    Hits += Line == Counted;
    Place = Line;
    __atomic_store_n(&H->Hits, Hits, __ATOMIC_RELAXED);
    __atomic_store_n(&H->Count, H->Count + 1, __ATOMIC_RELAXED);
    return H->Count > Least;
  }
  History *find(uintptr_t Context) {
    unsigned Set = set(Context);
    for (unsigned Way = 0; Way != Ways; ++Way)
      if (__atomic_load_n(&Contexts[Set][Way], __ATOMIC_RELAXED) == Context &&
          __atomic_load_n(&Histories[Set][Way].Count, __ATOMIC_RELAXED))
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
    History &H = Histories[Set][Oldest];
    __atomic_store_n(&H.Count, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&H.Hits, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&Contexts[Set][Oldest], Context, __ATOMIC_RELAXED);
    return &H;
  }
  uint32_t age(const History &H) const {
    constexpr uint32_t Longer = 16;
    uint32_t Age = Samples - H.LastSample;
    return !H.Count ? ~0u : H.Count >= Least ? Age / Longer : Age;
  }

  uint32_t Samples = 0, Counted = 0;
  uintptr_t Contexts[Sets][Ways] = {};
  History Histories[Sets][Ways];
};

/// Of all threads of a kind, together. Whoever finds another one in it goes on without.
class SharedHistory {
public:
  bool add(WorkHistory::Context C, uint32_t Line) {
    Entry E(Busy);
    return E.Mine ? Work.add(C, Line) : Work.shares(C).known();
  }
  WorkHistory::Shares shares(WorkHistory::Context C, uint32_t Line) {
    if (!Work.counts(Line)) {
      Entry E(Busy);
      if (!E.Mine)
        return {};
      Work.count(Line);
    }
    return Work.shares(C);
  }
  void forget() {
    Work.forget();
    __atomic_clear(&Busy, __ATOMIC_RELEASE);
  }

private:
  struct Entry {
    bool &Busy;
    bool Mine;
    explicit Entry(bool &B) : Busy(B), Mine(!__atomic_test_and_set(&B, __ATOMIC_ACQUIRE)) {}
    ~Entry() {
      if (Mine)
        __atomic_clear(&Busy, __ATOMIC_RELEASE);
    }
    Entry(const Entry &) = delete;
  };
  bool Busy = false;
  WorkHistory Work;
};

} // namespace __causal

#endif // CAUSAL_WORK_HISTORY_H
