//===- causal_delay.h - The law of delays -----------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bookkeeping behind a virtual speedup (Curtsinger & Berger, SOSP'15, 3.4),
// as pure code: clock and sleep are handed in, so that tests run it in simulated
// time. docs/internals/law-of-delays.md states the law; the numbers below refer to it.
//
// All values are nanoseconds of progress: what a thread would have done in that
// much CPU time. Total only grows; a thread's Local never exceeds it.
// Context: a thread works on its own ThreadDelay only; any thread, sample handler
// included, reads and raises GlobalDelay. Nothing here allocates or blocks, except
// pay(), which sleeps through the given Sleeper.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_DELAY_H
#define CAUSAL_DELAY_H

#include "causal/law/causal_accrual.h"
#include "causal/law/causal_core_delay.h"
#include "causal/law/causal_global_delay.h"
#include "causal/law/causal_outside_wait.h"
#include "causal/law/causal_pause.h"
#include "causal/law/causal_work_time.h"

#include <stdint.h>

namespace __causal {

/// One thread's side of the books. Written by that thread alone.
struct ThreadDelay {
  /// How far this thread has come: it owes Total - Local.
  uint64_t Local = 0;
  Pauses Pausing;
  /// Forgiven because the thread slept through whole experiments.
  uint64_t Forgiven = 0;
  WorkTime Working;
  /// Time on a core and waiting for one, lately: decayed sums.
  uint64_t Ran = 0, Waited = 0;
  /// Time on a core since the thread last waited for anything else.
  uint64_t RanOn = 0;
  TimeSlice Slice;
  /// Law 12: what the thread owes for work of its own, since InEpoch began.
  uint64_t Own = 0;
  uint32_t InEpoch = 0;
  OutsideDebt Outside;
  OutsideWork InKernel;
  Accrual Accruing;
  /// The thread's place in an AccrualTable, from 1 on; 0: none.
  unsigned AccrualSlot = 0;
  /// Where it went on, if cores are shared; null: it has left.
  CoreDelay *On = nullptr;
  /// Total when the thread got a mutex late, plus what it has paid since; 0: it has none.
  uint64_t LockedAt = 0;

  /// What the thread's cores are like for it. Own thread.
  Contention contention() const { return Contention::ofWaits(waitRatio()); }

  /// Whether a thread waited for something else than a core, where Elapsed has gone by and
  /// it had or waited for one for Known.
  static bool waitedElsewhere(uint64_t Elapsed, uint64_t Known) {
    constexpr uint64_t Slack = 50000;
    return Elapsed > Known + Known / 16 + Slack;
  }

  /// A new thread expects what the others have seen.
  void expect(const GlobalDelay &G) {
    Ran = ContentionWindow / 4;
    Waited = Ran * G.recent() / Contention::One;
  }

  /// Law 9: since the last call the thread had a core for MoreRan and waited for
  /// one for MoreWaited; WaitedElsewhere: and for something else. Own thread.
  void observe(GlobalDelay &G, uint64_t MoreRan, uint64_t MoreWaited,
               bool WaitedElsewhere = false) {
    RanOn = WaitedElsewhere ? 0 : RanOn + MoreRan;
    Ran += MoreRan;
    Waited += MoreWaited;
    if (Ran > ContentionWindow) {
      Waited = Waited * (ContentionWindow / 1000) / (Ran / 1000);
      Ran = ContentionWindow;
    }
    G.noteWait(MoreRan, MoreWaited);
  }

  /// Law 13, after observe(), for a sample: whether it is one of spinning, and whether
  /// others had the core since the last one. Own thread.
  void observeSlice(GlobalDelay &G, CPUTimes Since, bool Spins, bool LostCore) {
    if (LostCore)
      G.addWall(static_cast<uint64_t>(Slice.end(Spins, G.Spinning.load(), G.experiment())));
    Slice.WaitEndedLately = false;
    bool OfSpinning = Spins && !Slice.WaitEnded;
    if (contention().noticeable() && (OfSpinning || !Spins))
      G.Spinning.add(OfSpinning ? Since.Ran : Since.Work, OfSpinning);
  }

  /// Law 12: Time was work that is to take longer. Own thread.
  void slowDown(const GlobalDelay &G, uint64_t Time) {
    Own = owedForOwn(G) + Time;
    InEpoch = G.epoch();
  }
  uint64_t owedForOwn(const GlobalDelay &G) const { return InEpoch == G.epoch() ? Own : 0; }
  /// The thread is about to wait for another one. Own thread.
  void waits() { RanOn = 0; }
  /// Law 10: it is about to, or ends, and goes on by resume(). Own thread.
  void leaveCore(const GlobalDelay &G) {
    if (On)
      moveTo(G, nullptr);
  }
  /// Whether the thread has worked for so long without a wait for anything but cores that
  /// it may be said never to wait.
  bool neverWaits() const {
    constexpr uint64_t Long = 50000000;
    return __atomic_load_n(&RanOn, __ATOMIC_RELAXED) >= Long;
  }
  bool mustPay(const GlobalDelay &G, uint64_t Tolerance) {
    if (!owedForOwn(G))
      Own = 0; // Of an experiment that is over: callers look at it first.
    return owed(G) > Tolerance + lateForLock() || Own > Tolerance;
  }

  /// The debt to others now; forgives what lies below the floor. Own thread.
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

  /// The debt as another thread may estimate it: changes nothing. Core: of the
  /// thread, if cores are shared.
  uint64_t owedSeenFromOutside(const GlobalDelay &G, const CoreDelay *Core = nullptr) const {
    uint64_t L = local();
    uint64_t Floor = G.floor();
    if (L < Floor)
      L = Floor;
    if (Core && L < Core->local())
      L = Core->local();
    uint64_t Total = G.total();
    return Total > L ? Total - L : 0;
  }

  /// A sample of CPUTime fell into a pause; the next one comes after Next. Own thread.
  void drop(uint64_t CPUTime, uint64_t Next) {
    Working.Dropped += CPUTime;
    Accruing.expectSample(Next);
  }
  /// The thread begins, or is one of a child process: nothing is left of an earlier one.
  void forgetWork() {
    Working = WorkTime();
    RanOn = Own = LockedAt = 0;
    Slice = TimeSlice();
    Outside = OutsideDebt();
  }

  /// Law 11: nothing accrues from now on, or it goes on, while hits in Line count at
  /// Speedup percent. Now: by the clock that resume() was told of. Core: where the thread
  /// runs, if cores are shared. Returns what charge() does. Own thread.
  uint64_t suspend(GlobalDelay &G, uint64_t Now, CoreDelay *Core = nullptr) {
    if (!Accruing.any())
      return 0;
    Accrual::Writing W(Accruing);
    uint64_t Due = Accruing.suspend(Now, G.epoch());
    return Due ? charge(G, Due, Core, contention()) : 0; // By which Due is progress.
  }
  void resume(GlobalDelay &G, uint32_t Line, uint32_t Speedup, AccrualTime Now,
              CoreDelay *Core = nullptr) {
    Accrual::Writing W(Accruing);
    Accruing.resume(Now, Line, Speedup, G.epoch(), contention(), G.dilation() != 0);
    goOn(G, Core);
  }

  /// How its work is measured. Where other programs contend for cores, what is taken off
  /// in the end is the wall time that it took, however well the contention is known.
  static AccrualClock clock(const GlobalDelay &G) {
    return G.sharesCores() ? AccrualClock::CPU : AccrualClock::Wall;
  }

  /// What has accrued to this thread becomes what all owe; its own books will follow. By its
  /// CPU time only while nobody else is known to have its core. Returns what charge() does.
  /// Any thread.
  uint64_t chargeFromOutside(GlobalDelay &G, uint64_t Now) const {
    uint32_t Version = Accruing.version();
    bool Shares = Accruing.clock() == AccrualClock::CPU;
    uint64_t Due = Accruing.dueByWall(Now, G.epoch()), From = local();
    if (From < G.floor())
      From = G.floor();
    if (Shares) {
      const CoreDelay *Core = __atomic_load_n(&On, __ATOMIC_RELAXED);
      if (!Core || Core->last() != this)
        return 0;
      if (From < Core->local())
        From = Core->local();
    }
    if (!Due || G.dilation() || !Accruing.isUnchanged(Version))
      return 0;
    if (Shares)
      return G.raise(From + Due);
    G.raise(From + Due, G.contention());
    return 0;
  }

  /// Law 1: Delay is due now, for a hit. Core: where the thread runs, if cores are shared:
  /// it holds that core up as well. Whoever is ahead has more of its core than those that
  /// will pay, so what the pause takes is told by all of them. Returns what idle cores are
  /// to GlobalDelay::advance() by: 0 unless cores are shared.
  uint64_t charge(GlobalDelay &G, uint64_t Delay, CoreDelay *Core = nullptr) {
    return charge(G, Delay, Core, G.contention());
  }

  /// Law 4: woken by a thread that had come as far as WakerLocal.
  void credit(uint64_t WakerLocal) {
    if (local() < WakerLocal)
      setLocal(WakerLocal);
  }

  /// Law 3: the thread has a mutex that it waited for, and was credited. What it owes now is
  /// for coming late: the mutex was free meanwhile, and is not to be held for that. (On shared
  /// cores others wait for the pause in any case.) Of several it is the last one's. Own thread.
  void locked(const GlobalDelay &G) {
    LockedAt = owed(G) > G.tolerance() && !G.sharesCores() ? G.total() : 0;
  }
  void unlocked() { LockedAt = 0; }

  /// The debt that a sample leaves for later, at Speedup percent: Tolerance, but with
  /// contended cores of its own what time slices make of threads that would have run
  /// side by side. Whoever had a core is ahead, and the others' own hits catch up; to
  /// pay at once would make threads take turns in being held back.
  uint64_t leftBySample(uint32_t Speedup, uint64_t Tolerance, const CoreDelay *Core) const {
    constexpr uint64_t TimeSlice = 4000000;
    uint64_t Ahead = TimeSlice * Speedup / 100;
    return !Core && contention().noticeable() && Ahead > Tolerance ? Ahead : Tolerance;
  }

  /// Law 2: pauses until nothing above Tolerance is owed. Law 9: where cores are
  /// contended, a thread that slept would lend its core to another one, so it
  /// keeps the core busy; where they are shared it is the core that owes (10). Sleeper has
  ///   uint64_t now();               // monotonic
  ///   void sleepUntil(uint64_t T);  // may return late; never early
  ///   uint64_t burn(uint64_t T);    // uses CPU time; returns how much: at least T
  ///   CoreDelay *core();            // where the thread runs; null: not shared
  ///   void chargeOthers();          // what has accrued to others (11)
  ///   bool interrupted();           // the program wants the thread: the rest stays owed
  /// Returns the time paused. A Sleeper may be left by a jump (a signal handler of
  /// the program): then the debt stays as it was.
  template <typename Sleeper> uint64_t pay(GlobalDelay &G, uint64_t Tolerance, Sleeper &&S) {
    uint64_t Slept = payForOwn(G, Tolerance, S);
    for (;;) {
      S.chargeOthers();
      CoreDelay *Core = S.core();
      goOn(G, Core);
      if (Core)
        credit(Core->local());
      uint64_t Debt = owed(G), Late = lateForLock();
      Debt -= Debt < Late ? Debt : Late;
      if (Debt <= Tolerance || (Slept >= MostAtOnce && S.interrupted()))
        return Slept;
      Debt = Debt < MostAtOnce ? Debt : MostAtOnce;
      uint64_t Before = local();
      Pause Kind = contention().noticeable() ? Pause::Awake : Pause::Asleep;
      Slept += Core ? payForCore(G, Debt, S) : payAlone(Debt, Kind, S);
      if (Late)
        LockedAt += local() - Before;
    }
  }

  /// Law 12: a wait for the outside world has ended that began at Before. Sleeper has queued(),
  /// too: what of it was a wait for a core is none for the outside world.
  template <typename Sleeper>
  uint64_t dilate(const GlobalDelay &G, OutsidePoint Before, Sleeper &&S) {
    constexpr uint64_t Slice = 2000000; // The experiment may end.
    uint64_t Begin = S.now(), Percent = G.dilation(), Since = Before.Time;
    if (!Percent)
      return 0;
    uint64_t Queued = S.queued() - Before.Queued;
    if (Queued > Begin - Since)
      Queued = 0; // Not known: cores were not shared at one end of it.
    if (Since < G.DilatedSince)
      Since = G.DilatedSince;
    if (Begin <= Since + Queued)
      return 0;
    uint64_t Until = Begin + (Begin - Since - Queued) * Percent / (100 - Percent);
    for (uint64_t Now = Begin; Now < Until && G.dilation(); Now = S.now())
      S.sleepUntil(Until - Now < Slice ? Until : Now + Slice);
    return S.now() - Begin;
  }

  /// Law 5: Sleeper has also
  ///   uint64_t queued();            // how long the thread has waited for a core, ever
  template <typename Sleeper>
  static OutsidePoint outsidePoint(const GlobalDelay &G, const Sleeper &S) {
    return {G.total(), G.undilatedWall(), S.now(), S.queued()};
  }
  /// A wait for the outside world has ended that began at Before. What the thread has come
  /// to owe makes it longer: asleep, however contended cores are, and by the wall time that
  /// it stands for.
  template <typename Sleeper>
  uint64_t prolong(GlobalDelay &G, OutsidePoint Before, uint64_t Tolerance, Sleeper &&S) {
    uint64_t Slept = 0;
    if (S.core() && contention().Ratio > OutsideDebt::CoresAlwaysTaken)
      return Slept;
    for (;;) {
      S.chargeOthers();
      OutsidePoint After = outsidePoint(G, S);
      OutsideWait Wait(Before, After, owed(G));
      Before = After;
      credit(local() + Wait.delay());
      uint64_t Time = Outside.toSleep(Wait, G.experiment(), Tolerance);
      if (!Time)
        return Slept;
      Slept += S.core() ? Outside.sleep(Time, S) : pause(Outside.takeAll(), Pause::Asleep, S);
    }
  }

  uint64_t local() const { return __atomic_load_n(&Local, __ATOMIC_RELAXED); }

  /// How much time on a core contention() looks back.
  static constexpr uint64_t ContentionWindow = 20000000;

private:
  static constexpr uint64_t MostAtOnce = 10000000;

  uint64_t waitRatio() const { return Ran ? Waited * Contention::One / Ran : 0; }

  uint64_t lateForLock() const { return LockedAt > local() ? LockedAt - local() : 0; }

  uint64_t charge(GlobalDelay &G, uint64_t Delay, CoreDelay *Core, Contention C) {
    if (G.dilation()) {
      slowDown(G, Delay);
      return 0;
    }
    if (Core)
      credit(Core->local());
    owed(G); // Old debts go first: they must not swallow this hit.
    setLocal(local() + Delay);
    if (!Core) {
      G.raise(local(), C);
      return 0;
    }
    // The core may be behind a thread that has just come to it.
    uint64_t To = Core->local() + Delay;
    Core->raise(To < local() ? To : local());
    spare(G, Delay);
    return G.raise(local());
  }

  // Law 10: Core is where the thread goes on, if cores are shared.
  void goOn(const GlobalDelay &G, CoreDelay *Core) {
    if (Core != On)
      moveTo(G, Core);
    if (Core)
      Core->enter(this);
  }
  void moveTo(const GlobalDelay &G, CoreDelay *Core) {
    if (On)
      On->leave(G.total());
    if (Core)
      Core->arrive(local(), G.total());
    __atomic_store_n(&On, Core, __ATOMIC_RELAXED);
  }

  // Law 10: the thread's core got on.
  void spare(GlobalDelay &G, uint64_t Progress) {
    uint32_t Experiment = G.experiment(); // Before what it might take back.
    Slice.spare(G.advance(Progress), Experiment);
  }

  void setLocal(uint64_t L) { __atomic_store_n(&Local, L, __ATOMIC_RELAXED); }

  template <typename Sleeper> uint64_t payAlone(uint64_t Debt, Pause Kind, Sleeper &S) {
    uint64_t Goal = local() + Debt, Elapsed = pause(Debt, Kind, S);
    credit(Goal);
    return Elapsed;
  }

  template <typename Sleeper> uint64_t pause(uint64_t Time, Pause Kind, Sleeper &S) {
    return Pausing.pause(Time, Kind, S, Working.Burnt);
  }
  template <typename Sleeper> uint64_t burn(uint64_t CPUTime, Sleeper &S) {
    uint64_t Elapsed = S.burn(CPUTime);
    Working.Burnt += Elapsed;
    return Elapsed;
  }

  // In slices, since the experiment may end. What is paid takes time that is dilated, too.
  template <typename Sleeper>
  uint64_t payForOwn(const GlobalDelay &G, uint64_t Tolerance, Sleeper &S) {
    constexpr uint64_t Slice = 200000;
    uint64_t Burnt = 0;
    for (;;) {
      uint64_t Owed = owedForOwn(G), Percent = G.dilation();
      if (Owed <= Tolerance || !Percent)
        return Burnt;
      uint64_t Length = Owed * 100 / (100 - Percent);
      uint64_t Paid = burn(Length < Slice ? Length : Slice, S);
      Burnt += Paid;
      uint64_t Done = Paid * (100 - Percent) / 100;
      if (owedForOwn(G))
        Own = Done < Own ? Own - Done : 0;
    }
  }

  // In slices, since another thread may pay the rest for the core, or the thread
  // may come to another core.
  template <typename Sleeper> uint64_t payForCore(GlobalDelay &G, uint64_t Debt, Sleeper &S) {
    constexpr uint64_t Slice = 50000;
    uint64_t Done = Debt < Slice ? Debt : Slice;
    uint64_t Paid = Pausing.burn(Done, S, Working.Burnt);
    spare(G, Done);
    setLocal(local() + Done);
    if (CoreDelay *Core = S.core())
      Core->raise(local());
    return Paid;
  }
};

} // namespace __causal

#endif // CAUSAL_DELAY_H
