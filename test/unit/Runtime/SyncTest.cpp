//===- SyncTest.cpp - Which ways threads take through the wrappers --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a thread does on the slow ways of causal_sync.h costs the program time that is no
// delay. So they are taken when there is something to do, and in baselines as often as at
// a speedup. Here they are counted.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_atomics.h"

#include <gtest/gtest.h>

__causal::Run __causal::TheRun;
__thread __causal::CausalThread *__causal::CurrentCausalThread;

namespace {
struct {
  unsigned Pays, Updates, Dispatches, Suspends, Resumes, Meets, Returns, IntoKernel, OutOfKernel,
      Credits, Leaves, Begun, Named, Ended, Notes, Outlasted;
  uintptr_t NotedAt, WokenBy;
  uint64_t WaitedSince;
} Slow;
} // namespace

uint64_t __causal::now() { return 1000; }
void __causal::paySlow(CausalThread &T) {
  ++Slow.Pays;
  T.Delay.credit(run().Scheduler.Delays.total());
}
void __causal::payToUnlockSlow(CausalThread &T, uintptr_t) { paySlow(T); }
void __causal::outlastPauseSlow(uintptr_t) { ++Slow.Outlasted; }
void __causal::spinSlow(CausalThread &) {}
void __causal::updateSlow(CausalThread &, uintptr_t) { ++Slow.Updates; }
void __causal::dispatchSlow(CausalThread &, uintptr_t) { ++Slow.Dispatches; }
void __causal::suspendSlow(CausalThread &) { ++Slow.Suspends; }
void __causal::leaveCoreSlow(CausalThread &) { ++Slow.Leaves; }
void __causal::resumeSlow(CausalThread &) { ++Slow.Resumes; }
void __causal::meetSlow(CausalThread &, uintptr_t) { ++Slow.Meets; }
void __causal::meetWokenSlow(CausalThread &, uintptr_t Object, uintptr_t, uintptr_t) {
  ++Slow.Meets;
  Slow.WokenBy = Object;
}
void __causal::noteWakingSlow(CausalThread &, uintptr_t Object) {
  ++Slow.Notes;
  Slow.NotedAt = Object;
}
__causal::OutsidePoint __causal::goOutSlow(CausalThread &) {
  ++Slow.Suspends;
  return {};
}
void __causal::cameBackSlow(CausalThread &, OutsidePoint) { ++Slow.Returns; }
void __causal::enterKernelSlow(CausalThread &) { ++Slow.IntoKernel; }
void __causal::leftKernelSlow(CausalThread &) { ++Slow.OutOfKernel; }
void __causal::creditSlow(CausalThread &, uintptr_t, uint64_t Since) {
  ++Slow.Credits;
  Slow.WaitedSince = Since;
}
__attribute__((preserve_most)) void __causal::beginSection(CausalThread &, uintptr_t, uintptr_t,
                                                           uintptr_t) {
  ++Slow.Begun;
}
__attribute__((preserve_most)) void __causal::nameSection(CausalThread &, uintptr_t, uintptr_t) {
  ++Slow.Named;
}
__attribute__((preserve_most)) void __causal::endSection(CausalThread &, uintptr_t, uintptr_t) {
  ++Slow.Ended;
}

using namespace __causal;

namespace {

constexpr uintptr_t Place = 0x5000;

struct OneLine {
  bool canExperiment() { return true; }
  uint32_t pickLine(Random &) { return 7; }
  uint64_t lineSamples(uint32_t) { return 1; }
  uint64_t work() { return 0; }
  uint64_t sampledTime() { return 0; }
  uint64_t unsettled() { return 0; }
  uint64_t unpaidForOwn() { return 0; }
  void beginPoints(uint64_t) {}
  void pollPoints(uint64_t, ExperimentPart) {}
  uint64_t endPoints(uint64_t) { return 100; }
  bool settlesLate(uint32_t, uint32_t) { return false; }
  void finish(const ExperimentResult &) {}
};

struct Sync : testing::Test {
  CausalThread Self = {};
  int Lock = 0;

  void SetUp() override {
    run().Scheduler = ExperimentScheduler();
    Slow = {};
    CurrentCausalThread = &Self;
  }
  void TearDown() override { CurrentCausalThread = nullptr; }
  static void beginExperiment(int Speedup) {
    ExperimentConfig C;
    C.FixedSpeedup = Speedup;
    OneLine Host;
    run().Scheduler.configure(C, /*Now=*/1, /*Seed=*/1);
    run().Scheduler.tick(/*Now=*/2, Host);
    ASSERT_EQ(run().Scheduler.target().Line, 7u);
  }
  static void othersAreDelayedBy(uint64_t Delay) {
    GlobalDelay &G = run().Scheduler.Delays;
    G.raise(G.total() + Delay, {});
  }
  int takeLock() {
    return waitForLock(&Lock, [] { return 0; });
  }
};

TEST_F(Sync, ADebtTooSmallToPayIsLeft) {
  othersAreDelayedBy(run().Scheduler.Delays.tolerance());
  pay(Self);
  EXPECT_EQ(Slow.Pays, 0u);
  othersAreDelayedBy(1);
  pay(Self);
  EXPECT_EQ(Slow.Pays, 1u);
}

TEST_F(Sync, WhatIsOwedForOwnWorkIsADebt) {
  Self.Delay.slowDown(run().Scheduler.Delays, run().Scheduler.Delays.tolerance() + 1);
  pay(Self);
  EXPECT_EQ(Slow.Pays, 1u);
}

TEST_F(Sync, WhoWaitsIsNotOneThatNeverDoes) {
  Self.Delay.RanOn = ~0ull >> 1;
  ASSERT_TRUE(Self.Delay.neverWaits());
  EXPECT_EQ(takeLock(), 0);
  EXPECT_FALSE(Self.Delay.neverWaits());
}

TEST_F(Sync, ButCreditedAfterAWait) {
  othersAreDelayedBy(run().Scheduler.Delays.tolerance() / 2);
  EXPECT_EQ(takeLock(), 0);
  EXPECT_EQ(Slow.Credits, 1u);
}

TEST_F(Sync, WhoComesLateToAMutexOwesThatOnceItHasGivenItBack) {
  GlobalDelay &G = run().Scheduler.Delays;
  auto ComeLate = [&] {
    othersAreDelayedBy(4 * G.tolerance());
    return 0;
  };
  EXPECT_EQ(waitForMutex(&Lock, ComeLate), 0);
  EXPECT_FALSE(Self.Delay.mustPay(G, G.tolerance()));
  afterUnlock(&Lock);
  EXPECT_TRUE(Self.Delay.mustPay(G, G.tolerance()));
  int Condition = 0;
  EXPECT_EQ(waitGivingAway(&Condition, &Lock, ComeLate), 0);
  EXPECT_FALSE(Self.Delay.mustPay(G, G.tolerance()));
  afterUnlock(&Lock);
  EXPECT_TRUE(Self.Delay.mustPay(G, G.tolerance()));
  EXPECT_EQ(takeLock(), 0); // Not a mutex: who is woken for it has it already.
  EXPECT_EQ(waitForLock(&Lock, ComeLate), 0);
  EXPECT_TRUE(Self.Delay.mustPay(G, G.tolerance()));
}

TEST_F(Sync, WhoTakesManyLocksPaysBetweenThem) {
  auto PaysWithIt = [&] {
    othersAreDelayedBy(2 * run().Scheduler.Delays.tolerance());
    unsigned Before = Slow.Pays, With = 0;
    unlock(&Lock, [&] {
      With = Slow.Pays - Before;
      return 0;
    });
    EXPECT_EQ(Slow.Pays, Before + 1);
    return With == 1;
  };
  EXPECT_TRUE(PaysWithIt());
  Self.LocksMeet = 1;
  EXPECT_TRUE(PaysWithIt());
  Self.LocksMeet = 0;
  Self.ManyLocks = 1;
  EXPECT_FALSE(PaysWithIt());
  othersAreDelayedBy(2 * run().Scheduler.Delays.tolerance());
  unsigned Before = Slow.Pays;
  beforeStore(Place);
  EXPECT_EQ(Slow.Pays, Before) << "a lock of the program's own is given back by it";
  beforeSpin();
  EXPECT_EQ(Slow.Pays, Before + 1);
}

TEST_F(Sync, AFreeLockIsTakenWithoutAWait) {
  bool Waited = false;
  auto Wait = [&] {
    Waited = true;
    return 0;
  };
  EXPECT_EQ(waitForLock(&Lock, [] { return 0; }, Wait), 0);
  EXPECT_FALSE(Waited);
  EXPECT_EQ(Self.Locks, 1u);
  EXPECT_EQ(waitForLock(&Lock, [] { return EBUSY; }, Wait), 0);
  EXPECT_TRUE(Waited);
  EXPECT_EQ(Self.Locks, 2u);
}

TEST_F(Sync, CreditKnowsWhenTheWaitBegan) {
  auto Wait = [&] {
    othersAreDelayedBy(1);
    return 0;
  };
  EXPECT_EQ(waitForLock(&Lock, Wait), 0);
  EXPECT_EQ(Slow.WaitedSince, 0u) << "between experiments";
  beginExperiment(50);
  EXPECT_EQ(waitForLock(&Lock, Wait), 0);
  EXPECT_EQ(Slow.Credits, 2u);
  EXPECT_EQ(Slow.WaitedSince, now());
}

TEST_F(Sync, WhoComesFirstOutlastsTheHoldersPause) {
  uintptr_t Object = reinterpret_cast<uintptr_t>(&Lock);
  Self.LocksMeet = 1;
  takeLock();
  EXPECT_EQ(Slow.Outlasted, 0u) << "the holder works";
  run().Credits.beginPause(Object);
  takeLock();
  EXPECT_EQ(Slow.Outlasted, 1u);
  EXPECT_TRUE(run().Credits.beginWait(Object)) << "the others are gone";
  takeLock();
  EXPECT_EQ(Slow.Outlasted, 1u) << "another one sleeps for it";
  run().Credits.endWait(Object);
  takeLock();
  EXPECT_EQ(Slow.Outlasted, 2u);
  run().Credits.endPause(Object);
  takeLock();
  EXPECT_EQ(Slow.Outlasted, 2u);
}

TEST_F(Sync, ALockWaitedForCostsNoMoreInAnExperiment) {
  beginExperiment(50);
  EXPECT_EQ(takeLock(), 0);
  EXPECT_EQ(Slow.Suspends + Slow.Resumes + Slow.Meets, 0u);
}

TEST_F(Sync, UnlessSomethingAccrues) {
  beginExperiment(50);
  Role Plays;
  for (int I = 0; I != 8; ++I)
    Plays.add(/*Context=*/0, 7);
  Self.Delay.Accruing.begin(&Plays, /*UntilSample=*/1000000, /*SamplePeriod=*/1000000);
  Self.Delay.resume(run().Scheduler.Delays, 7, 50, /*Now=*/2);
  ASSERT_TRUE(Self.Delay.Accruing.any());
  EXPECT_EQ(takeLock(), 0);
  EXPECT_EQ(Slow.Suspends, 1u);
  EXPECT_EQ(Slow.Resumes, 1u);
}

TEST_F(Sync, AMeetingCostsABaselineAsMuch) {
  beforeWake(&Lock);
  EXPECT_EQ(Slow.Meets, 0u) << "between experiments";
  for (int Speedup : {0, 50}) {
    beginExperiment(Speedup);
    Slow = {};
    beforeWake(&Lock);
    EXPECT_EQ(Slow.Meets, 1u) << Speedup;
  }
}

TEST_F(Sync, WhoWakesNotesWhereItIsAndWhoIsWokenLooks) {
  uintptr_t Object = reinterpret_cast<uintptr_t>(&Lock);
  beforeWake(&Lock);
  EXPECT_EQ(Slow.Notes, 0u) << "between experiments";
  for (int Speedup : {0, 50}) {
    beginExperiment(Speedup);
    Slow = {};
    beforeWake(&Lock);
    EXPECT_EQ(Slow.Notes, 1u) << Speedup;
    EXPECT_EQ(Slow.NotedAt, Object);
    beforeBlock();
    afterBlock(Object, /*Woken=*/false);
    EXPECT_EQ(Slow.WokenBy, 0u) << "it has timed out";
    beforeBlock();
    afterBlock(Object, /*Woken=*/true);
    EXPECT_EQ(Slow.WokenBy, Object);
    waitFor(&Lock, [] { return 0; });
    EXPECT_EQ(Slow.Meets, 4u);
  }
}

TEST_F(Sync, WhoWaitsLeavesItsCoreIfItSaysWhenItGoesOn) {
  CoreDelay Core;
  beforeBlock();
  EXPECT_EQ(Slow.Leaves, 0u) << "cores are not shared";
  Self.Delay.On = &Core;
  beforeBlock();
  EXPECT_EQ(Slow.Leaves, 1u);
  Self.LocksMeet = false;
  EXPECT_EQ(takeLock(), 0);
  EXPECT_EQ(Slow.Leaves, 1u);
  Self.LocksMeet = true;
  EXPECT_EQ(takeLock(), 0);
  EXPECT_EQ(Slow.Leaves, 2u);
}

TEST_F(Sync, SoDoesAWaitForTheOutsideWorld) {
  Self.ProlongsWaits = 1;
  waitOutside([] { return 0; });
  EXPECT_EQ(Slow.Returns, 0u) << "between experiments";
  for (int Speedup : {0, 50}) {
    beginExperiment(Speedup);
    Slow = {};
    waitOutside([] { return 0; });
    EXPECT_EQ(Slow.Returns, 1u) << Speedup;
  }
}

TEST_F(Sync, ACallToTheOutsideWorldThatWorksIsAPartOfTheWork) {
  Self.ProlongsWaits = 1;
  Self.Delay.InKernel.sampled(20000000);
  Self.Delay.InKernel.took(20000000);
  beginExperiment(50);
  bool WasOutside = true;
  waitOutside([&] {
    WasOutside = Self.isOutside();
    return 0;
  });
  EXPECT_FALSE(WasOutside);
  EXPECT_EQ(Slow.IntoKernel, 1u);
  EXPECT_EQ(Slow.OutOfKernel, 1u);
  EXPECT_EQ(Slow.Returns, 0u);
  waitOutside(
      [&] {
        WasOutside = Self.isOutside();
        return 0;
      },
      BreaksOff::Always, [] { return true; });
  EXPECT_TRUE(WasOutside) << "a sleep does not work";
  EXPECT_EQ(Slow.Returns, 1u);
}

// It may be the count of those who have arrived; mostly it counts something else.
TEST_F(Sync, AnAtomicUpdateIsPaidForButIsNoMeeting) {
  beginExperiment(50);
  beforeUpdate(Place);
  EXPECT_EQ(Slow.Updates, 0u);
  othersAreDelayedBy(run().Scheduler.Delays.tolerance() + 1);
  beforeUpdate(Place);
  EXPECT_EQ(Slow.Updates, 1u);
  EXPECT_EQ(Slow.Meets, 0u);
  EXPECT_EQ(Self.Updates, 2u);
}

TEST_F(Sync, OnlyFewUpdatesTellApartWhatIsDone) {
  beginExperiment(0);
  beforeUpdate(Place);
  EXPECT_EQ(Slow.Updates, 0u);
  Self.UpdatesMeet = 1;
  beforeUpdate(Place);
  EXPECT_EQ(Slow.Updates, 1u);
}

TEST_F(Sync, OnlyFewDispatchesAreToldApart) {
  beginExperiment(0);
  othersAreDelayedBy(run().Scheduler.Delays.tolerance() + 1);
  beforeDispatch(Place);
  EXPECT_EQ(Slow.Dispatches, 0u);
  EXPECT_EQ(Slow.Pays, 0u) << "it wakes nobody";
  EXPECT_EQ(Self.Dispatches, 1u);
  EXPECT_EQ(Self.Updates, 0u) << "many of the one leave the others as they are";
  Self.DispatchesTold = 1;
  beforeDispatch(Place);
  EXPECT_EQ(Slow.Dispatches, 1u);
}

TEST_F(Sync, WhoIsAboutToSpinPays) {
  beforeSpin();
  EXPECT_EQ(Slow.Pays, 0u);
  othersAreDelayedBy(2 * run().Scheduler.Delays.tolerance());
  beforeSpin();
  EXPECT_EQ(Slow.Pays, 1u);
}

TEST_F(Sync, AWaitThatWasOverBeforeItBeganMeetsAsAFreeLockDoes) {
  beginExperiment(0);
  spun(Place);
  EXPECT_EQ(Slow.Meets, 0u);
  EXPECT_EQ(Self.SpinLocks, 1u);
  Self.LocksMeet = 1;
  spun(Place);
  EXPECT_EQ(Slow.Meets, 1u);
  Self.LocksMeet = 0;
  spin();
  spun(Place);
  EXPECT_EQ(Slow.Meets, 2u);
  EXPECT_EQ(Self.SpinLocks, 2u);
  Self.ManyLocks = 1;
  spin();
  spun(Place);
  EXPECT_EQ(Slow.Meets, 2u);
  EXPECT_EQ(Slow.Resumes, 1u) << "it works again";
  EXPECT_FALSE(Self.Spinning);
}

TEST_F(Sync, LocksMeetIfTheyAreFewAndMoreSoWhereWaitersStayAwake) {
  auto LocksMeetAfter = [&](unsigned Slept, unsigned Awake, bool Experimenting = true,
                            unsigned Periods = 1) {
    for (unsigned I = 0; I < Slept; ++I)
      noteLock(0, &Lock);
    for (unsigned I = 0; I < Awake; ++I)
      noteLock(0, LockCall::spinning(&Lock));
    Self.judgeMeetings(Experimenting, Periods);
    EXPECT_EQ(Self.LocksMeet, Experimenting && !Self.ManyLocks);
    return Self.LocksMeet;
  };
  EXPECT_TRUE(LocksMeetAfter(64, 0));
  EXPECT_FALSE(LocksMeetAfter(65, 0));
  EXPECT_TRUE(LocksMeetAfter(64, 256)) << "each kind by itself, since the last sample";
  EXPECT_FALSE(LocksMeetAfter(0, 257));
  EXPECT_FALSE(LocksMeetAfter(1, 1, /*Experimenting=*/false));
  EXPECT_TRUE(LocksMeetAfter(256, 0, true, /*Periods=*/4)) << "that the sample stands for";
  EXPECT_FALSE(LocksMeetAfter(257, 0, true, /*Periods=*/4));
}

TEST_F(Sync, OfLocksThatAreHadSectionsBeginIfTheyAreTheTargets) {
  takeLock();
  unlock(&Lock, [] { return 0; });
  EXPECT_EQ(Slow.Begun, 0u);
  EXPECT_EQ(Slow.Ended, 0u);
  Self.TracksLocks = 1;
  waitForLock(&Lock, [] { return ETIMEDOUT; });
  tryLock(&Lock, [] { return EBUSY; });
  EXPECT_EQ(Slow.Begun, 0u);
  waitForLock(&Lock, [] { return 0; });
  tryLock(&Lock, [] { return EOWNERDEAD; });
  waitForMutex(&Lock, [] { return 0; });
  EXPECT_EQ(Slow.Begun, 3u);
  unlock(&Lock, [] {
    EXPECT_EQ(Slow.Ended, 1u); // Before the call, which may take long.
    return 0;
  });
  EXPECT_EQ(Slow.Ended, 1u);
}

TEST_F(Sync, AConditionKeepsTheSection) {
  Self.TracksLocks = 1;
  waitGivingAway(&Self, &Lock, [] { return 0; });
  EXPECT_EQ(Slow.Begun, 0u);
  EXPECT_EQ(Slow.Named, 1u);
  EXPECT_EQ(Slow.Ended, 0u);
}

} // namespace
