//===- causal_global_delay.h - What the whole program owes -------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The side of the law of delays that all threads share; causal_delay.h has theirs. All
// values are nanoseconds of progress unless they say otherwise. Context: any thread,
// sample handler included; what only the holder of the scheduler's lock may call says so.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_GLOBAL_DELAY_H
#define CAUSAL_GLOBAL_DELAY_H

#include "causal/law/causal_accrual.h"
#include "causal/law/causal_time_slice.h"

#include <stdint.h>

namespace __causal {

/// What the whole program owes: every thread is to have paused for Total, less
/// what it forgives by having been there when an experiment began.
struct GlobalDelay {
  // What threads write all the time has a cache line of its own: each look at the rest would
  // miss.
  alignas(64) uint64_t Total = 0;
  /// The wall time that virtual speedups stand for (laws 9 and 10).
  alignas(64) uint64_t Wall = 0;
  /// The waits for cores that threads have seen lately, per time on one; in units of
  /// 1/(RecentUnits * Contention::One).
  alignas(64) uint64_t Recent = 0;
  /// How long threads have waited for cores so far, all together.
  uint64_t WaitedForCores = 0;
  static constexpr uint64_t RecentUnits = 1 << 22;
  /// Law 13.
  SpinTimes Spinning;
  /// A debt this small is left for the next opportunity: to pay it would be mostly the cost
  /// of paying. A wait that another thread ends forgives it, so it is to be little beside
  /// the work between two of them, and what is left with a lock taken beside the time with it.
  /// On shared cores to pay takes longer; but who is woken there, on a core that has come
  /// further meanwhile, owes none of what its waker left.
  alignas(64) uint64_t Tolerance = OfOwnCore;
  static constexpr uint64_t OfOwnCore = 200, OfSharedCore = 2000;
  /// Total when the current experiment began. Older debts are forgiven.
  uint64_t Floor = 0;
  /// How many cores other programs have had lately, in units of 1/Contention::One.
  uint32_t Others = 0;
  uint64_t SeenOthers = 0, SeenAt = 0, SeenCores = 0;
  bool KnowsOthers = false;
  /// Threads at work per core, in units of 1/One; they share cores if that is more
  /// than One.
  uint32_t Crowd = 0;
  uint32_t Cores = 1;
  /// Changes when hits begin to count and when they stop (law 11).
  uint32_t Epoch = 0;
  /// Which experiment is running; 0: none.
  uint32_t Experiment = 0;
  /// Law 12: by how many percent of itself time is dilated now, and since when.
  uint32_t Dilation = 0;
  uint64_t DilatedSince = 0;
  /// Threads at work have never waited for anything but cores, lately.
  bool NobodyWaits = false;

  uint64_t total() const { return __atomic_load_n(&Total, __ATOMIC_RELAXED); }
  uint64_t tolerance() const { return __atomic_load_n(&Tolerance, __ATOMIC_RELAXED); }
  uint64_t floor() const { return __atomic_load_n(&Floor, __ATOMIC_RELAXED); }
  /// For the holder of the scheduler's lock.
  uint64_t wall(uint64_t Now) const { return undilatedWall() + dilated(Now); }
  /// Of experiments that do not dilate time. Any thread.
  uint64_t undilatedWall() const { return __atomic_load_n(&Wall, __ATOMIC_RELAXED); }
  uint32_t epoch() const { return __atomic_load_n(&Epoch, __ATOMIC_RELAXED); }
  void nextEpoch() { __atomic_fetch_add(&Epoch, 1, __ATOMIC_RELAXED); }
  uint32_t experiment() const { return __atomic_load_n(&Experiment, __ATOMIC_RELAXED); }
  void setExperiment(uint32_t Number) { __atomic_store_n(&Experiment, Number, __ATOMIC_RELAXED); }
  Contention contention() const { return Contention::ofWaits(recent()); }
  uint64_t waitedForCores() const { return __atomic_load_n(&WaitedForCores, __ATOMIC_RELAXED); }
  /// What a new thread is to expect, noticeable or not.
  uint32_t recent() const {
    return static_cast<uint32_t>(__atomic_load_n(&Recent, __ATOMIC_RELAXED) / RecentUnits);
  }
  /// A thread had a core for Ran and waited for one for Waited. Averaged over 64 ms of
  /// each core's time. A short sample weighs little among many cores: RecentUnits are so
  /// small that it is not lost in rounding, and Unit is so long that products fit.
  void noteWait(uint64_t Ran, uint64_t Waited) {
    if (Waited)
      __atomic_fetch_add(&WaitedForCores, Waited, __ATOMIC_RELAXED);
    constexpr uint64_t Unit = 64, CoreWindow = 64000000 / Unit;
    constexpr uint64_t LongestWait = CoreWindow * Contention::Most / Contention::One;
    Ran = Ran / Unit < CoreWindow ? Ran / Unit : CoreWindow;
    Waited = Waited / Unit < LongestWait ? Waited / Unit : LongestWait;
    auto Window = static_cast<int64_t>(CoreWindow * cores());
    uint64_t Before = __atomic_load_n(&Recent, __ATOMIC_RELAXED);
    auto Change = static_cast<int64_t>(Waited * Contention::One * RecentUnits) -
                  static_cast<int64_t>(Before * Ran);
    uint64_t New = Before + static_cast<uint64_t>(Change / Window);
    constexpr uint64_t Most = Contention::Most * RecentUnits;
    __atomic_store_n(&Recent, New < Most ? New : Most, __ATOMIC_RELAXED);
  }
  uint32_t dilation() const { return __atomic_load_n(&Dilation, __ATOMIC_RELAXED); }
  /// Law 12 is for programs like this. At most MostDilation percent: at 100 nothing but
  /// the line would go on.
  bool canDilate() const { return NobodyWaits && sharesCores(); }
  static constexpr uint32_t MostDilation = 90;
  /// No pause of a dilation is to be longer.
  static constexpr uint64_t LongestPause = 10000000;
  /// The debt that a sample leaves for later. A pause follows a sample outside the line, and
  /// the next sample comes sooner than others after it: if that happened each time, it would
  /// be in the same code as the last one too often.
  static uint64_t leftByDilation(uint32_t Percent) {
    constexpr uint64_t Work = 4000000;
    uint64_t Left = Work * Percent / 100;
    uint64_t Most = LongestPause * (100 - Percent) / 100;
    return Left < Most ? Left : Most;
  }
  void beginDilation(uint64_t Now, uint32_t Percent) {
    __atomic_store_n(&DilatedSince, Now, __ATOMIC_RELAXED);
    __atomic_store_n(&Dilation, Percent, __ATOMIC_RELAXED);
  }
  /// Unpaid: what threads still owed of it, as wall time.
  void endDilation(uint64_t Now, uint64_t Unpaid) {
    uint64_t Time = dilated(Now);
    addWall(Time > Unpaid ? Time - Unpaid : 0);
    __atomic_store_n(&Dilation, 0, __ATOMIC_RELAXED);
  }

  /// Law 10: threads wait for cores, and it is known how many they share.
  bool sharesCores() const { return contention().noticeable() && (isCrowded() || KnowsOthers); }
  /// More of the program's threads are at work than there are cores.
  bool isCrowded() const { return crowd() > Contention::One; }
  /// What other programs leave of the cores, in units of 1/Contention::One. An eighth of one
  /// at least.
  uint32_t ownCores() const {
    constexpr uint32_t Least = Contention::One / 8;
    uint32_t All = cores() * Contention::One;
    uint32_t Taken = __atomic_load_n(&Others, __ATOMIC_RELAXED);
    if (Taken < Contention::Noticeable)
      return All;
    return Taken + Least < All ? All - Taken : Least;
  }
  /// By Now other programs have had the cores for OthersTime, all together. OfCores: tells
  /// sets of cores apart; there is nothing to compare with another one.
  void noteOthers(uint64_t OthersTime, uint64_t Now, uint64_t OfCores = 0) {
    constexpr uint64_t Enough = 200000000;
    bool Comparable = SeenAt && OfCores == SeenCores;
    if (Comparable && Now < SeenAt + Enough)
      return;
    if (Comparable) {
      uint64_t More = OthersTime > SeenOthers ? OthersTime - SeenOthers : 0;
      uint64_t Taken = More * Contention::One / (Now - SeenAt);
      if (KnowsOthers) // Smoothed, but for the first one.
        Taken = (3 * Others + Taken) / 4;
      __atomic_store_n(&Others, static_cast<uint32_t>(Taken), __ATOMIC_RELAXED);
      KnowsOthers = true;
    }
    SeenCores = OfCores;
    SeenOthers = OthersTime;
    SeenAt = Now;
  }
  /// Nobody waits for cores, so nobody has looked at what others have of them.
  void forgetOthers() {
    SeenAt = 0;
    KnowsOthers = false;
    __atomic_store_n(&Others, 0, __ATOMIC_RELAXED);
  }
  /// Threads are at work on so many cores now. Fewer than lately may be chance, where
  /// threads are short. NeverWait: those of them that wait for nothing but cores.
  void setCrowd(unsigned Threads, unsigned OnCores, unsigned NeverWait = 0) {
    __atomic_store_n(&Cores, OnCores, __ATOMIC_RELAXED);
    NobodyWaits = Threads > OnCores && NeverWait * 4 >= Threads * 3;
    uint32_t Now = Threads * Contention::One / OnCores;
    uint32_t Lately = crowd() - crowd() / 8;
    __atomic_store_n(&Crowd, Now > Lately ? Now : Lately, __ATOMIC_RELAXED);
    __atomic_store_n(&Tolerance, sharesCores() ? OfSharedCore : OfOwnCore, __ATOMIC_RELAXED);
  }
  unsigned cores() const { return __atomic_load_n(&Cores, __ATOMIC_RELAXED); }
  uint32_t crowd() const { return __atomic_load_n(&Crowd, __ATOMIC_RELAXED); }

  /// Law 1: raises Total to Local, if it is less; returns by how much. A thread adds
  /// nothing that another one has added before it: two leaders would push twice.
  uint64_t raise(uint64_t Local) {
    uint64_t Seen = total();
    while (Seen < Local)
      if (__atomic_compare_exchange_n(&Total, &Seen, Local, /*weak=*/true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
        return Local - Seen;
    return 0;
  }
  /// Law 9: what it adds would have taken the thread as long as its cores are contended.
  void raise(uint64_t Local, Contention C) { addWall(C.stretch(raise(Local))); }

  /// Law 10: of the cores that other programs leave, Some, in units of 1/Contention::One, got
  /// on by Progress that no work was done in, or none is to be done in: they paid, they hit,
  /// or they idled while Total grew. Returns the wall time.
  uint64_t advance(uint64_t Progress, uint32_t Some = Contention::One) {
    uint64_t Time = wallTime(Progress, Some);
    addWall(Time);
    return Time;
  }
  /// How long all own cores take for what Some take Progress for.
  uint64_t wallTime(uint64_t Progress, uint32_t Some = Contention::One) const {
    return Progress * Some / ownCores();
  }
  /// Less than nothing takes back what was added in this experiment.
  void addWall(uint64_t Time) {
    if (Time)
      __atomic_fetch_add(&Wall, Time, __ATOMIC_RELAXED);
  }

private:
  uint64_t dilated(uint64_t Now) const {
    uint64_t Since = __atomic_load_n(&DilatedSince, __ATOMIC_RELAXED);
    return Now > Since ? (Now - Since) * dilation() / 100 : 0;
  }
};

} // namespace __causal

#endif // CAUSAL_GLOBAL_DELAY_H
