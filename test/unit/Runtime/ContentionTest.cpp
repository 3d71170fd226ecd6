//===- ContentionTest.cpp - The law of delays where cores are contended ---===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Laws 9 and 10, step by step.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_core_times.h"
#include "causal/law/causal_delay.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

/// Counts the CPU time that is burnt.
struct FakeBurner {
  uint64_t &Burnt;
  uint64_t More = 0;
  uint64_t now() const { return 0; }
  void sleepUntil(uint64_t) const { ADD_FAILURE() << "a sleeping thread lends its core"; }
  uint64_t burn(uint64_t CPUTime) const {
    Burnt += CPUTime + More;
    return CPUTime + More;
  }
  CoreDelay *core() const { return Core; }
  void chargeOthers() const {}
  bool interrupted() const { return false; }
  CoreDelay *Core = nullptr;
};

constexpr uint64_t Ms = 1000000;

// proc_stat(5): user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice.
TEST(CoreTimes, AreThoseOfTheCoresThatAreWanted) {
  CoreTimes Times;
  auto NotTwo = [](uint64_t Core) { return Core != 2; };
  EXPECT_FALSE(Times.add("cpu  792492 23558 40186 331101 480 0 4347 31434 0 0", NotTwo));
  EXPECT_TRUE(Times.add("cpu0 405600 11280 19830 1000 200 0 2022 30 0 0", NotTwo));
  EXPECT_TRUE(Times.add("cpu11 1 2 3 4 5 6 7 8 9 10", NotTwo));
  EXPECT_FALSE(Times.add("cpu2 1 2 3 4 5 6 7 8 9 10", NotTwo));
  EXPECT_FALSE(Times.add("intr 16971142 0 0 0 0 0 0 0 0", NotTwo));
  EXPECT_EQ(Times.Idle, 1209 * 10 * Ms);
  EXPECT_EQ(Times.Stolen, 38 * 10 * Ms);
  EXPECT_TRUE(Times.add("cpu3 5 6 7 1", NotTwo)) << "of an old kernel";
  EXPECT_EQ(Times.Stolen, 38 * 10 * Ms);
}

TEST(StolenTime, GrowsOnTheSameCores) {
  StolenTime Time;
  EXPECT_EQ(Time.since(500, 7), 0u) << "since the machine started";
  EXPECT_EQ(Time.since(520, 7), 20u);
  EXPECT_EQ(Time.since(520, 7), 0u);
  EXPECT_EQ(Time.since(900, 8), 0u) << "of other cores";
  EXPECT_EQ(Time.since(910, 8), 10u);
  EXPECT_EQ(Time.since(40, 8), 0u) << "one was taken out and put back";
  EXPECT_EQ(Time.since(41, 8), 1u);
}

TEST(CoreSet, HasEachCoreOnce) {
  CoreSet<128> Some;
  for (unsigned Core : {0u, 63u, 64u, 127u})
    EXPECT_TRUE(Some.add(Core)) << Core;
  for (unsigned Core : {0u, 63u, 64u, 127u})
    EXPECT_FALSE(Some.add(Core)) << Core;
}

TEST(Contention, ZeroedIsNone) {
  EXPECT_EQ(ThreadDelay().contention().Ratio, 0u);
  EXPECT_EQ(Contention().stretch(123), 123u);
}

TEST(Contention, IsTimeWaitedPerTimeRun) {
  GlobalDelay G;
  ThreadDelay T;
  for (int I = 0; I < 100; ++I) {
    T.observe(G, 1 * Ms, 0);
    T.observe(G, 1 * Ms, 0);
    T.observe(G, 1 * Ms, 9 * Ms); // Slices of 3 ms, a quarter of the time.
  }
  EXPECT_NEAR(T.contention().Ratio, 3 * Contention::One, Contention::One / 2);
  EXPECT_NEAR(G.contention().Ratio, 3 * Contention::One, Contention::One);
  for (int I = 0; I < 500; ++I)
    T.observe(G, 1 * Ms, 0);
  EXPECT_FALSE(T.contention().noticeable()) << "what is long past is forgotten";
  EXPECT_FALSE(G.contention().noticeable()) << "by all";
}

TEST(Contention, ANewThreadExpectsWhatOthersSaw) {
  ThreadDelay T;
  GlobalDelay G;
  G.Recent = 2 * Contention::One * GlobalDelay::RecentUnits;
  T.expect(G);
  EXPECT_EQ(T.contention().Ratio, 2 * Contention::One);
}

TEST(Contention, AHitStandsForAsMuchWallTimeAsItsProgressTakes) {
  GlobalDelay G;
  ThreadDelay A, B;
  G.Recent = 3 * Contention::One *
             GlobalDelay::RecentUnits; // Of all threads, though A has a core of its own.
  A.charge(G, 100);
  EXPECT_EQ(G.total(), 100u);
  EXPECT_EQ(G.wall(0), 400u);
  B.charge(G, 130);
  EXPECT_EQ(G.total(), 130u);
  EXPECT_EQ(G.wall(0), 520u) << "B adds 30";
}

// While it pauses others have to wait for the core as well.
TEST(Contention, ComparesWaitsWithPausesToo) {
  GlobalDelay G;
  ThreadDelay T;
  for (int I = 0; I < 100; ++I) {
    T.drop(700000, 1 * Ms); // Burnt.
    T.observe(G, T.Working.ran(300000), 1000000);
    T.Working.work(300000);
  }
  EXPECT_NEAR(T.contention().Ratio, Contention::One, Contention::One / 100);
}

TEST(Contention, PausesKeepTheCoreBusy) {
  GlobalDelay G;
  ThreadDelay A, B;
  uint64_t Burnt = 0;
  A.charge(G, 100);
  GlobalDelay Contended;
  Contended.Recent = Contention::One * GlobalDelay::RecentUnits;
  B.expect(Contended);
  EXPECT_EQ(B.pay(G, 0, FakeBurner{Burnt, 7}), 107u);
  A.charge(G, 100);
  B.pay(G, 0, FakeBurner{Burnt});
  EXPECT_EQ(Burnt, 200u) << "what was burnt too much is taken off";
  EXPECT_EQ(B.owed(G), 0u);
}

TEST(SharedCores, ACoreOwesOnce) {
  GlobalDelay G;
  CoreDelay Here, There;
  ThreadDelay A, B, C;
  A.charge(G, 1 * Ms, &There);
  uint64_t Burnt = 0;
  B.pay(G, 0, FakeBurner{Burnt, 0, &Here});
  EXPECT_EQ(Burnt, 1 * Ms);
  C.pay(G, 0, FakeBurner{Burnt, 0, &Here});
  EXPECT_EQ(Burnt, 1 * Ms) << "B has paid for the core that C waited for";
  C.charge(G, 1 * Ms, &There);
  EXPECT_EQ(G.total(), 2 * Ms) << "one after the other on a core add up";
}

TEST(SharedCores, HitsOnTwoCoresCancel) {
  GlobalDelay G;
  CoreDelay Here, There;
  ThreadDelay A, B;
  A.charge(G, 1 * Ms, &Here);
  B.charge(G, 1 * Ms, &There);
  EXPECT_EQ(G.total(), 1 * Ms);
}

TEST(SharedCores, AHitGetsTheCoreOnByItselfAlone) {
  GlobalDelay G;
  CoreDelay Here, There;
  ThreadDelay A, B, C;
  A.charge(G, 1 * Ms, &There);
  B.credit(1 * Ms); // Woken by A, while C had the core Here.
  B.charge(G, 1 * Ms, &Here);
  EXPECT_EQ(G.total(), 2 * Ms);
  uint64_t Burnt = 0;
  C.pay(G, 0, FakeBurner{Burnt, 0, &Here});
  EXPECT_EQ(Burnt, 1 * Ms) << "A's hit it still owes";
}

TEST(SharedCores, ACoreWithNothingToDoIsSparedWhatOthersAre) {
  GlobalDelay G;
  CoreDelay Here, There;
  ThreadDelay A, B, C;
  auto GoOn = [&](ThreadDelay &T) { T.resume(G, /*Line=*/1, /*Speedup=*/50, 0, &Here); };
  GoOn(A);
  B.charge(G, 1 * Ms, &There);
  A.leaveCore(G);
  B.charge(G, 2 * Ms, &There);
  A.credit(3 * Ms); // Woken by B.
  GoOn(A);
  uint64_t Burnt = 0;
  C.pay(G, 0, FakeBurner{Burnt, 0, &Here});
  EXPECT_EQ(Burnt, 1 * Ms) << "A had been there for that";
  B.charge(G, 1 * Ms, &There);
  A.leaveCore(G); // C is there.
  B.charge(G, 1 * Ms, &There);
  A.credit(5 * Ms);
  GoOn(A);
  C.pay(G, 0, FakeBurner{Burnt, 0, &Here});
  EXPECT_EQ(Burnt, 3 * Ms);
}

TEST(SharedCores, WhatCoresAreSparedIsTakenOff) {
  GlobalDelay G;
  CoreDelay Here, There;
  ThreadDelay A, B;
  G.setCrowd(8, 4);
  EXPECT_EQ(A.charge(G, 4 * Ms, &There), 4 * Ms);
  EXPECT_EQ(G.wall(0), 1 * Ms) << "of four cores one did less work";
  uint64_t Burnt = 0;
  B.pay(G, 0, FakeBurner{Burnt, 0, &Here});
  EXPECT_EQ(G.wall(0), 2 * Ms) << "and one none";
  G.advance(4 * Ms, 2 * Contention::One);
  EXPECT_EQ(G.wall(0), 4 * Ms) << "and two had none to do";
}

TEST(SharedCores, AHitBehindTheTotalMovesNobodyElse) {
  GlobalDelay G;
  CoreDelay Here, There;
  ThreadDelay A, B;
  G.setCrowd(8, 4);
  A.charge(G, 4 * Ms, &There);
  EXPECT_EQ(B.charge(G, 4 * Ms, &Here), 0u);
  EXPECT_EQ(G.wall(0), 2 * Ms);
}

TEST(SharedCores, NeedMoreThreadsThanCores) {
  GlobalDelay G;
  ThreadDelay A;
  for (int I = 0; I < 1000; ++I)
    A.observe(G, 1 * Ms, 3 * Ms);
  G.setCrowd(2, 2);
  EXPECT_FALSE(G.sharesCores()) << "what contends is not known";
  EXPECT_EQ(G.tolerance(), GlobalDelay::OfOwnCore);
  G.setCrowd(8, 2);
  EXPECT_TRUE(G.sharesCores());
  EXPECT_EQ(G.tolerance(), GlobalDelay::OfSharedCore);
}

// What other programs leave of the cores is shared, however few the threads are.
TEST(SharedCores, WithOtherPrograms) {
  GlobalDelay G;
  ThreadDelay A;
  G.setCrowd(2, 2);
  G.noteOthers(300 * Ms, 1000 * Ms);
  G.noteOthers(600 * Ms, 2000 * Ms);
  EXPECT_FALSE(G.sharesCores()) << "nobody waits for a core";
  for (int I = 0; I < 1000; ++I)
    A.observe(G, 1 * Ms, 1 * Ms / 2);
  EXPECT_TRUE(G.sharesCores());
  EXPECT_FALSE(G.isCrowded());
  EXPECT_LT(G.ownCores(), 2 * Contention::One);
  G.forgetOthers();
  EXPECT_EQ(G.ownCores(), 2 * Contention::One);
  G.noteOthers(10000 * Ms, 20000 * Ms);
  EXPECT_FALSE(G.sharesCores()) << "nothing to compare with";
}

// Half of the samples are of threads that never wait, each time for long enough to forget.
TEST(Contention, IsWhatAllThreadsSawOnAverage) {
  GlobalDelay G;
  for (int I = 0; I < 1000; ++I) {
    ThreadDelay Waits, DoesNot;
    Waits.expect(G);
    Waits.observe(G, 1 * Ms, 1 * Ms / 5);
    DoesNot.observe(G, 1 * Ms, 0);
  }
  EXPECT_NEAR(G.recent(), Contention::One / 10, Contention::One / 200);
  EXPECT_TRUE(G.contention().noticeable());
}

// What a short sample adds to an average of many cores is little, but not nothing.
TEST(Contention, OfManyCoresIsNotLostInRounding) {
  for (unsigned Cores : {1, 8, 64, 256})
    for (uint64_t Ran : {Ms / 50, 1 * Ms})
      for (unsigned Part : {1, 4, 16}) {
        GlobalDelay G;
        G.setCrowd(2, Cores);
        for (uint64_t Time = 0; Time < 500 * Ms * Cores; Time += Ran)
          G.noteWait(Ran, Ran / Part);
        uint32_t True = Contention::One / Part;
        EXPECT_NEAR(G.recent(), True, True / 16)
            << Cores << " cores, " << Ran << " ns a sample, waits 1/" << Part;
      }
}

// The most that cores can be contended, on a machine of the largest kind.
TEST(Contention, OfManyCoresDoesNotOverflow) {
  GlobalDelay G;
  G.setCrowd(2, 4096);
  for (int I = 0; I < 10 * 4096; ++I)
    G.noteWait(1000000 * Ms, 1000000000 * Ms);
  EXPECT_NEAR(G.recent(), Contention::Most, Contention::Most / 1000);
  G.noteWait(1 * Ms, 0);
  EXPECT_NEAR(G.recent(), Contention::Most, Contention::Most / 1000);
}

TEST(SharedCores, SeenFromOutsideItsCoreCounts) {
  GlobalDelay G;
  CoreDelay Core;
  ThreadDelay A, B;
  A.charge(G, 100);
  EXPECT_EQ(B.owedSeenFromOutside(G, &Core), 100u);
  Core.raise(60);
  EXPECT_EQ(B.owedSeenFromOutside(G, &Core), 40u);
}

TEST(SharedCores, ASampleAfterAPauseIsOfTheProgramsWork) {
  GlobalDelay G;
  CoreDelay Here, There;
  ThreadDelay A, B;
  EXPECT_EQ(B.Working.work(1 * Ms), 1 * Ms);
  A.charge(G, 1300000, &There);
  uint64_t Burnt = 0;
  B.pay(G, 0, FakeBurner{Burnt, 0, &Here});
  B.drop(1 * Ms, 1 * Ms); // Fell into the pause, 300 us before its end.
  EXPECT_EQ(B.Working.work(1 * Ms), 700000u);
  EXPECT_EQ(B.Working.work(1 * Ms), 1 * Ms);
}

// Of samples that are due while a handler pauses most never come.
TEST(SharedCores, WorkAfterAPauseInAHandlerIsToldByTheClock) {
  ThreadDelay T;
  T.drop(1 * Ms, 1 * Ms);
  T.Working.pausedInHandler(/*Time=*/9 * Ms, /*CPUTime=*/20 * Ms);
  T.Working.Burnt += 2 * Ms; // In a wrapper, later.
  CPUTimes S = T.Working.sinceHandlerPause(/*CPUTime=*/23 * Ms);
  EXPECT_EQ(S.Work, 1 * Ms);
  EXPECT_EQ(S.Ran, 12 * Ms);
  EXPECT_EQ(T.Working.work(1 * Ms), 1 * Ms) << "and all is accounted for";
}

// A slot is used again, and the clock of fork's child begins at 0.
TEST(SharedCores, AnotherThreadsPauseIsForgotten) {
  ThreadDelay T;
  T.Working.pausedInHandler(9 * Ms, /*CPUTime=*/20 * Ms);
  EXPECT_EQ(T.Working.sinceHandlerPause(/*CPUTime=*/1 * Ms).Work, 0u);
  T.Working.pausedInHandler(9 * Ms, 20 * Ms);
  T.slowDown(GlobalDelay(), 1 * Ms);
  T.RanOn = 1000 * Ms;
  T.forgetWork();
  EXPECT_EQ(T.Working.HandlerPause, 0u);
  EXPECT_EQ(T.Own, 0u);
  EXPECT_FALSE(T.neverWaits());
}

TEST(SharedCores, OtherProgramsLeaveFewer) {
  constexpr uint32_t One = Contention::One;
  GlobalDelay G;
  CoreDelay Core;
  ThreadDelay A;
  G.setCrowd(2, 2);
  G.noteOthers(/*OthersTime=*/7000 * Ms, /*Now=*/9000 * Ms);
  EXPECT_EQ(G.ownCores(), 2 * One) << "the machine has been up for longer than we have";
  G.noteOthers(7100 * Ms, 9100 * Ms);
  EXPECT_EQ(G.ownCores(), 2 * One) << "too little to tell";
  G.noteOthers(8500 * Ms, 10000 * Ms);
  EXPECT_EQ(G.ownCores(), One / 2);
  EXPECT_EQ(G.wallTime(1 * Ms), 2 * Ms);
  A.charge(G, 1 * Ms, &Core);
  EXPECT_EQ(G.wall(0), 2 * Ms);
  G.noteOthers(90000 * Ms, 11000 * Ms, /*OfCores=*/1);
  G.noteOthers(8500 * Ms, 12000 * Ms);
  EXPECT_EQ(G.ownCores(), One / 2) << "of other cores nothing follows";
  for (uint64_t I = 13; I != 16; ++I)
    G.noteOthers((8500 + 2500 * (I - 12)) * Ms, I * 1000 * Ms);
  EXPECT_EQ(G.ownCores(), One / 8) << "the least";
  for (uint64_t I = 16; I != 40; ++I)
    G.noteOthers(20000 * Ms, I * 1000 * Ms);
  EXPECT_EQ(G.ownCores(), 2 * One);
}

TEST(SharedCores, WhoComesLateToAMutexPaysAtOnce) {
  GlobalDelay G;
  G.noteWait(64000000, 64000000);
  G.setCrowd(2, 1);
  ASSERT_TRUE(G.sharesCores());
  ThreadDelay Others, Late;
  Others.charge(G, 8000);
  Late.locked(G);
  EXPECT_TRUE(Late.mustPay(G, 1000));
}

} // namespace
