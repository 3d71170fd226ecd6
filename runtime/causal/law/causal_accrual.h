//===- causal_accrual.h - Delays that accrue --------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Law 11: the work that a sample stands for was done in as many pieces as the thread
// met others meanwhile, and each piece would have been shorter. So where threads meet
// more often than they are sampled, a hit delays nobody by itself. Instead delay accrues
// all the time that a thread works: the virtual speedup times the share of hits in the
// last samples of its context, which is what it met last. What is done later there need not
// be what is done first, so the first sample period in a context and the second are two
// contexts. After that a pause at each sample is fine enough.
//
// Pure code; times are nanoseconds of any clock. Context: as causal_delay.h.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ACCRUAL_H
#define CAUSAL_ACCRUAL_H

#include "causal/law/causal_role.h"

#include <stdint.h>

namespace __causal {

/// How much longer work takes because others have the cores: waiting for a core per
/// time on one, in units of 1/One. 0 where every thread has a core of its own.
struct Contention {
  static constexpr uint32_t One = 1024;
  /// Less waiting than this is not told from the latency of wake-ups.
  static constexpr uint32_t Noticeable = One / 16;
  static constexpr uint32_t Most = 256 * One;

  uint32_t Ratio = 0;

  /// None where the waits may be the latency of wake-ups, which no speedup shortens.
  static Contention ofWaits(uint64_t Ratio) {
    if (Ratio < Noticeable)
      return {};
    return {Ratio < Most ? static_cast<uint32_t>(Ratio) : Most};
  }

  bool noticeable() const { return Ratio != 0; }
  /// Wall time that Progress takes.
  uint64_t stretch(uint64_t Progress) const { return Progress + Progress * Ratio / One; }
  /// What is done in Wall time.
  uint64_t progress(uint64_t Wall) const { return Wall * One / (One + Ratio); }
};

/// By what a thread's work is measured: wall time, which others know as well, or its own
/// CPU time, where it shares its core with others and may not run for long.
enum class AccrualClock : uint8_t { Wall, CPU };

/// Now, for a thread whose work is measured by the one or by the other.
struct AccrualTime {
  uint64_t Wall, CPUTime;
  AccrualClock Clock;

  AccrualTime(uint64_t Wall) : Wall(Wall), CPUTime(0), Clock(AccrualClock::Wall) {}
  AccrualTime(uint64_t Wall, uint64_t CPUTime)
      : Wall(Wall), CPUTime(CPUTime), Clock(AccrualClock::CPU) {}
  uint64_t own() const { return Clock == AccrualClock::Wall ? Wall : CPUTime; }
};

class Accrual {
public:
  /// A thread begins that plays Part, which may be null, gets its first sample after at
  /// most UntilSample of CPU time, and others each SamplePeriod.
  void begin(Role *Part, uint64_t UntilSample, uint64_t SamplePeriod) {
    uint32_t Before = Version;
    *this = Accrual();
    Version = Before;
    Plays = Part;
    Budget = UntilSample;
    Period = SamplePeriod;
  }
  /// A slot's books are made anew: who still reads those of its last thread notices. Own thread.
  void continueFrom(uint32_t Before) { Version = Before; }
  /// The thread has just met others; it goes on in Context, and what it does first is told
  /// apart by Part, if that is known. Cheap.
  void enter(uintptr_t Context, uintptr_t Part = 0) {
    Current = Context;
    Segment = Divided ? 1 : 0; // What comes first is told apart, too.
    Age = SamplesHere = 0;
    if (Part)
      divide(Part);
  }
  /// The thread may have met somebody at Place. It is taken to have not, but what it does
  /// from here on is told apart. Cheap.
  void divide(uintptr_t Place) {
    Segment = (Place * 0x9E3779B97F4A7C15ull) >> 8;
    Divided = 2;
  }
  /// Delay accrues now, if only at a rate of 0.
  bool any() const { return Since != 0; }
  AccrualClock clock() const { return Clock; }
  /// When the thread last went on, after a pause or a meeting. Any thread.
  uint64_t wentOn() const { return __atomic_load_n(&WallSince, __ATOMIC_RELAXED); }
  /// Whether the thread has gone on so lately that there is nothing to tell others of yet.
  bool isFresh(uint64_t Now) const {
    return Since && Clock == AccrualClock::Wall && Now < WallSince + LeastWork;
  }
  /// The thread is being sampled, suspended, in Line; the next sample comes after Next.
  /// Counts: hits do, and may accrue. Returns whether a hit is part of what accrues; else
  /// it is due at once.
  bool sample(uint32_t Line, bool Counts, uint64_t Next) {
    Budget = Next;
    uint32_t Before = SamplesHere++; // As many periods, and up to one more.
    Divided -= Divided != 0;
    return Counts && Plays && Before < Parts &&
           Plays->add(contextAfter(Before), Line ? Line : Role::NoLine);
  }

  /// begin() was told another period than the thread's sampler has. Own thread.
  void setPeriod(uint64_t SamplePeriod) {
    Writing Here(*this);
    Period = SamplePeriod;
    Budget = 2 * SamplePeriod;
  }

  /// The thread ends: others are to know all, however little it is.
  void tellAll() {
    Writing Here(*this);
    Untold.Worked += LeastWork;
  }

  /// There was a sample that tells nothing of the thread's work, which is suspended.
  void expectSample(uint64_t Next) { Budget = Next; }

  // For ThreadDelay, which charges what these return.

  /// The thread stops accruing, to pause or to meet others. Returns what is due; as long as
  /// it is too little to tell others of, nothing, and it stays for the next time.
  uint64_t suspend(uint64_t Now, uint32_t InEpoch) {
    uint64_t Worked = Since ? worked(Now, Since) : 0;
    Budget -= Worked;
    Age += Worked;
    Since = 0;
    Untold = Epoch == InEpoch ? Untold.plus(Worked, delay(Worked)) : Sum();
    return Untold.take(leastToTell());
  }
  /// It goes on, while hits in Line count at Speedup percent; 0 is a baseline, which does
  /// the same work for nothing. Wall: the time; CPUTime: the thread's own, where that is
  /// what suspend() will be told. OnCores: how contended its cores are. ForOthers: it is
  /// by work in other lines that delay accrues (law 12).
  void resume(AccrualTime Now, uint32_t Line, uint32_t Speedup, uint32_t InEpoch,
              Contention OnCores = {}, bool ForOthers = false) {
    Clock = Now.Clock;
    Cores = Clock == AccrualClock::Wall ? OnCores : Contention();
    uint64_t Periods = Period ? Age / Period : Parts;
    uint64_t Share = share(Periods, Line, ForOthers);
    uint64_t NextShare = share(Periods + 1, Line, ForOthers);
    Rate = Share * Speedup / 100;
    NextRate = NextShare * Speedup / 100;
    UntilNext = (Periods + 1) * Period - Age;
    if (Epoch != InEpoch)
      Untold = Sum();
    Epoch = InEpoch;
    Since = (Share || NextShare) && Budget ? Now.own() : 0;
    __atomic_store_n(&WallSince, Now.Wall, __ATOMIC_RELAXED);
  }
  /// What suspend() would return if the thread has had a core all the time. Any thread.
  uint64_t dueByWall(uint64_t Now, uint32_t InEpoch) const {
    if (!Since || Epoch != InEpoch)
      return 0;
    uint64_t Worked = worked(Now, WallSince);
    return Untold.plus(Worked, delay(Worked)).take(leastToTell());
  }

  /// To tell others costs them and the thread a cache line each time. Where threads meet
  /// every few hundred nanoseconds that would slow the program down, and in experiments only
  /// that have delays.
  static constexpr uint64_t LeastWork = 2000, LeastDue = 20;

  /// The owner writes, which others can tell.
  class Writing {
  public:
    explicit Writing(Accrual &A) : A(A) {
      __atomic_store_n(&A.Version, A.Version + 1, __ATOMIC_RELAXED);
      __atomic_thread_fence(__ATOMIC_RELEASE);
    }
    ~Writing() { __atomic_store_n(&A.Version, A.Version + 1, __ATOMIC_RELEASE); }
    Writing(const Writing &) = delete;

  private:
    Accrual &A;
  };
  /// Even where the owner does not write; unchanged where it has not meanwhile.
  uint32_t version() const { return __atomic_load_n(&Version, __ATOMIC_ACQUIRE); }
  bool isUnchanged(uint32_t Before) const {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return __atomic_load_n(&Version, __ATOMIC_RELAXED) == Before && !(Before & 1);
  }

private:
  // Longer than to the next sample is no work: the thread does not run.
  uint64_t worked(uint64_t Now, uint64_t From) const {
    uint64_t Time = Now > From ? Cores.progress(Now - From) : 0;
    return Time < Budget ? Time : Budget;
  }
  /// In units of 1/Role::One.
  uint64_t delay(uint64_t Worked) const {
    uint64_t InNext = Worked > UntilNext ? Worked - UntilNext : 0;
    return (Worked - InNext) * Rate + InNext * NextRate;
  }
  /// Where cores are shared a meeting is dear as it is, and who goes first hangs on little.
  uint64_t leastToTell() const { return Clock == AccrualClock::Wall ? LeastWork : 0; }
  /// What has accrued that others were not told of.
  struct Sum {
    uint64_t Worked = 0, Delay = 0; ///< Delay in units of 1/Role::One.

    Sum plus(uint64_t MoreWorked, uint64_t MoreDelay) const {
      return {Worked + MoreWorked, Delay + MoreDelay};
    }
    uint64_t take(uint64_t Least) {
      uint64_t Due = Delay / Role::One;
      if (Worked < Least || Due < LeastDue)
        return 0;
      *this = {0, Delay % Role::One};
      return Due;
    }
  };

  /// The parts of a context that are told apart, each a sample period long.
  static constexpr uint64_t Parts = 2;
  Role::Context contextAfter(uint64_t Periods) const {
    uintptr_t Whole = Current + (Periods << 56);
    return {Whole, Whole + Segment};
  }
  uint64_t share(uint64_t Periods, uint32_t Line, bool OfOthers) const {
    if (!Plays || !Line || Periods >= Parts)
      return 0;
    Role::Context Context = contextAfter(Periods);
    return OfOthers ? Plays->shareOfOthers(Context, Line) : Plays->share(Context, Line);
  }

  Role *Plays = nullptr;
  uintptr_t Current = 0, Segment = 0;
  uint32_t SamplesHere = 0;
  uint8_t Divided = 0; ///< Not 0: since the last sample but one.
  uint64_t Age = 0;    ///< Time worked in the context while anything accrued there.
  uint64_t Period = 0;
  uint32_t Version = 0, Epoch = 0;
  uint64_t Rate = 0;                    ///< Delay per time, in units of 1/Role::One.
  uint64_t NextRate = 0, UntilNext = 0; ///< In the next part of the context.
  Sum Untold;
  AccrualClock Clock = AccrualClock::Wall;
  Contention Cores;
  uint64_t Since = 0; ///< By Clock; 0: nothing accrues.
  uint64_t WallSince = 0;
  uint64_t Budget = 0; ///< Time that may still accrue before the next sample.
};

} // namespace __causal

#endif // CAUSAL_ACCRUAL_H
