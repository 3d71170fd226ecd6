//===- DelayTest.cpp - The law of delays, step by step --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal/law/causal_credit_table.h"
#include "causal/law/causal_delay.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

/// A clock that moves only by pausing, each sleep ending Late after its time.
struct FakeSleeper {
  uint64_t &Time;
  uint64_t Late = 0;
  uint64_t *Asleep = nullptr;
  uint64_t now() const { return Time; }
  void sleepUntil(uint64_t T) const {
    if (Asleep)
      *Asleep += T - Time;
    Time = T + Late;
  }
  uint64_t burn(uint64_t CPUTime) const {
    Time += CPUTime;
    return CPUTime;
  }
  CoreDelay *core() const { return nullptr; }
  void chargeOthers() const {}
  bool interrupted() const { return false; }
};

TEST(Delay, HitOfALeaderRaisesTheTotal) {
  GlobalDelay G;
  ThreadDelay A;
  A.charge(G, 100);
  EXPECT_EQ(G.total(), 100u);
  EXPECT_EQ(A.owed(G), 0u);
}

TEST(Delay, SimultaneousHitsCancel) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.charge(G, 100);
  B.charge(G, 100);
  EXPECT_EQ(G.total(), 100u) << "two threads in the line at once delay nobody";
  EXPECT_EQ(A.owed(G), 0u);
  EXPECT_EQ(B.owed(G), 0u);
}

TEST(Delay, HitOfADebtorPaysHisDebtFirst) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.charge(G, 100);
  B.charge(G, 30);
  EXPECT_EQ(G.total(), 100u);
  EXPECT_EQ(B.owed(G), 70u);
}

TEST(Delay, PayingSleepsTheDebt) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.charge(G, 100);
  uint64_t Time = 1000;
  uint64_t Asleep = 0;
  EXPECT_EQ(B.pay(G, 0, FakeSleeper{Time, 0, &Asleep}), 100u);
  EXPECT_EQ(Time, 1100u);
  EXPECT_EQ(Asleep, 100u) << "no CPU time is used";
  EXPECT_EQ(B.owed(G), 0u);
}

// Sleeps that end late end earlier, and the thread waits for the rest awake.
TEST(Delay, PausesEndInTimeWhereSleepsDoNot) {
  GlobalDelay G;
  ThreadDelay A, B;
  uint64_t Time = 0;
  A.charge(G, 1000);
  B.pay(G, 0, FakeSleeper{Time, 40});
  ASSERT_EQ(Time, 1040u) << "not known yet";
  A.charge(G, 1040);
  for (int I = 1; I <= 3; ++I) {
    uint64_t Begin = Time, Asleep = 0, Debt = B.owed(G) - 40 * (I == 1);
    B.pay(G, 0, FakeSleeper{Time, 40, &Asleep});
    EXPECT_EQ(Time - Begin, Debt);
    EXPECT_EQ(Asleep, Debt - 40);
    A.charge(G, 1000);
  }
  // Too short to sleep at all.
  B.pay(G, 0, FakeSleeper{Time, 40});
  A.charge(G, 30);
  uint64_t Begin = Time, Asleep = 0;
  B.pay(G, 0, FakeSleeper{Time, 40, &Asleep});
  EXPECT_EQ(Time - Begin, 30u);
  EXPECT_EQ(Asleep, 0u);
  EXPECT_EQ(B.Pausing.Overslept, 40u);
}

TEST(Delay, SleepsThatEndInTimeAgainAreTrustedAgain) {
  GlobalDelay G;
  ThreadDelay A, B;
  uint64_t Time = 0, Asleep = 0;
  for (int I = 0; I != 60; ++I) {
    A.charge(G, 1000);
    Asleep = 0;
    B.pay(G, 0, FakeSleeper{Time, I ? 0u : 400u, &Asleep});
  }
  EXPECT_GE(Asleep, 990u);
  EXPECT_EQ(Time, 60000u);
}

TEST(Delay, SmallDebtsWait) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.charge(G, 100);
  uint64_t Time = 0;
  EXPECT_EQ(B.pay(G, /*Tolerance=*/100, FakeSleeper{Time}), 0u);
  EXPECT_EQ(B.owed(G), 100u) << "not forgotten";
}

TEST(Delay, OvershootIsTakenOffTheNextPauseAndNotPushedOnOthers) {
  GlobalDelay G;
  ThreadDelay A, B;
  uint64_t Time = 0;
  A.charge(G, 100);
  B.pay(G, 0, FakeSleeper{Time, 40});
  EXPECT_EQ(Time, 140u);
  EXPECT_EQ(G.total(), 100u);
  EXPECT_EQ(A.owed(G), 0u);
  A.charge(G, 100);
  B.pay(G, 0, FakeSleeper{Time, B.Pausing.WakesLate});
  EXPECT_EQ(Time, 200u) << "two debts of 100 take 200 in all";
  EXPECT_EQ(B.Pausing.Overshoot, 0);
  EXPECT_EQ(B.Pausing.Overslept, 40u);
}

TEST(Delay, OvershootBeyondADebtCoversSeveral) {
  GlobalDelay G;
  ThreadDelay A, B;
  uint64_t Time = 0;
  A.charge(G, 100);
  B.pay(G, 0, FakeSleeper{Time, 250});
  for (int I = 0; I < 2; ++I) {
    A.charge(G, 100);
    EXPECT_EQ(B.pay(G, 0, FakeSleeper{Time}), 0u);
    EXPECT_EQ(B.owed(G), 0u);
  }
  A.charge(G, 100);
  EXPECT_EQ(B.pay(G, 0, FakeSleeper{Time}), 50u);
}

// Whoever stops the process, or the machine, stops all of it: nobody is behind for that.
TEST(Delay, OvershootIsNoMoreThanWhatOneThreadMayHaveSlept) {
  constexpr uint64_t Ms = 1000000;
  GlobalDelay G;
  ThreadDelay A, B;
  uint64_t Time = 0;
  A.charge(G, 1 * Ms);
  B.pay(G, 0, FakeSleeper{Time, 500 * Ms});
  EXPECT_EQ(Time, 501 * Ms);
  EXPECT_EQ(B.Pausing.Overslept, 500 * Ms);
  uint64_t Begin = Time;
  for (int I = 0; I < 100; ++I) {
    A.charge(G, 1 * Ms);
    B.pay(G, 0, FakeSleeper{Time});
  }
  EXPECT_EQ(Time - Begin, 90 * Ms);
}

TEST(Delay, AWokenThreadIsCreditedWithWhatItsWakerPaid) {
  GlobalDelay G;
  ThreadDelay Waker, Waiter;
  CreditTable Credits;
  Waker.charge(G, 100);
  Credits.publish(0x1000, Waker.local());
  Waker.charge(G, 50); // After the wake-up: the waiter owes this.
  Waiter.credit(Credits.get(0x1000));
  EXPECT_EQ(Waiter.owed(G), 50u);
}

TEST(Delay, CreditNeverTakesBack) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.charge(G, 100);
  B.credit(100);
  B.credit(40);
  EXPECT_EQ(B.owed(G), 0u);
}

TEST(Delay, WhoComesLateToAMutexPaysForThatWithoutIt) {
  constexpr uint64_t Tolerance = 1000;
  GlobalDelay G;
  ThreadDelay Others, Late;
  uint64_t Time = 0;
  auto Pay = [&] { return Late.pay(G, Tolerance, FakeSleeper{Time, 0}); };
  Others.charge(G, 8000);
  Late.locked(G);
  EXPECT_FALSE(Late.mustPay(G, Tolerance));
  EXPECT_EQ(Pay(), 0u);
  Others.charge(G, 3000); // While it has the mutex.
  EXPECT_TRUE(Late.mustPay(G, Tolerance));
  EXPECT_EQ(Pay(), 3000u);
  EXPECT_EQ(Late.owed(G), 8000u) << "whom it wakes owes this as well";
  Late.unlocked();
  EXPECT_EQ(Pay(), 8000u);
  EXPECT_EQ(Late.owed(G), 0u);
}

TEST(Delay, DebtsBelowTheFloorAreForgivenAndCounted) {
  GlobalDelay G;
  ThreadDelay A, Sleeping;
  A.charge(G, 100);
  G.Floor = G.Total;
  A.charge(G, 30);
  EXPECT_EQ(Sleeping.owedSeenFromOutside(G), 30u);
  EXPECT_EQ(Sleeping.Forgiven, 0u);
  EXPECT_EQ(Sleeping.owed(G), 30u);
  EXPECT_EQ(Sleeping.Forgiven, 100u);
}

TEST(Delay, AHitDoesNotSwallowADebtFromBeforeTheFloor) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.charge(G, 1000);
  G.Floor = G.Total;
  B.charge(G, 10);
  EXPECT_EQ(G.total(), 1010u);
}

TEST(Delay, AnInterruptedPauseLeavesTheDebt) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.charge(G, 100);
  struct Jump {};
  struct JumpingSleeper {
    uint64_t now() const { return 0; }
    void sleepUntil(uint64_t) const { throw Jump(); }
    uint64_t burn(uint64_t) const { return 0; }
    CoreDelay *core() const { return nullptr; }
    void chargeOthers() const {}
    bool interrupted() const { return false; }
  };
  EXPECT_THROW(B.pay(G, 0, JumpingSleeper()), Jump);
  EXPECT_EQ(B.owed(G), 100u);
}

TEST(CreditTable, UnknownObjectGivesNothing) {
  CreditTable Credits;
  EXPECT_EQ(Credits.get(0xdead), 0u);
}

} // namespace
