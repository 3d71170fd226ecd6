//===- IdleTimeTest.cpp - When nobody is at work ---------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal/experiment/causal_idle_time.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

constexpr uint64_t Ms = 1000000;

TEST(IdleTime, IsTimeWithoutCPUTime) {
  IdleTime T;
  T.begin(1000 * Ms, 5 * Ms, 20 * Ms);
  EXPECT_EQ(T.note(1010 * Ms, 5 * Ms), 0u) << "too short to tell";
  EXPECT_EQ(T.note(1020 * Ms, 5 * Ms), 20 * Ms);
  EXPECT_EQ(T.note(1030 * Ms, 15 * Ms), 0u);
  EXPECT_EQ(T.note(1040 * Ms, 15 * Ms), 0u) << "somebody worked in half of the window";
  EXPECT_EQ(T.note(1055 * Ms, 30 * Ms), 0u);
  EXPECT_EQ(T.inWindow(1155 * Ms, 31 * Ms), 100 * Ms);
  EXPECT_EQ(T.note(1155 * Ms, 31 * Ms), 100 * Ms) << "the gap alone";
  EXPECT_EQ(T.note(1185 * Ms, 33 * Ms), 0u) << "a fifteenth";
  T.note(1195 * Ms, 33 * Ms);
  T.cut(1200 * Ms, 33 * Ms);
  EXPECT_EQ(T.note(1210 * Ms, 33 * Ms), 0u);
  EXPECT_EQ(T.note(1220 * Ms, 33 * Ms), 20 * Ms);
  EXPECT_EQ(T.total(), 140 * Ms);
}

} // namespace
