//===- causal_sample.cpp - What a sample does in a causal profile ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_sample.h. The order in takeSample() is part of the law: what accrued is
// suspended before the sample is judged and attributed, and charged before the thread pays.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_sample.h"
#include "base/causal_flags.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_syscall.h"
#include "causal/causal_attribution.h"
#include "causal/causal_contention.h"
#include "causal/causal_run.h"
#include "causal/causal_sync.h"
#include "sampler/causal_sampler.h"
#include "sampler/causal_signal_mask.h"

#include <ucontext.h>

using namespace __causal;

// A pause may keep the core busy, which is no time of the program's. A sample due
// while that happened in the handler comes right after it.
static bool isOfBurn(CausalThread &T, const ucontext_t &Context) {
  constexpr uint64_t DeliveryTime = 50000;
  if (T.BurnsByClock || inBurn(static_cast<uintptr_t>(Context.uc_mcontext.gregs[REG_RIP]))) {
    if (T.BurnSeen)
      run().Hits.arrivedAfter(threadCPUTime() - T.BurnSeen);
    return true;
  }
  if (!T.Burnt)
    return false;
  T.Burnt = false;
  return threadCPUTime() < T.Delay.Working.HandlerPauseEnd + DeliveryTime;
}

// The kernel keeps one signal of a number for a thread. While a sample's waited for the end
// of the handler, one that the program sends would be lost.
static uint64_t burnInHandler(CausalThread &T, uint64_t CPUTime) {
  constexpr uint64_t Slice = 2000;
  T.Burnt = true;
  uint64_t Begin = threadCPUTime(), Burnt = 0;
  for (; Burnt < CPUTime; Burnt = threadCPUTime() - Begin) {
    burnCPU(CPUTime - Burnt < Slice ? CPUTime - Burnt : Slice, T.BurnSeen);
    dropPendingSamples();
  }
  run().noteSampled(Burnt);
  return Burnt;
}

// What plant_line= makes a line cost beyond its own work. The time is spent like a
// pause that keeps the core busy: samples that fall into it do not count.
static void spendPlanted(CausalThread &T, uint64_t CPUTime) {
  uint64_t Burnt = burnInHandler(T, CPUTime);
  T.Delay.Working.pausedInHandler(Burnt, threadCPUTime());
  // It is no time that the thread waited for a core.
  __atomic_store_n(&T.LastSample, now(), __ATOMIC_RELAXED);
}

// What the thread has had a core for since the last sample that counted, and how much of
// it was the program's work.
static CPUTimes sinceLastSample(ThreadDelay &D, uint64_t CPUTime) {
  if (D.Working.HandlerPause)
    return D.Working.sinceHandlerPause(threadCPUTime());
  uint64_t Ran = D.Working.ran(CPUTime);
  return {Ran, D.Working.work(CPUTime)};
}

// Spinning is no work, and nothing accrues in a call to the outside world.
static void goOnAccruing(CausalThread &T, uint64_t Now) {
  if (!T.Spinning && !T.isOutside())
    run().resumeAccrual(T, Now);
}

// By when the next sample comes, in CPU time. A timer that is due waits for a tick that finds the
// thread on its core: of threads that mostly sleep as long again on average, seldom five times.
static uint64_t untilNext(const CausalThread &T) { return T.TimerId ? 6 * T.Period : T.Period; }

// The handler runs with all signals blocked. Whether one of the program's waits for its end.
static bool hasSignal(const ucontext_t &Context) {
  return pendingSignals() & ~firstWord(Context.uc_sigmask) & ~signalBit(samplerSignal());
}

static void takeSample(CausalThread &T, const ucontext_t &Context, uint64_t CPUTime) {
  if (isOfBurn(T, Context)) {
    __atomic_store_n(&T.LastSample, now(), __ATOMIC_RELAXED);
    return T.Delay.drop(CPUTime, untilNext(T));
  }
  if (T.InRuntime) {
    if (T.Spinning)
      T.SpunInRuntime += CPUTime;
    else
      ++T.Late;
    return;
  }
  InRuntimeScope Scope(T);
  T.SpunInRuntime = 0; // It would have been looked at in the loop.
  Run &R = run();
  if (!R.active())
    return;
  T.countSample();
  T.Spinning = T.Spinning == 1 ? 2 : 0;
  uint64_t Now = now();
  CPUTimes Since = sinceLastSample(T.Delay, CPUTime);
  uint64_t Work = Since.Work, Planted = 0;
  GlobalDelay &G = R.Scheduler.Delays;
  Target Selected = R.Scheduler.target();
  R.suspendAccrual(T, Now);
  T.judgeMeetings(/*Experimenting=*/Selected.Line, T.SampleWeight / T.OneIn);
  uint32_t Line = attribute(T, Context);
  bool Counts = Selected.Speedup && !T.Spinning && !T.Blocked;
  if (T.Outside >= OutsideCall::MayWait)
    T.Delay.InKernel.sampled(Work);
  bool NoDelays = R.Scheduler.undelayed() || !G.epoch(); // Or no experiment yet.
  if (spaceSamples(T, NoDelays ? 1ull + G.epoch() : 0))
    T.Delay.Accruing.setPeriod(samplePeriod() * T.Spacing.periods());
  // In a call that may wait nothing accrues.
  bool Accrues = T.Delay.Accruing.sample(Line, Counts && !T.isOutside(), untilNext(T));
  if (Line)
    R.lines()->count(Line, R.Scheduler.undelayed(), T.SampleWeight);
  if (Line && !T.Spinning) { // To wait faster makes nothing faster.
    R.Recent.add(Line, T.SampleWeight);
    Planted = R.isPlanted(Line) ? Work * static_cast<uint64_t>(flags().plant_percent) / 100 : 0;
  }
  if (!T.Spinning && !T.Blocked)
    R.noteWork(Work * T.OneIn);
  bool ByLine = Line && Line == Selected.Line;
  if (Selected.Speedup && !T.Spinning && ByLine == !G.dilation()) {
    uint64_t Time = ((Accrues ? 0 : Work) + Planted) * Selected.Speedup / 100;
    ByLine ? R.charge(T, Time * T.OneIn, Now) : T.Delay.slowDown(G, Time);
  }
  observeContention(T, G, Since, CPUTime, Now - T.LastSample);
  __atomic_store_n(&T.LastSample, Now, __ATOMIC_RELAXED);
  R.Scheduler.tick(Now, R);
  if (Planted) {
    spendPlanted(T, Planted);
    Now = now();
  }
  uint32_t Dilation = G.dilation();
  uint64_t Tolerance =
      Dilation ? GlobalDelay::leftByDilation(Dilation)
               : T.Delay.leftBySample(R.Scheduler.target().Speedup, G.tolerance(), R.sharedCore(T));
  if (T.Blocked)
    return;
  R.chargeAccrued(T, Now);
  if (!T.Delay.mustPay(G, Tolerance))
    return goOnAccruing(T, Now); // A sample's own cost is part of what it stands for.
  struct Sleeper {
    CausalThread &T;
    const ucontext_t &Context;
    uint64_t now() const { return __causal::now(); }
    void sleepUntil(uint64_t Until) const {
      dropPendingSamples();
      __causal::sleepUntil(Until);
    }
    uint64_t burn(uint64_t CPUTime) const { return burnInHandler(T, CPUTime); }
    CoreDelay *core() const { return run().sharedCore(T); }
    void chargeOthers() const { run().chargeAccrued(T, now()); }
    bool interrupted() const { return hasSignal(Context); }
  };
  uint64_t Burning = T.Delay.Working.Burnt, Begin = now();
  uint64_t Paused = T.Delay.pay(G, G.tolerance(), Sleeper{T, Context});
  T.Paused += Paused;
  if (uint64_t Burnt = T.Delay.Working.Burnt - Burning)
    T.Delay.Working.pausedInHandler(Burnt, threadCPUTime());
  Now = now();
  if (!R.sharedCore(T)) // Others may have had it meanwhile.
    T.Delay.Pausing.tookMore(static_cast<int64_t>(Now - Begin - Paused));
  __atomic_store_n(&T.LastSample, Now, __ATOMIC_RELAXED);
  R.Scheduler.tick(Now, R);
  goOnAccruing(T, Now);
}

void __causal::sampleCausal(ThreadBase &Base, ucontext_t &Context, uint64_t CPUTime) {
  CausalThread &T = static_cast<CausalThread &>(Base);
  run().noteSampled(CPUTime * T.OneIn);
  takeSample(T, Context, CPUTime);
}

void __causal::observeSpinning(CausalThread &T, uint64_t Now) {
  uint64_t CPUTime = T.SpunInRuntime, Elapsed = Now - T.LastSample;
  T.SpunInRuntime = 0;
  CPUTimes Since = sinceLastSample(T.Delay, CPUTime);
  observeContention(T, run().Scheduler.Delays, Since, CPUTime, Elapsed);
  __atomic_store_n(&T.LastSample, Now, __ATOMIC_RELAXED);
}
