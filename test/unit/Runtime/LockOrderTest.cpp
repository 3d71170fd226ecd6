//===- LockOrderTest.cpp - In which order locks are taken -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "base/causal_rules.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

TEST(LockOrder, OneOrderIsAllowed) {
  LockOrder Order = {};
  int A, B, C;
  for (int Round = 0; Round < 2; ++Round) {
    EXPECT_TRUE(Order.take(&A, &B));
    EXPECT_TRUE(Order.take(&A, &C));
    EXPECT_TRUE(Order.take(&B, &C));
  }
  EXPECT_FALSE(Order.take(&C, &A));
  EXPECT_FALSE(Order.take(&B, &A));
}

TEST(LockOrder, NoLockIsTakenTwice) {
  LockOrder Order = {};
  int A;
  EXPECT_FALSE(Order.take(&A, &A));
}

TEST(LockOrder, MoreThanItKnowsAreAllowed) {
  LockOrder Order = {};
  int Locks[LockOrder::Max + 2];
  for (int &Lock : Locks)
    EXPECT_TRUE(Order.take(&Locks[0], &Lock) || &Lock == &Locks[0]);
  EXPECT_TRUE(Order.take(&Locks[LockOrder::Max], &Locks[LockOrder::Max + 1]));
  EXPECT_TRUE(Order.take(&Locks[LockOrder::Max + 1], &Locks[LockOrder::Max]));
}

} // namespace
