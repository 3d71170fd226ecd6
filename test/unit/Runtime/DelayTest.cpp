//===- DelayTest.cpp - The law of delays, step by step --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal_delay.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

/// A clock that moves only by sleeping, each sleep ending Late after its time.
struct FakeSleeper {
  uint64_t &Time;
  uint64_t Late = 0;
  uint64_t now() const { return Time; }
  void sleepUntil(uint64_t T) const { Time = T + Late; }
};

TEST(Delay, HitOfALeaderRaisesTheTotal) {
  GlobalDelay G;
  ThreadDelay A;
  A.hit(G, 100);
  EXPECT_EQ(G.total(), 100u);
  EXPECT_EQ(A.owed(G), 0u);
}

TEST(Delay, SimultaneousHitsCancel) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.hit(G, 100);
  B.hit(G, 100);
  EXPECT_EQ(G.total(), 100u) << "two threads in the line at once delay nobody";
  EXPECT_EQ(A.owed(G), 0u);
  EXPECT_EQ(B.owed(G), 0u);
}

TEST(Delay, HitOfADebtorPaysHisDebtFirst) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.hit(G, 100);
  B.hit(G, 30);
  EXPECT_EQ(G.total(), 100u);
  EXPECT_EQ(B.owed(G), 70u);
}

TEST(Delay, PayingSleepsTheDebt) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.hit(G, 100);
  uint64_t Time = 1000;
  EXPECT_EQ(B.pay(G, 0, FakeSleeper{Time}), 100u);
  EXPECT_EQ(Time, 1100u);
  EXPECT_EQ(B.owed(G), 0u);
}

TEST(Delay, SmallDebtsWait) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.hit(G, 100);
  uint64_t Time = 0;
  EXPECT_EQ(B.pay(G, /*Tolerance=*/100, FakeSleeper{Time}), 0u);
  EXPECT_EQ(B.owed(G), 100u) << "not forgotten";
}

TEST(Delay, OvershootIsTakenOffTheNextPauseAndNotPushedOnOthers) {
  GlobalDelay G;
  ThreadDelay A, B;
  uint64_t Time = 0;
  A.hit(G, 100);
  B.pay(G, 0, FakeSleeper{Time, 40});
  EXPECT_EQ(Time, 140u);
  EXPECT_EQ(G.total(), 100u);
  EXPECT_EQ(A.owed(G), 0u);
  A.hit(G, 100);
  B.pay(G, 0, FakeSleeper{Time});
  EXPECT_EQ(Time, 200u) << "two debts of 100 take 200 in all";
  EXPECT_EQ(B.Overshoot, 0);
}

TEST(Delay, OvershootBeyondADebtCoversSeveral) {
  GlobalDelay G;
  ThreadDelay A, B;
  uint64_t Time = 0;
  A.hit(G, 100);
  B.pay(G, 0, FakeSleeper{Time, 250});
  for (int I = 0; I < 2; ++I) {
    A.hit(G, 100);
    EXPECT_EQ(B.pay(G, 0, FakeSleeper{Time}), 0u);
    EXPECT_EQ(B.owed(G), 0u);
  }
  A.hit(G, 100);
  EXPECT_EQ(B.pay(G, 0, FakeSleeper{Time}), 50u);
}

TEST(Delay, AWokenThreadIsCreditedWithWhatItsWakerPaid) {
  GlobalDelay G;
  ThreadDelay Waker, Waiter;
  CreditTable Credits;
  Waker.hit(G, 100);
  Credits.publish(0x1000, Waker.local());
  Waker.hit(G, 50); // After the wake-up: the waiter owes this.
  Waiter.credit(Credits.get(0x1000));
  EXPECT_EQ(Waiter.owed(G), 50u);
}

TEST(Delay, CreditNeverTakesBack) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.hit(G, 100);
  B.credit(100);
  B.credit(40);
  EXPECT_EQ(B.owed(G), 0u);
}

TEST(Delay, DebtsBelowTheFloorAreForgivenAndCounted) {
  GlobalDelay G;
  ThreadDelay A, Sleeping;
  A.hit(G, 100);
  G.Floor = G.Total;
  A.hit(G, 30);
  EXPECT_EQ(Sleeping.owedSeenFromOutside(G), 30u);
  EXPECT_EQ(Sleeping.Forgiven, 0u);
  EXPECT_EQ(Sleeping.owed(G), 30u);
  EXPECT_EQ(Sleeping.Forgiven, 100u);
}

TEST(Delay, AHitDoesNotSwallowADebtFromBeforeTheFloor) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.hit(G, 1000);
  G.Floor = G.Total;
  B.hit(G, 10);
  EXPECT_EQ(G.total(), 1010u);
}

TEST(Delay, AnInterruptedPauseLeavesTheDebt) {
  GlobalDelay G;
  ThreadDelay A, B;
  A.hit(G, 100);
  struct Jump {};
  struct JumpingSleeper {
    uint64_t now() const { return 0; }
    void sleepUntil(uint64_t) const { throw Jump(); }
  };
  EXPECT_THROW(B.pay(G, 0, JumpingSleeper()), Jump);
  EXPECT_EQ(B.owed(G), 100u);
}

TEST(CreditTable, UnknownObjectGivesNothing) {
  CreditTable Credits;
  EXPECT_EQ(Credits.get(0xdead), 0u);
}

} // namespace
