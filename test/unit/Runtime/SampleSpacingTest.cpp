//===- SampleSpacingTest.cpp - How far apart a thread's samples are -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "thread/causal_sample_spacing.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

constexpr uint64_t Millisecond = 1000000;

/// A thread that is looked at each 8 ms of CPU time, in one episode after the other.
struct Switching {
  SampleSpacing Spacing;
  uint64_t CPUTime = 5000 * Millisecond, Switches = 77, Episode = 1;

  /// Gives its core up so often in a millisecond, at so many ns each.
  uint32_t after(uint64_t PerMillisecond, uint64_t Cost, bool Delayed = false) {
    look(Cost, Delayed);
    CPUTime += 8 * Millisecond;
    Switches += 8 * PerMillisecond;
    look(Cost, Delayed);
    ++Episode;
    return Spacing.periods();
  }

private:
  void look(uint64_t Cost, bool Delayed) {
    uint32_t Before = Spacing.periods();
    EXPECT_EQ(Spacing.observe(CPUTime, Switches, Cost, Delayed ? 0 : Episode),
              Spacing.periods() != Before);
  }
};

TEST(SampleSpacing, AsAskedForWhereEventsCostLittle) {
  EXPECT_EQ(Switching().after(1, 15000), 1u) << "1.5 %";
  EXPECT_EQ(Switching().after(3, 15000), 1u) << "4.5 %";
  EXPECT_EQ(Switching().after(30, 1500), 1u) << "4.5 %, on a machine of its own";
  EXPECT_EQ(Switching().after(0, 15000), 1u);
}

TEST(SampleSpacing, FartherApartTheMoreTheyCost) {
  EXPECT_EQ(Switching().after(6, 15000), 2u) << "9 %";
  EXPECT_EQ(Switching().after(10, 15000), 4u) << "15 %";
  EXPECT_EQ(Switching().after(25, 15000), 8u) << "38 %";
  EXPECT_EQ(Switching().after(5000, 15000), SampleSpacing::Most);
}

TEST(SampleSpacing, StaysWhereItIsUnlessMuchChanges) {
  Switching S;
  EXPECT_EQ(S.after(10, 15000), 4u);
  EXPECT_EQ(S.after(4, 15000), 4u) << "two would do, at 3 % of the time";
  EXPECT_EQ(S.after(3, 15000), 2u) << "at 2.3 %";
  EXPECT_EQ(S.after(0, 15000), 1u);
  EXPECT_EQ(S.after(6, 15000), 2u);
}

TEST(SampleSpacing, IsNotJudgedByPauses) {
  Switching S;
  EXPECT_EQ(S.after(50, 15000, /*Delayed=*/true), 1u);
  EXPECT_EQ(S.after(10, 15000), 4u);
  EXPECT_EQ(S.after(0, 15000, /*Delayed=*/true), 4u);
}

TEST(SampleSpacing, IsNotJudgedAcrossEpisodes) {
  SampleSpacing S;
  EXPECT_FALSE(S.observe(1000 * Millisecond, 0, 15000, 1));
  EXPECT_FALSE(S.observe(1008 * Millisecond, 8000, 15000, 2)) << "there were delays meanwhile";
  EXPECT_TRUE(S.observe(1016 * Millisecond, 16000, 15000, 2));
  EXPECT_EQ(S.periods(), 8u);
  S.restart();
  EXPECT_EQ(S.periods(), 1u);
  EXPECT_FALSE(S.observe(8 * Millisecond, 8000, 15000, 2)) << "another thread's slot";
}

} // namespace
