//===- HeldLocksTest.cpp - Which critical section a thread is in ----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal/section/causal_held_locks.h"

#include <gtest/gtest.h>
#include <vector>

using namespace __causal;
using causal::linemap::Frame;

namespace {

TEST(HeldLocks, TheLastBegunSectionIsTheOneThatTheThreadIsIn) {
  HeldLocks H = {};
  EXPECT_EQ(H.innermost(), 0u);
  H.took(100, 1);
  H.took(200, 2);
  EXPECT_EQ(H.innermost(), 2u);
  H.gaveBack(200);
  EXPECT_EQ(H.innermost(), 1u);
  H.gaveBack(100);
  EXPECT_EQ(H.innermost(), 0u);
}

TEST(HeldLocks, LocksAreGivenBackInAnyOrder) {
  HeldLocks H = {};
  H.took(100, 1);
  H.took(200, 2);
  H.took(300, 3);
  H.gaveBack(200);
  EXPECT_EQ(H.innermost(), 3u);
  H.gaveBack(300);
  EXPECT_EQ(H.innermost(), 1u);
  H.gaveBack(999); // Taken before anybody looked.
  EXPECT_EQ(H.innermost(), 1u);
}

TEST(HeldLocks, ARecursiveLockIsHeldUntilItsFirstSectionEnds) {
  HeldLocks H = {};
  H.took(100, 1);
  H.took(100, 2);
  H.gaveBack(100);
  EXPECT_EQ(H.innermost(), 1u);
}

TEST(HeldLocks, SectionsOfNoInterestArePartOfThoseAround) {
  HeldLocks H = {};
  H.took(100, 1);
  H.took(200, 0);
  EXPECT_EQ(H.innermost(), 1u);
}

TEST(HeldLocks, WhatIsLearntOfASectionHoldsForTheOneThatLasts) {
  HeldLocks H = {};
  H.took(100, 9);
  H.took(200, 9);
  H.rename(100, 9, 1);
  EXPECT_EQ(H.innermost(), 9u);
  H.gaveBack(200);
  EXPECT_EQ(H.innermost(), 1u);
}

TEST(HeldLocks, MoreThanThereIsRoomForAreNotNoted) {
  HeldLocks H = {};
  for (uint32_t I = 1; I <= HeldLocks::Most + 2; ++I)
    H.took(I, I);
  EXPECT_EQ(H.innermost(), HeldLocks::Most);
  for (uint32_t I = HeldLocks::Most + 2; I; --I)
    H.gaveBack(I);
  EXPECT_EQ(H.innermost(), 0u);
}

CallChain chain(const std::vector<CallFrame> &Frames) {
  CallChain C = {};
  for (const CallFrame &F : Frames)
    C.Frames[C.Count++] = F;
  return C;
}

TEST(CallChain, CallsOfOneFunctionHaveItsFrameInCommon) {
  CallChain Taking = chain({{10, 0x1000, 50}, {50, 0x2000, 60}});
  CallChain Giving = chain({{20, 0x1000, 50}, {50, 0x2000, 60}});
  unsigned I, J;
  ASSERT_TRUE(findCommonFrame(Taking, Giving, I, J));
  EXPECT_EQ(I, 0u);
  EXPECT_EQ(J, 0u);
}

TEST(CallChain, FunctionsThatOnlyTakeOrGiveBackAreNotInCommon) {
  // f calls lock() at 40 and, from a deeper one, unlock() at 45; both lie where the
  // other lay.
  CallChain Taking = chain({{10, 0x1000, 40}, {40, 0x2000, 60}, {60, 0x3000, 0}});
  CallChain Giving = chain({{20, 0x900, 30}, {30, 0x1000, 45}, {45, 0x2000, 60}, {60, 0x3000, 0}});
  unsigned I, J;
  ASSERT_TRUE(findCommonFrame(Taking, Giving, I, J));
  EXPECT_EQ(I, 1u);
  EXPECT_EQ(J, 2u);
}

TEST(CallChain, AnotherThreadsCallsHaveNothingInCommon) {
  CallChain Taking = chain({{10, 0x1000, 40}, {40, 0x2000, 60}});
  CallChain Giving = chain({{10, 0x7000, 40}, {40, 0x8000, 60}});
  unsigned I, J;
  EXPECT_FALSE(findCommonFrame(Taking, Giving, I, J));
}

unsigned part(const std::vector<Frame> &Taking, const std::vector<Frame> &Giving) {
  return whereCallsPart(Taking.data(), unsigned(Taking.size()), Giving.data(),
                        unsigned(Giving.size()));
}

TEST(WhereCallsPart, InTheFunctionThatHasBoth) {
  EXPECT_EQ(part({{"f", "a.c", 10}}, {{"f", "a.c", 14}}), 0u);
}

TEST(WhereCallsPart, NotInWhatIsInlinedToTakeTheLock) {
  EXPECT_EQ(part({{"lock", "mutex.h", 3}, {"f", "a.c", 10}},
                 {{"unlock", "mutex.h", 7}, {"f", "a.c", 14}}),
            1u);
  // Both in one line.
  EXPECT_EQ(part({{"lock", "mutex.h", 3}, {"f", "a.c", 10}},
                 {{"unlock", "mutex.h", 7}, {"f", "a.c", 10}}),
            1u);
}

TEST(WhereCallsPart, InAnInlinedFunctionThatHasBoth) {
  EXPECT_EQ(part({{"lock", "mutex.h", 3}, {"push", "queue.h", 20}, {"f", "a.c", 10}},
                 {{"push", "queue.h", 24}, {"f", "a.c", 10}}),
            1u);
}

TEST(SectionTable, FindsCallersWhereTheyLayTheLastTime) {
  static SectionTable T;
  // The call returns to 0x1000 in a frame of four words, the fourth of which is the
  // return address into a frame of two.
  uintptr_t Stack[] = {1, 2, 3, 0x2000, 5, 0x3000, 7, 8};
  auto At = [&](unsigned I) { return reinterpret_cast<uintptr_t>(Stack + I); };
  CallChain Chain = chain({{0x1000, At(4), 0x2000}, {0x2000, At(6), 0x3000}, {0x3000, 0, 0}});
  Chain.SP = At(0);
  uint64_t Key = SectionTable::key(0x1000);
  T.setDeeper(Key, Chain.toReturnAddress(0));
  EXPECT_EQ(T.find(0x1000, At(0), At(8)), uint32_t(SectionTable::Unknown));
  T.setDeeper(Key = SectionTable::key(0x2000, Key), Chain.toReturnAddress(1));
  T.set(SectionTable::key(0x3000, Key), 7);
  EXPECT_EQ(T.find(0x1000, At(0), At(8)), 7u);
  EXPECT_EQ(T.find(0x1000, 0, At(8)), uint32_t(SectionTable::Deeper));
  // Not beyond the stack.
  EXPECT_EQ(T.find(0x1000, At(0), At(6)), uint32_t(SectionTable::Deeper));
  Stack[5] = 0x4000; // Another caller.
  EXPECT_EQ(T.find(0x1000, At(0), At(8)), uint32_t(SectionTable::Unknown));
}

TEST(SectionTable, KnowsWhatItWasTold) {
  static SectionTable T;
  uint64_t Call = SectionTable::key(0x401234), Caller = SectionTable::key(0x405678, Call);
  EXPECT_EQ(T.find(Call), uint32_t(SectionTable::Unknown));
  T.set(Call, SectionTable::Deeper);
  T.set(Caller, 7);
  EXPECT_EQ(T.find(Call), uint32_t(SectionTable::Deeper));
  EXPECT_EQ(T.find(Caller), 7u);
  EXPECT_EQ(T.find(SectionTable::key(0x405678)), uint32_t(SectionTable::Unknown));
  T.set(Call, 0);
  EXPECT_EQ(T.find(Call), 0u);
  T.clear();
  EXPECT_EQ(T.find(Caller), uint32_t(SectionTable::Unknown));
}

// Two sections that pushed each other out were never known, and had no sample.
TEST(SectionTable, KnowsKeysThatFallTogether) {
  static SectionTable T;
  std::vector<uint64_t> Keys;
  for (uintptr_t PC = 0x401000; Keys.size() != 9; ++PC)
    if (uint64_t Key = SectionTable::key(PC); Key >> 55 == SectionTable::key(0x401000) >> 55)
      Keys.push_back(Key);
  for (unsigned I = 0; I != 8; ++I)
    I % 2 ? T.set(Keys[I], I) : T.setDeeper(Keys[I], 8 * I);
  for (unsigned I = 0; I != 8; ++I)
    EXPECT_EQ(T.find(Keys[I]), I % 2 ? I : uint32_t(SectionTable::Deeper));
  T.set(Keys[8], 8);
  EXPECT_EQ(T.find(Keys[8]), 8u);
  unsigned Known = 0;
  for (uint64_t Key : Keys)
    Known += T.find(Key) != SectionTable::Unknown;
  EXPECT_EQ(Known, 8u) << "one had to go";
}

} // namespace
