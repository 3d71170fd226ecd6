//===- CallPathTest.cpp - Where a thread is, as a hash --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "code/causal_stack_walk.h"

#include <gtest/gtest.h>
#include <pthread.h>

using namespace __causal;

namespace {

// What follows a call keeps it from being a jump.
#define CALL(Function)                                                                             \
  uintptr_t Path = Function;                                                                       \
  asm volatile("" : "+r"(Path));                                                                   \
  return Path

// As wrappers have it: a function of the program's, and what it calls to wake others.
__attribute__((noinline)) uintptr_t wake(const StackBounds &T) { CALL(callPath(T)); }
__attribute__((noinline)) uintptr_t giveOneJob(const StackBounds &T) { CALL(wake(T)); }
__attribute__((noinline)) uintptr_t giveAnother(const StackBounds &T) { CALL(wake(T)); }
__attribute__((noinline)) uintptr_t deep(const StackBounds &T, int Frames) {
  CALL(Frames ? deep(T, Frames - 1) : wake(T));
}
__attribute__((noinline)) uintptr_t deepFrom(const StackBounds &T) { CALL(deep(T, 20)); }

struct CallPathTest : testing::Test {
  static void SetUpTestSuite() { initStackWalk(); }
  void SetUp() override {
    pthread_attr_t Attributes;
    void *Low;
    size_t Size;
    ASSERT_EQ(pthread_getattr_np(pthread_self(), &Attributes), 0);
    pthread_attr_getstack(&Attributes, &Low, &Size);
    pthread_attr_destroy(&Attributes);
    T.Low = reinterpret_cast<uintptr_t>(Low);
    T.High = T.Low + Size;
  }
  StackBounds T = {};
};

TEST_F(CallPathTest, TellsCallersApartAndStaysTheSameForEach) {
  uintptr_t Paths[2][3];
#pragma clang loop unroll(disable)
  for (int Round = 0; Round < 3; ++Round) {
    Paths[0][Round] = giveOneJob(T);
    Paths[1][Round] = giveAnother(T);
  }
  EXPECT_NE(Paths[0][0], 0u);
  EXPECT_NE(Paths[0][0], Paths[1][0]);
  for (auto &Each : Paths)
    for (uintptr_t Path : Each)
      EXPECT_EQ(Path, Each[0]);
}

TEST_F(CallPathTest, LooksNoFurtherThanSomeFrames) { EXPECT_EQ(deepFrom(T), deep(T, 20)); }

TEST_F(CallPathTest, IsUnknownOnAnotherStack) {
  T.Low = T.High = 0;
  EXPECT_EQ(giveOneJob(T), 0u);
}

} // namespace
