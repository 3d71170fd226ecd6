//===- AccrualTest.cpp - Delays that accrue -------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal/law/causal_accrual_table.h"

#include <deque>
#include <gtest/gtest.h>

using namespace __causal;

namespace {

constexpr uint64_t Us = 1000, Ms = 1000000;
constexpr uint64_t Start = 100 * Ms;
constexpr uintptr_t Here = 0x1000, There = 0x2000;
constexpr uint32_t Line = 7, OtherLine = 8, Speedup = 50;

/// A thread that is known to be in Line for half of its time in Here, and never in
/// There, and has just been sampled.
struct AccrualTest : testing::Test {
  GlobalDelay G;
  Role Plays;
  ThreadDelay T;

  void SetUp() override { learn(T, Plays); }
  static void learn(ThreadDelay &T, Role &R) {
    T.Accruing.begin(&R, 1 * Ms, 1 * Ms);
    for (int I = 0; I != 32; ++I) {
      sample(T, Here, I % 2 ? Line : OtherLine);
      sample(T, There, OtherLine);
    }
  }
  /// Returns whether a hit accrues.
  static bool sample(ThreadDelay &T, uintptr_t Context, uint32_t In) {
    T.Accruing.enter(Context);
    return T.Accruing.sample(In, /*Counts=*/true, /*Next=*/1 * Ms);
  }
  void goOn(ThreadDelay &T, uintptr_t Context, uint64_t Now) {
    T.Accruing.enter(Context);
    T.resume(G, Line, Speedup, Now);
  }
  void meet(uintptr_t Context, uint64_t Now) {
    T.suspend(G, Now);
    goOn(T, Context, Now);
  }
};

TEST_F(AccrualTest, DelayAccruesWithTimeAndTheShareOfHits) {
  goOn(T, Here, Start);
  EXPECT_EQ(G.total(), 0u);
  T.suspend(G, Start + 200 * Us);
  EXPECT_EQ(G.total(), 200 * Us / 2 * Speedup / 100);
  EXPECT_EQ(T.local(), G.total()) << "the thread itself owes nothing";
}

// A lock that is given back at once need not be a meeting once more.
TEST_F(AccrualTest, IsFreshUntilThereIsSomethingToTell) {
  EXPECT_FALSE(T.Accruing.isFresh(Start));
  goOn(T, Here, Start);
  EXPECT_TRUE(T.Accruing.isFresh(Start + Accrual::LeastWork - 1));
  EXPECT_FALSE(T.Accruing.isFresh(Start + Accrual::LeastWork));
  T.suspend(G, Start + 10);
  EXPECT_FALSE(T.Accruing.isFresh(Start + 11));
}

// Threads that meet every few hundred nanoseconds would do little else than to tell.
TEST_F(AccrualTest, WhatIsLittleIsToldLater) {
  uint64_t Now = Start, Piece = 300;
  goOn(T, Here, Now);
  for (uint64_t Worked = Piece; Worked < Accrual::LeastWork; Worked += Piece) {
    meet(Here, Now += Piece);
    EXPECT_EQ(G.total(), 0u) << Worked;
    T.chargeFromOutside(G, Now + 1);
    EXPECT_EQ(G.total(), 0u) << "nor do others see it";
  }
  meet(Here, Now += Piece);
  EXPECT_EQ(G.total(), (Now - Start) / 2 * Speedup / 100);
  // Nor of hardly any delay, however long it took.
  T.suspend(G, Now);
  T.resume(G, Line, 1, Now);
  uint64_t Before = G.total();
  T.suspend(G, Now + 3000);
  EXPECT_EQ(G.total(), Before) << "15 ns";
  T.resume(G, Line, 1, Now + 3000);
  T.suspend(G, Now + 6000);
  EXPECT_NEAR(double(G.total()), double(Before + 30), 1) << "but not lost";
}

TEST_F(AccrualTest, WhoEndsTellsAll) {
  goOn(T, Here, Start);
  T.Accruing.tellAll();
  T.suspend(G, Start + 1000);
  EXPECT_EQ(G.total(), 1000 / 2 * Speedup / 100);
}

TEST_F(AccrualTest, WhatWasNotToldIsOfItsExperiment) {
  goOn(T, Here, Start);
  meet(Here, Start + 1000);
  G.nextEpoch();
  meet(Here, Start + 2000);
  meet(Here, Start + 2000 + Accrual::LeastWork);
  EXPECT_EQ(G.total(), Accrual::LeastWork / 2 * Speedup / 100);
}

TEST_F(AccrualTest, InItsContextOnly) {
  goOn(T, Here, Start);
  meet(There, Start + 100 * Us);
  EXPECT_EQ(G.total(), 25 * Us);
  EXPECT_FALSE(T.Accruing.any());
  meet(Here, Start + 900 * Us);
  EXPECT_EQ(G.total(), 25 * Us);
  meet(There, Start + 1000 * Us);
  EXPECT_EQ(G.total(), 50 * Us);
}

// A thread that runs is sampled again: one that is not sleeps.
TEST_F(AccrualTest, NotBeyondTheNextSample) {
  goOn(T, Here, Start);
  meet(Here, Start + 600 * Us);
  meet(Here, Start + 900 * Ms);
  EXPECT_EQ(G.total(), 1 * Ms / 4);
  EXPECT_FALSE(T.Accruing.any());
  sample(T, Here, Line);
  goOn(T, Here, Start + 900 * Ms);
  EXPECT_TRUE(T.Accruing.any());
}

TEST_F(AccrualTest, ForLongerWhereSamplesAreRarer) {
  T.Accruing.setPeriod(4 * Ms);
  goOn(T, Here, Start);
  meet(There, Start + 3 * Ms);
  EXPECT_EQ(G.total(), 3 * Ms / 4);
}

TEST_F(AccrualTest, WhatIsDoneAPeriodLaterIsAContextOfItsOwn) {
  for (int I = 0; I != 32; ++I) {
    sample(T, Here, OtherLine);
    T.Accruing.sample(Line, /*Counts=*/true, 1 * Ms);
  }
  goOn(T, Here, Start);
  EXPECT_TRUE(T.Accruing.any()) << "its age has to be known";
  T.suspend(G, Start + 600 * Us);
  EXPECT_EQ(G.total(), 0u);
  EXPECT_TRUE(T.Accruing.sample(OtherLine, true, 1 * Ms));
  T.resume(G, Line, Speedup, Start + 600 * Us);
  T.chargeFromOutside(G, Start + 1100 * Us);
  EXPECT_EQ(G.total(), 50 * Us) << "100 us into the second period";
  T.suspend(G, Start + 1600 * Us);
  EXPECT_EQ(G.total(), 300 * Us);
  EXPECT_TRUE(T.Accruing.sample(Line, true, 1 * Ms));
  T.resume(G, Line, Speedup, Start + 1600 * Us);
  T.suspend(G, Start + 2600 * Us);
  EXPECT_EQ(G.total(), 500 * Us) << "400 us more of it";
}

TEST_F(AccrualTest, SegmentsOfAContextAreToldApart) {
  constexpr uintptr_t Place = 0x5000;
  auto Round = [&](auto InFirst, auto InSecond) {
    T.Accruing.enter(Here);
    InFirst();
    T.Accruing.divide(Place);
    InSecond();
  };
  for (int I = 0; I != 16; ++I) {
    Round([&] { T.Accruing.sample(Line, /*Counts=*/true, 1 * Ms); }, [] {});
    Round([] {}, [&] { T.Accruing.sample(OtherLine, /*Counts=*/true, 1 * Ms); });
  }
  Round(
      [&] {
        T.resume(G, Line, Speedup, Start);
        T.suspend(G, Start + 100 * Us);
        EXPECT_EQ(G.total(), 50 * Us);
      },
      [&] {
        T.resume(G, Line, Speedup, Start + 100 * Us);
        T.suspend(G, Start + 300 * Us);
        EXPECT_EQ(G.total(), 50 * Us);
      });
}

TEST_F(AccrualTest, SoIsAPartThatIsKnownFromTheBeginning) {
  constexpr uintptr_t Region = 0x6000, Another = 0x7000;
  for (int I = 0; I != 16; ++I) {
    T.Accruing.enter(Here, Region);
    T.Accruing.sample(Line, /*Counts=*/true, 1 * Ms);
    T.Accruing.enter(Here, Another);
    T.Accruing.sample(OtherLine, /*Counts=*/true, 1 * Ms);
  }
  auto Accrues = [&](uintptr_t Part) {
    uint64_t Before = G.total();
    T.Accruing.enter(Here, Part);
    T.resume(G, Line, Speedup, Start);
    T.suspend(G, Start + 100 * Us);
    return G.total() - Before;
  };
  EXPECT_EQ(Accrues(Region), 50 * Us);
  EXPECT_EQ(Accrues(Another), 0u);
  EXPECT_EQ(Accrues(0x8000), 25 * Us) << "of one that is not known what all do";
}

TEST_F(AccrualTest, UntilItIsNotDividedAnyMore) {
  T.Accruing.enter(Here);
  T.Accruing.divide(0x5000);
  for (int I = 0; I != 16; ++I)
    EXPECT_TRUE(sample(T, Here, OtherLine)) << "the whole is known";
  goOn(T, Here, Start);
  T.suspend(G, Start + 100 * Us);
  EXPECT_EQ(G.total(), 100 * Us / 4 / 2) << "16 of the last 32";
}

TEST_F(AccrualTest, AHitLaterStillIsDueAtOnce) {
  for (int I = 0; I != 32; ++I) {
    sample(T, Here, Line);
    T.Accruing.sample(Line, /*Counts=*/true, 1 * Ms);
    EXPECT_FALSE(T.Accruing.sample(Line, /*Counts=*/true, 1 * Ms));
  }
}

TEST_F(AccrualTest, SoIsOneInAnUnknownContext) {
  EXPECT_FALSE(sample(T, Here + There, Line));
  EXPECT_FALSE(sample(T, Here + There, Line));
}

TEST_F(AccrualTest, SoIsOneThatDoesNotCount) {
  T.Accruing.enter(Here);
  EXPECT_FALSE(T.Accruing.sample(Line, /*Counts=*/false, 1 * Ms));
}

TEST_F(AccrualTest, WithoutARoleNothingAccrues) {
  T.Accruing.begin(nullptr, 1 * Ms, 1 * Ms);
  EXPECT_FALSE(sample(T, Here, Line));
  goOn(T, Here, Start);
  EXPECT_FALSE(T.Accruing.any());
}

// It gets on half as fast, and what is taken off for that is all of the time.
TEST_F(AccrualTest, WhereCoresAreContendedItsProgressCounts) {
  T.observe(G, 20 * Ms, 20 * Ms);
  goOn(T, Here, Start);
  T.suspend(G, Start + 400 * Us);
  EXPECT_EQ(G.total(), 50 * Us);
  EXPECT_EQ(G.wall(0), 100 * Us);
}

TEST_F(AccrualTest, WhereTheyAreSharedItsOwnCPUTimeCounts) {
  CoreDelay Core;
  T.Accruing.enter(Here);
  T.resume(G, Line, Speedup, {Start, /*CPUTime=*/700 * Ms}, &Core);
  T.suspend(G, 700 * Ms + 200 * Us, &Core);
  EXPECT_EQ(G.total(), 50 * Us);
  EXPECT_EQ(Core.local(), 50 * Us) << "those that waited for the core owe nothing";
}

TEST_F(AccrualTest, WhereTheyAreSharedOthersSeeItWhileItHasItsCore) {
  CoreDelay Core;
  Core.raise(10 * Us);
  T.Accruing.enter(Here);
  T.resume(G, Line, Speedup, {Start, /*CPUTime=*/700 * Ms}, &Core);
  EXPECT_EQ(T.chargeFromOutside(G, Start + 200 * Us), 60 * Us) << "idle cores follow";
  EXPECT_EQ(G.total(), 60 * Us) << "on top of how far its core has come";
  ThreadDelay Next;
  Next.resume(G, Line, Speedup, {Start + 300 * Us, 0}, &Core);
  EXPECT_EQ(T.chargeFromOutside(G, Start + 400 * Us), 0u) << "waits for the core";
  EXPECT_EQ(G.total(), 60 * Us);
}

// A pause that keeps the core busy takes the next sample.
TEST_F(AccrualTest, ItGoesOnAfterASampleThatWasDropped) {
  goOn(T, Here, Start);
  T.suspend(G, Start + 1 * Ms);
  EXPECT_EQ(G.total(), 250 * Us);
  goOn(T, Here, Start + 2 * Ms);
  T.suspend(G, Start + 3 * Ms);
  EXPECT_EQ(G.total(), 250 * Us) << "without a sample it would not be at work";
  T.drop(1 * Ms, /*Next=*/1 * Ms);
  goOn(T, Here, Start + 4 * Ms);
  T.suspend(G, Start + 5 * Ms);
  EXPECT_EQ(G.total(), 500 * Us);
}

TEST_F(AccrualTest, NothingAccruesBetweenExperiments) {
  T.Accruing.enter(Here);
  T.resume(G, 0, 0, Start);
  EXPECT_FALSE(T.Accruing.any());
}

// What the bookkeeping costs a program that is sped up it costs the baseline too.
TEST_F(AccrualTest, ABaselineKeepsBooksForNothing) {
  T.Accruing.enter(Here);
  T.resume(G, Line, /*Speedup=*/0, Start);
  EXPECT_TRUE(T.Accruing.any());
  T.chargeFromOutside(G, Start + 200 * Us);
  T.suspend(G, Start + 400 * Us);
  EXPECT_EQ(G.total(), 0u);
}

TEST_F(AccrualTest, DoesNotOutliveTheExperiment) {
  goOn(T, Here, Start);
  G.nextEpoch();
  T.suspend(G, Start + 250 * Us);
  EXPECT_EQ(G.total(), 0u);
}

// Two threads that accrue side by side are one delay, as two hits are.
TEST_F(AccrualTest, SideBySideCountsOnce) {
  ThreadDelay Other;
  Role OthersRole;
  learn(Other, OthersRole);
  goOn(T, Here, Start);
  goOn(Other, Here, Start);
  T.suspend(G, Start + 400 * Us);
  Other.suspend(G, Start + 400 * Us);
  EXPECT_EQ(G.total(), 100 * Us);
}

TEST_F(AccrualTest, OthersSeeWhatIsNotOnTheBooksYet) {
  AccrualTable Table;
  EXPECT_TRUE(Table.empty());
  goOn(T, Here, Start);
  Table.update(T);
  EXPECT_EQ(Table.count(), 1u);
  Table.chargeAll(G, Start + 400 * Us);
  EXPECT_EQ(G.total(), 100 * Us);
  EXPECT_EQ(T.local(), 0u);
  T.suspend(G, Start + 400 * Us);
  EXPECT_EQ(G.total(), 100 * Us) << "the same delay";
  EXPECT_EQ(T.owed(G), 0u);
  Table.update(T);
  EXPECT_TRUE(Table.empty());
}

TEST_F(AccrualTest, OthersDoNotLookWhileTheOwnerWrites) {
  goOn(T, Here, Start);
  {
    Accrual::Writing W(T.Accruing);
    T.chargeFromOutside(G, Start + 400 * Us);
  }
  EXPECT_EQ(G.total(), 0u);
  T.chargeFromOutside(G, Start + 400 * Us);
  EXPECT_EQ(G.total(), 100 * Us);
}

TEST_F(AccrualTest, WithoutAPlaceInTheTableItIsSeenLater) {
  AccrualTable Table;
  std::deque<ThreadDelay> Threads(65);
  for (ThreadDelay &D : Threads) {
    D.Accruing.begin(&Plays, 1 * Ms, 1 * Ms);
    goOn(D, Here, Start);
    Table.update(D);
  }
  EXPECT_EQ(Table.count(), 64u);
  EXPECT_EQ(Threads.back().AccrualSlot, 0u);
  Threads.back().suspend(G, Start + 400 * Us);
  EXPECT_EQ(G.total(), 100 * Us);
  Table.leave(Threads[7]);
  EXPECT_EQ(Threads[7].AccrualSlot, 0u);
  EXPECT_EQ(Table.count(), 63u);
}

} // namespace
