//===- CPUAccountTest.cpp - Tests for mode=cpu's pure parts -----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "cpu/causal_cpu_account.h"
#include "cpu/causal_cpu_charges.h"
#include "cpu/causal_cpu_wakers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <thread>
#include <vector>

using namespace __causal;

namespace {

KernelCounts counts(uint64_t RunQueue, uint64_t Faults = 0, uint64_t Switches = 0) {
  KernelCounts K;
  K.RunQueue = RunQueue;
  K.MajorFaults = Faults;
  K.Switches = Switches;
  return K;
}

TEST(CPUAccountTest, StacksAddUpToTheClock) {
  CPUAccount A;
  A.begin(/*Wall=*/1000, /*CPU=*/50, /*ChargedCPU=*/0);
  EXPECT_EQ(A.takeCPU(1050), 1050u);
  EXPECT_EQ(A.takeCPU(1040), 0u); // A clock that seems to go back.
  EXPECT_EQ(A.takeCPU(3000), 1950u);
  EXPECT_EQ(A.charged(), 3000u);
}

TEST(CPUAccountTest, TheRunQueueComesFirst) {
  CPUAccount A;
  A.begin(0, 0, 0);
  A.noteCall(CPUState::Sleep, 900);
  A.settle(1000, 100, counts(300));
  EXPECT_EQ(A.off(CPUState::RunQueue), 300u);
  EXPECT_EQ(A.off(CPUState::Sleep), 600u);
  A.takeCPU(100);
  EXPECT_EQ(A.unexplained(1000), 0u);
}

TEST(CPUAccountTest, TheRunQueueGetsNoMoreThanThereIs) {
  CPUAccount A;
  A.begin(0, 0, 0);
  A.settle(1000, 900, counts(5000));
  EXPECT_EQ(A.off(CPUState::RunQueue), 100u);
}

TEST(CPUAccountTest, CallsShareByTheirTime) {
  CPUAccount A;
  A.begin(0, 0, 0);
  A.noteCall(CPUState::IO, 600);
  A.noteCall(CPUState::Lock, 300);
  A.settle(1000, 100, counts(0));
  EXPECT_EQ(A.off(CPUState::IO), 600u);
  EXPECT_EQ(A.off(CPUState::Lock), 300u);
  // The second half of what calls took was on the core.
  A.noteCall(CPUState::IO, 1000);
  A.noteCall(CPUState::Lock, 1000);
  A.settle(3000, 1101, counts(0));
  EXPECT_EQ(A.off(CPUState::IO) + A.off(CPUState::Lock), 900u + 999u);
}

TEST(CPUAccountTest, WhatNoCallTookIsByTheKernelsCounts) {
  CPUAccount A;
  A.begin(0, 0, 0);
  A.settle(1000, 0, counts(0, /*Faults=*/2));
  A.settle(3000, 0, counts(0, 0, /*Switches=*/1));
  EXPECT_EQ(A.off(CPUState::PageFault), 1000u);
  EXPECT_EQ(A.off(CPUState::Other), 2000u);
  EXPECT_EQ(A.unexplained(3000), 0u);
  A.settle(7000, 0, counts(0));
  EXPECT_EQ(A.unexplained(7000), 4000u);
}

TEST(CPUAccountTest, WhatOneClockIsAheadComesBack) {
  CPUAccount A;
  A.begin(0, 0, 0);
  A.settle(1000, 1100, counts(50));
  EXPECT_EQ(A.off(CPUState::RunQueue), 0u);
  A.settle(2000, 1500, counts(1000));
  EXPECT_EQ(A.off(CPUState::RunQueue), 500u);
}

TEST(CPUAccountTest, AStackForEachPeriodOfWaiting) {
  CPUAccount A;
  A.begin(0, 0, 0);
  uint64_t Taken = 0, Stacks = 0, Wall = 0;
  for (int I = 0; I != 1000; ++I) {
    Wall += 30;
    A.noteCall(CPUState::Lock, 30);
    A.settle(Wall, 0, counts(0));
    if (uint64_t Time = A.takePending(CPUState::Lock, 1000)) {
      Taken += Time;
      ++Stacks;
    }
  }
  EXPECT_EQ(Taken + A.pending(CPUState::Lock), 30000u);
  EXPECT_EQ(Stacks, 29u);
}

class CPUChargesTest : public testing::Test {
protected:
  CPUChargesTest() : Table(static_cast<Charges *>(calloc(1, sizeof(Charges)))) {}
  ~CPUChargesTest() override { free(Table); }

  bool add(uint32_t Thread, uint32_t Stack, CPUState S, uint64_t Time, uint32_t Waker = 0) {
    return Table->add({Thread, Stack, S, Waker, Waker ? Thread + 1 : 0, Time, 1});
  }
  Charges *Table;
};

TEST_F(CPUChargesTest, ASnapshotTakesWhatCameSinceTheLast) {
  add(1, 7, CPUState::OnCore, 100);
  add(1, 7, CPUState::OnCore, 50);
  add(1, 7, CPUState::Lock, 20, /*Waker=*/9);
  add(1, 7, CPUState::Lock, 30, /*Waker=*/10);
  std::vector<Charge> Taken;
  auto Take = [&](const Charge &C) { Taken.push_back(C); };
  ASSERT_TRUE(Table->take(Take));
  ASSERT_EQ(Taken.size(), 3u);
  EXPECT_EQ(Taken[0].Time, 150u);
  EXPECT_EQ(Taken[0].Count, 2u);
  EXPECT_EQ(Taken[1].Waker, 9u);
  EXPECT_EQ(Taken[1].WakerThread, 2u);
  EXPECT_EQ(Taken[2].Waker, 10u);
  EXPECT_EQ(Taken[2].Stack, 7u);
  EXPECT_EQ(Taken[2].State, CPUState::Lock);
  Taken.clear();
  ASSERT_TRUE(Table->take(Take));
  EXPECT_TRUE(Taken.empty());
  add(3, 1 << 23, CPUState::Other, 5);
  ASSERT_TRUE(Table->take(Take));
  ASSERT_EQ(Taken.size(), 1u);
  EXPECT_EQ(Taken[0].Stack, 1u << 23);
}

TEST_F(CPUChargesTest, AFullTableSaysSo) {
  uint32_t Added = 0;
  for (uint32_t I = 0; I != ChargeTable::Size + 1000; ++I)
    Added += add(1, I + 1, CPUState::OnCore, 1);
  EXPECT_LE(Added, ChargeTable::Size);
  EXPECT_GT(Added, ChargeTable::Size / 2);
  EXPECT_TRUE(Table->nearlyFull());
  uint64_t Sum = 0;
  Table->take([&](const Charge &C) { Sum += C.Time; });
  EXPECT_EQ(Sum, Added);
  EXPECT_FALSE(Table->nearlyFull());
}

TEST_F(CPUChargesTest, NothingIsLostWhileSnapshotsAreTaken) {
  constexpr unsigned Threads = 3, Each = 200000;
  std::atomic<unsigned> Left{Threads};
  std::vector<std::thread> Running;
  for (unsigned T = 0; T != Threads; ++T)
    Running.emplace_back([&, T] {
      for (unsigned I = 0; I != Each; ++I)
        while (!add(T + 1, I % 97 + 1, CPUState::OnCore, 3))
          ;
      --Left;
    });
  uint64_t Sum = 0, Count = 0;
  auto Take = [&](const Charge &C) {
    Sum += C.Time;
    Count += C.Count;
  };
  while (Left)
    Table->take(Take);
  for (std::thread &T : Running)
    T.join();
  EXPECT_TRUE(Table->take(Take));
  EXPECT_TRUE(Table->take(Take));
  EXPECT_EQ(Count, uint64_t(Threads) * Each);
  EXPECT_EQ(Sum, 3 * Count);
}

class CPUWakersTest : public testing::Test {
protected:
  CPUWakersTest() : Table(static_cast<WakerTable *>(calloc(1, sizeof(WakerTable)))) {}
  ~CPUWakersTest() override { free(Table); }
  WakerTable *Table;
};

TEST_F(CPUWakersTest, TheLastWakerSinceTheWaitBegan) {
  EXPECT_FALSE(Table->hasWaiters(0x1234));
  Table->beginWait(0x1234);
  EXPECT_TRUE(Table->hasWaiters(0x1234));
  Table->wakes(0x1234, {7, 2}, /*Now=*/100);
  EXPECT_EQ(Table->lastWaker(0x1234, 50).Stack, 7u);
  EXPECT_EQ(Table->lastWaker(0x1234, 50).Thread, 2u);
  EXPECT_EQ(Table->lastWaker(0x1234, 150).Stack, 0u); // An earlier wait's.
  EXPECT_EQ(Table->lastWaker(0x99999, 50).Stack, 0u);
  Table->endWait(0x1234);
  Table->endWait(0x1234);
  EXPECT_FALSE(Table->hasWaiters(0x1234));
}

TEST_F(CPUWakersTest, APoolIsOfSeveralThreadsThatAreSignalled) {
  EXPECT_FALSE(Table->sharesLoop(0x1000, 1));
  EXPECT_FALSE(Table->sharesLoop(0x1000, 1));
  EXPECT_TRUE(Table->sharesLoop(0x1000, 2));
  EXPECT_TRUE(Table->sharesLoop(0x1000, 1));
  Table->broadcasts(0x1000);
  EXPECT_FALSE(Table->sharesLoop(0x1000, 1));
  EXPECT_FALSE(Table->sharesLoop(0x1000, 2));
}

} // namespace
