//===- causal_causal_mode.cpp - The mode that makes experiments -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mode's table, and the part of it that is about threads: the law's books of each are
// constructed when it is made, begun when it runs, and settled when it ends.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_causal_mode.h"
#include "base/causal_platform.h"
#include "causal/Features.h"
#include "causal/causal_run.h"
#include "causal/causal_sample.h"
#include "causal/causal_sync.h"
#include "causal/experiment/causal_progress.h"
#include "causal/experiment/causal_watch.h"
#include "sampler/causal_sampler.h"

#include <pthread.h>

using namespace __causal;

__thread CausalThread *__causal::CurrentCausalThread;

static RoleTable Roles;

static CausalThread &ofCausal(ThreadBase &T) { return static_cast<CausalThread &>(T); }

static void construct(ThreadBase &Base, uintptr_t Place) {
  CausalThread &T = ofCausal(Base);
  constructPart(T);
  T.LastSample = now(); // To wait for a core may be the first thing that it does.
  T.Place = Place;
  T.Plays = Roles.take(reinterpret_cast<uintptr_t>(T.Start) + Place);
}

static void release(ThreadBase &T) { Roles.leave(ofCausal(T).Plays); }

static void beginAccrual(CausalThread &T, uint64_t Now) {
  // Without samples all is guessed: what lives longer than this had better not accrue.
  constexpr unsigned UnsampledPeriods = 16;
  T.Delay.Accruing.begin(T.Plays, samplePeriod() * (T.Sampled ? 2 : UnsampledPeriods),
                         samplePeriod());
  T.Delay.Accruing.enter(reinterpret_cast<uintptr_t>(T.Start));
  T.Delay.Pausing.takeOver(T.Plays);
  T.LocksMeet = T.StoresMeet = T.UpdatesMeet = T.DispatchesTold =
      T.Sampled && run().isExperimenting();
  run().resumeAccrual(T, Now);
}

static void threadBegins(ThreadBase &Base) {
  CausalThread &T = ofCausal(Base);
  T.TracksLocks = run().targetKind() == TargetKind::Section;
  T.Delay.expect(run().Scheduler.Delays);
  countApart(T.Index);
  beginAccrual(T, now());
  CurrentCausalThread = &T;
  T.CausalSelf = &CurrentCausalThread;
}

static void threadEnds(ThreadBase &Base) {
  CausalThread &T = ofCausal(Base);
  uintptr_t Self = threadObject(pthread_self());
  if (T.Blocked) // Cancelled in a wait: it was the canceller that ended it.
    afterBlock(Self, /*Woken=*/true);
  T.Delay.Accruing.tellAll();
  beforeWake(Self); // Law 6; the joiner is the one woken.
  run().suspendAccrual(T, now());
  run().Accruing.leave(T.Delay);
  T.Delay.Pausing.handOver(T.Plays);
  if (T.Plays)
    T.Plays->ended(threadCPUTime());
}

static void threadEnded(ThreadBase &Base) {
  CausalThread &T = ofCausal(Base);
  T.Delay.leaveCore(run().Scheduler.Delays);
  T.ForgivenBefore += T.Delay.Forgiven;
  T.OversleptBefore += T.Delay.Pausing.Overslept;
  T.Delay.Forgiven = T.Delay.Pausing.Overslept = 0; // Counted once.
  CurrentCausalThread = nullptr;
}

static void periodSet(ThreadBase &T) { ofCausal(T).Delay.Accruing.setPeriod(T.Period); }

static void imageLoaded(const void *Begin, const void *End) {
  watchImage(static_cast<const linemap::FunctionRecord *>(Begin),
             static_cast<const linemap::FunctionRecord *>(End));
}

static bool start() {
  initWatches();
  run().start();
  return run().active();
}
static bool active() { return run().active(); }
static void beforeExec() { run().beforeExec(); }
static void holdOpen() { run().beforeAnotherUser(); }
static void finish() {
  if (run().active())
    reportUnfoundPlaces();
  run().end();
}
static void leave() {
  run().stop();
  GlobalDelay &G = run().Scheduler.Delays;
  __atomic_store_n(&G.Floor, G.total(), __ATOMIC_RELAXED); // Nobody owes.
}

static void forget(ThreadBase &T) {
  __atomic_store_n(ofCausal(T).CausalSelf, nullptr, __ATOMIC_RELAXED);
}

// The calling thread goes on with what it has come to; its sections have other numbers here,
// and its CPU time counts from 0 again.
static void forked(ThreadBase *Current) {
  Roles.restart(Current ? ofCausal(*Current).Plays : nullptr);
  forEachCausalSlot([&](CausalThread &T) {
    T.Unlocked = T.Dropped = T.Paused = T.UnseenYields = 0;
    T.ForgivenBefore = T.OversleptBefore = 0;
    T.Delay.leaveCore(run().Scheduler.Delays);
    if (&T != Current)
      return;
    uint64_t Local = T.Delay.local();
    Role *Plays = T.Plays;
    bool Blocked = T.Blocked;
    CausalThread **Self = T.CausalSelf;
    constructPart(T);
    T.Delay.Local = Local;
    T.Plays = Plays;
    T.CausalSelf = Self;
    T.Blocked = Blocked;
    T.TracksLocks = run().targetKind() == TargetKind::Section;
    T.Delay.Accruing.begin(Plays, samplePeriod(), samplePeriod());
  });
  restartWatches();
  run().restartAfterFork();
}

const Mode __causal::CausalMode = {
    .Name = "causal",
    .Needs = causal::FeatureLines,
    .ThreadSize = sizeof(CausalThread),
    .SamplesEveryThread = false,
    .start = start,
    .active = active,
    .construct = construct,
    .threadBegins = threadBegins,
    .threadEnds = threadEnds,
    .threadEnded = threadEnded,
    .release = release,
    .periodSet = periodSet,
    .imageLoaded = imageLoaded,
    .sample = sampleCausal,
    .beforeExec = beforeExec,
    .holdOpen = holdOpen,
    .finish = finish,
    .leave = leave,
    .forget = forget,
    .lockTables = lockProgressPoints,
    .unlockTables = unlockProgressPoints,
    .forked = forked,
};
