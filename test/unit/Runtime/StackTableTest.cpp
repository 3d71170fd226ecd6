//===- StackTableTest.cpp - Tests for causal_stack_table --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "code/causal_stack_table.h"

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <map>
#include <memory>
#include <thread>
#include <vector>

using namespace __causal;

namespace {

class StackTableTest : public testing::Test {
protected:
  void SetUp() override {
    void *Memory = mmap(nullptr, sizeof(StackTable), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(Memory, MAP_FAILED);
    Table = static_cast<StackTable *>(Memory);
  }
  void TearDown() override { munmap(Table, sizeof(StackTable)); }

  uint32_t intern(std::vector<uintptr_t> PCs, bool Truncated = false) {
    std::vector<uint32_t> Frames;
    for (uintptr_t PC : PCs)
      Frames.push_back(Table->frame(PC));
    return Table->intern(Frames.data(), static_cast<unsigned>(Frames.size()), Truncated);
  }
  std::vector<uintptr_t> addresses(uint32_t Id) {
    std::vector<uintptr_t> PCs;
    const StackTable::Stack *S = Table->stack(Id);
    for (unsigned I = 0; S && I != S->Depth; ++I)
      PCs.push_back(Table->address(Table->frames(*S)[I]));
    return PCs;
  }

  StackTable *Table;
};

TEST_F(StackTableTest, AStackIsKeptOnce) {
  uint32_t A = intern({0x1000, 0x2000, 0x3000}), B = intern({0x1000, 0x2000});
  ASSERT_NE(A, 0u);
  ASSERT_NE(B, 0u);
  EXPECT_NE(A, B);
  EXPECT_EQ(intern({0x1000, 0x2000, 0x3000}), A);
  EXPECT_EQ(addresses(A), (std::vector<uintptr_t>{0x1000, 0x2000, 0x3000}));
  EXPECT_EQ(addresses(B), (std::vector<uintptr_t>{0x1000, 0x2000}));
  EXPECT_EQ(Table->end(), 3u);
}

TEST_F(StackTableTest, ATruncatedOneIsAnother) {
  uint32_t Whole = intern({0x1000}), Part = intern({0x1000}, /*Truncated=*/true);
  EXPECT_NE(Whole, Part);
  EXPECT_FALSE(Table->stack(Whole)->Truncated);
  EXPECT_TRUE(Table->stack(Part)->Truncated);
}

TEST_F(StackTableTest, NothingHasNoNumber) {
  EXPECT_EQ(Table->frame(0), 0u);
  EXPECT_EQ(Table->intern(nullptr, 0, false), 0u);
  EXPECT_EQ(Table->dropped(), 2u);
  EXPECT_EQ(Table->stack(1), nullptr);
}

TEST_F(StackTableTest, CodeThatIsGoneLosesItsAddress) {
  uint32_t Before = Table->frame(0x5000), Other = Table->frame(0x9000);
  uint32_t Stack = intern({0x5000, 0x9000});
  Table->forgetCode(0x4000, 0x6000);
  uint32_t After = Table->frame(0x5000);
  EXPECT_NE(After, Before);
  EXPECT_EQ(Table->address(Before), 0x5000u); // What was seen stays so.
  EXPECT_EQ(Table->frame(0x9000), Other);
  EXPECT_NE(intern({0x5000, 0x9000}), Stack);
}

TEST_F(StackTableTest, WhatFindsNoRoomIsCounted) {
  std::vector<uint32_t> Frames(StackTable::MaxDepth);
  for (unsigned I = 0; I != Frames.size(); ++I)
    Frames[I] = Table->frame(0x1000 + I);
  uint32_t Made = 0;
  for (uint32_t I = 0; I != StackTable::ArenaSize / StackTable::MaxDepth + 10; ++I) {
    Frames[0] = Table->frame(0x100000 + I);
    Made += Table->intern(Frames.data(), StackTable::MaxDepth, false) != 0;
  }
  EXPECT_EQ(Made, StackTable::ArenaSize / StackTable::MaxDepth);
  EXPECT_EQ(Table->dropped(), 10u);
}

TEST_F(StackTableTest, ThreadsAgree) {
  constexpr unsigned Threads = 4, Stacks = 2000;
  std::vector<std::vector<uint32_t>> Ids(Threads, std::vector<uint32_t>(Stacks));
  std::vector<std::thread> Running;
  for (unsigned T = 0; T != Threads; ++T)
    Running.emplace_back([&, T] {
      for (unsigned I = 0; I != Stacks; ++I)
        Ids[T][I] = intern({0x1000 + I % 50, 0x2000 + I, 0x3000});
    });
  for (std::thread &T : Running)
    T.join();
  for (unsigned I = 0; I != Stacks; ++I) {
    EXPECT_EQ(addresses(Ids[0][I]), (std::vector<uintptr_t>{0x1000 + I % 50, 0x2000 + I, 0x3000}));
    for (unsigned T = 1; T != Threads; ++T)
      EXPECT_EQ(Ids[T][I], Ids[0][I]);
  }
  EXPECT_EQ(Table->dropped(), 0u);
}

} // namespace
