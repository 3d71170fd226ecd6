//===- ThreadChurnTest.cpp - Which of many short threads are sampled ------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "sampler/causal_thread_churn.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

constexpr uint64_t Second = 1000000000;

/// What is said of the last of Rate threads a second, begun for Length.
uint32_t shareAt(ThreadChurn &C, uint64_t &Now, uint64_t Rate, uint64_t Length) {
  uint32_t Share = 0;
  for (uint64_t End = Now + Length; Now < End; Now += Second / Rate)
    Share = C.begin(Now);
  return Share;
}

TEST(ThreadChurn, EveryThreadOfACalmProgram) {
  ThreadChurn C;
  uint64_t Now = 77 * Second;
  EXPECT_EQ(C.begin(Now), 1u) << "the first one";
  EXPECT_EQ(shareAt(C, Now, 900, Second), 1u);
}

TEST(ThreadChurn, FewOfMany) {
  ThreadChurn C;
  uint64_t Now = 77 * Second;
  uint32_t Share = shareAt(C, Now, 10000, Second);
  EXPECT_GE(Share, 10u);
  EXPECT_LE(Share, 11u);
  EXPECT_EQ(shareAt(C, Now, 1000000, Second), ThreadChurn::Most);
}

TEST(ThreadChurn, CalmsDown) {
  ThreadChurn C;
  uint64_t Now = 77 * Second;
  shareAt(C, Now, 1000000, Second);
  EXPECT_EQ(shareAt(C, Now, 100, Second / 10), 1u);
}

} // namespace
