//===- causal_sync.cpp - Delays where threads wait for each other ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The slow paths of causal_sync.h and causal_atomics.h.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_sync.h"
#include "base/causal_platform.h"
#include "causal/causal_atomics.h"
#include "causal/causal_contention.h"
#include "causal/causal_sample.h"
#include "code/causal_stack_walk.h"
#include "sampler/causal_sampler.h"
#include "sampler/causal_schedstat.h"
#include "sampler/causal_signal_mask.h"

using namespace __causal;

// So little that to ask the kernel for the thread's CPU time would take as long: what goes by
// on the clock is taken for it. Others seldom get the core in between.
static bool isBrief(uint64_t Time) {
  constexpr uint64_t Most = 20000;
  return Time <= Most;
}
// What it does besides takes less, or others had the core.
static constexpr uint64_t MostBesides = 2000;

// A signal handler of the program may run during the sleep and leave it by a jump,
// so the mark is off meanwhile. A sleep uses no CPU time and so gets no sample.
struct UnmarkedSleeper {
  CausalThread &T;
  uint64_t now() const { return __causal::now(); }
  void sleepUntil(uint64_t Until) const {
    --T.InRuntime;
    __causal::sleepUntil(Until);
    ++T.InRuntime;
  }
  uint64_t burn(uint64_t CPUTime) const {
    if (isBrief(CPUTime))
      return burnByWall(CPUTime);
    --T.InRuntime;
    uint64_t Burnt = burnCPU(CPUTime, T.BurnSeen);
    ++T.InRuntime;
    return Burnt;
  }
  uint64_t burnByWall(uint64_t Time) const {
    T.BurnSeen = 0; // How late a sample in here is cannot be told.
    uint64_t Begin = now(), Elapsed;
    do {
      --T.InRuntime;
      burnBriefly();
      ++T.InRuntime;
      T.BurnsByClock = true;
      Elapsed = now() - Begin;
      T.BurnsByClock = false;
    } while (Elapsed < Time);
    return Elapsed < Time + MostBesides ? Elapsed : Time + MostBesides;
  }
  CoreDelay *core() const { return run().sharedCore(T); }
  void chargeOthers() const { run().chargeAccrued(T, now()); }
  bool interrupted() const { return pendingSignals() & T.HeldBack; } // Others are open.
  // Elsewhere a thread finds its core free.
  uint64_t queued() const { return core() ? waitedForCore(T) : 0; }
};

namespace {
/// Around a pause before a call that signals break off: they are held back until it is over,
/// and would have come in the call.
class SignalsHeldBack {
public:
  explicit SignalsHeldBack(CausalThread &T) : T(T) {
    T.HeldBack = 0;
    if (T.CallBreaksOff == BreaksOff::Never)
      return;
    Before = kernelMask();
    T.HeldBack = asynchronous() & ~Before;
    setKernelMask(Before | T.HeldBack);
  }
  ~SignalsHeldBack() {
    if (!T.HeldBack)
      return;
    bool Breaks = breaksOff(pendingSignals() & T.HeldBack);
    T.HeldBack = 0;
    --T.InRuntime; // Handlers run now, and may leave by a jump.
    setKernelMask(Before);
    ++T.InRuntime;
    T.BrokenOff = Breaks;
  }
  SignalsHeldBack(const SignalsHeldBack &) = delete;

private:
  // Neither faults nor libc's own (cancellation, changes of the user).
  static uint64_t asynchronous() {
    return ~(signalBit(SIGSEGV) | signalBit(SIGBUS) | signalBit(SIGILL) | signalBit(SIGFPE) |
             signalBit(SIGSYS) | signalBit(SIGTRAP) | signalBit(StandInSignal) |
             signalBit(samplerSignal()) | signalBit(32) | signalBit(33));
  }
  bool breaksOff(uint64_t Came) const {
    for (int Signal = 1; Signal <= 64; ++Signal) {
      struct sigaction Action;
      if (Came & signalBit(Signal) && realSigaction(Signal, nullptr, &Action) == 0 &&
          Action.sa_handler != SIG_DFL && Action.sa_handler != SIG_IGN &&
          (T.CallBreaksOff == BreaksOff::Always || !(Action.sa_flags & SA_RESTART)))
        return true;
    }
    return false;
  }

  CausalThread &T;
  uint64_t Before = 0;
};
} // namespace

// To fall asleep and wake up takes CPU time that is no work, either.
static void payAndCount(CausalThread &T) {
  GlobalDelay &G = run().Scheduler.Delays;
  uint64_t Begin = now(), &Burnt = T.Delay.Working.Burnt, Known = Burnt;
  bool Brief = isBrief(debt(T) + T.Delay.Own);
  uint64_t Before = Brief ? 0 : threadCPUTime();
  uint64_t Paused = T.Delay.pay(G, G.tolerance(), UnmarkedSleeper{T});
  T.Paused += Paused;
  uint64_t Cost = now() - Begin - Paused;
  if (Brief) {
    Cost = Cost < MostBesides ? Cost : MostBesides;
    Burnt += Cost;
    return T.Delay.Pausing.tookMore(static_cast<int64_t>(Cost));
  }
  uint64_t Took = threadCPUTime() - Before;
  if (Burnt >= Known && Burnt < Known + Took) { // Else a sample has come between.
    if (run().sharedCore(T))
      Cost = Known + Took - Burnt;
    Burnt = Known + Took;
  }
  T.Delay.Pausing.tookMore(static_cast<int64_t>(Cost));
}

// The books have been kept since Begin.
static void noteCost(CausalThread &T, BookCost &Cost, uint64_t Begin) {
  if (Target Selected = run().Scheduler.target(); Selected.Line)
    T.Delay.Pausing.tookMore(Cost.note(now() - Begin, Selected.Speedup == 0));
}

CAUSAL_SLOW void __causal::paySlow(CausalThread &T) {
  if (T.InRuntime)
    return; // A signal handler of the program, on top of a pause.
  InRuntimeScope Scope(T);
  GlobalDelay &G = run().Scheduler.Delays;
  AccrualTime Now = run().suspendAccrual(T, now());
  run().chargeAccrued(T, Now.Wall);
  noteCost(T, T.CostToPay, Now.Wall);
  if (T.Delay.mustPay(G, G.tolerance())) {
    SignalsHeldBack Here(T); // The clock may end an experiment, and write it.
    payAndCount(T);
    Now = now();
    run().Scheduler.tick(Now.Wall, run());
  }
  run().resumeAccrual(T, Now);
}

// The less is done with a lock in its hands, the fewer come upon it.
CAUSAL_SLOW void __causal::payToUnlockSlow(CausalThread &T, uintptr_t Lock) {
  if (!owes(T) && T.Delay.Accruing.isFresh(now()))
    return;
  run().Credits.beginPause(Lock);
  paySlow(T);
  run().Credits.endPause(Lock);
}

// No longer: whoever would have had to wait without the pause as well is woken late in a
// baseline, too.
CAUSAL_SLOW void __causal::outlastPauseSlow(uintptr_t Lock) {
  constexpr uint64_t Most = 20000;
  if (run().Scheduler.Delays.sharesCores())
    return;
  for (uint64_t Until = now() + Most; run().Credits.isPausing(Lock) && now() < Until;)
    __builtin_ia32_pause();
}

// On a shared core a pause may take what is left of a time slice, and the update would come
// slices later. Behind it, the thread most likely spins: there pauses cost nothing.
CAUSAL_SLOW void __causal::updateSlow(CausalThread &T, uintptr_t Place) {
  if (run().Scheduler.Delays.sharesCores())
    return;
  if (T.UpdatesMeet)
    T.Delay.Accruing.divide(Place); // What has accrued is known.
  paySlow(T);
}

CAUSAL_SLOW void __causal::spinSlow(CausalThread &T) {
  if (T.InRuntime)
    return;
  InRuntimeScope Scope(T);
  GlobalDelay &G = run().Scheduler.Delays;
  uint64_t Now = now();
  if (T.SpunInRuntime)
    observeSpinning(T, Now);
  run().chargeAccrued(T, Now);
  if (!T.Delay.mustPay(G, G.tolerance()))
    return;
  payAndCount(T);
  run().Scheduler.tick(now(), run());
}

CAUSAL_SLOW void __causal::leaveCoreSlow(CausalThread &T) {
  if (T.InRuntime)
    return;
  InRuntimeScope Scope(T);
  T.Delay.leaveCore(run().Scheduler.Delays);
}

CAUSAL_SLOW void __causal::suspendSlow(CausalThread &T) {
  if (T.InRuntime)
    return;
  InRuntimeScope Scope(T);
  run().suspendAccrual(T, now());
}

static void meet(CausalThread &T, uintptr_t Context) {
  if (T.InRuntime)
    return T.Delay.Accruing.enter(Context, T.Part);
  InRuntimeScope Scope(T);
  AccrualTime Now = run().suspendAccrual(T, now());
  T.Delay.Accruing.enter(Context, T.Part);
  run().resumeAccrual(T, Now);
  noteCost(T, T.CostToMeet, Now.Wall);
}

CAUSAL_SLOW void __causal::meetSlow(CausalThread &T, uintptr_t Context) { meet(T, Context); }

CAUSAL_SLOW void __causal::meetWokenSlow(CausalThread &T, uintptr_t Object, uintptr_t Context,
                                         uintptr_t Part) {
  if (!T.InRuntime) {
    InRuntimeScope Scope(T);
    T.Part = Part ? Part : run().Credits.path(Object) + callPath(T.Stack);
  }
  meet(T, Context);
}

CAUSAL_SLOW void __causal::noteWakingSlow(CausalThread &T, uintptr_t Object) {
  if (T.InRuntime)
    return;
  InRuntimeScope Scope(T);
  run().Credits.publishPath(Object, T.Part = callPath(T.Stack));
}

CAUSAL_SLOW void __causal::resumeSlow(CausalThread &T) {
  if (T.InRuntime)
    return;
  InRuntimeScope Scope(T);
  run().resumeAccrual(T, now());
}

// Who leaves a shared core leaves it to others, who would not know what it owed.
CAUSAL_SLOW OutsidePoint __causal::goOutSlow(CausalThread &T) {
  if (T.InRuntime)
    return {};
  if (run().sharedCore(T) && owes(T))
    paySlow(T);
  beforePart(T);
  InRuntimeScope Scope(T);
  T.Delay.leaveCore(run().Scheduler.Delays);
  OutsidePoint Here = ThreadDelay::outsidePoint(run().Scheduler.Delays, UnmarkedSleeper{T});
  T.OutsideSince = Here.Time - T.Paused;
  return Here;
}

// Where cores are shared it may have waited for one meanwhile; observeContention() tells.
static void callTook(CausalThread &T, uint64_t Back) {
  if (!run().Scheduler.Delays.sharesCores())
    T.Delay.InKernel.took(Back - T.Paused - T.OutsideSince);
}

CAUSAL_SLOW void __causal::cameBackSlow(CausalThread &T, OutsidePoint Before) {
  if (T.InRuntime)
    return;
  InRuntimeScope Scope(T);
  Run &R = run();
  uint64_t Back = now();
  if (T.Outside == OutsideCall::MayWait)
    callTook(T, Back);
  R.suspendAccrual(T, Back); // A handler of the program may have left something.
  GlobalDelay &G = R.Scheduler.Delays;
  if (G.total() != Before.Total || !R.Accruing.empty()) {
    uint64_t Slept = T.Delay.prolong(G, Before, G.tolerance(), UnmarkedSleeper{T});
    T.Paused += Slept;
    T.SleptOutside += Slept;
  }
  if (G.dilation())
    T.Paused += T.Delay.dilate(G, Before, UnmarkedSleeper{T});
  uint64_t Now = now();
  R.Scheduler.tick(Now, R);
  if (!T.Spinning) // Else it waits for another thread, and has looked for long.
    R.resumeAccrual(T, Now);
}

// What accrued before is known, and what comes is told apart.
static uint64_t beginPart(CausalThread &T, uintptr_t Part) {
  AccrualTime Now = run().suspendAccrual(T, now());
  T.Delay.Accruing.divide(Part);
  run().resumeAccrual(T, Now);
  return Now.Wall;
}

CAUSAL_SLOW void __causal::enterKernelSlow(CausalThread &T) {
  if (T.InRuntime)
    return;
  InRuntimeScope Scope(T);
  T.OutsideSince = beginPart(T, KernelPart) - T.Paused;
}

CAUSAL_SLOW void __causal::leftKernelSlow(CausalThread &T) {
  if (T.InRuntime)
    return;
  InRuntimeScope Scope(T);
  callTook(T, beginPart(T, AfterKernelPart));
}

CAUSAL_SLOW void __causal::dispatchSlow(CausalThread &T, uintptr_t Function) {
  if (T.InRuntime)
    return;
  InRuntimeScope Scope(T);
  beginPart(T, Function + T.Part);
}

CAUSAL_SLOW void __causal::creditSlow(CausalThread &T, uintptr_t Object, uint64_t Since) {
  T.Delay.credit(run().Hits.credit(run().Credits.get(Object), Since));
}
