//===- RecentLinesTest.cpp - What experiments may be on -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal/experiment/causal_recent_lines.h"

#include <gtest/gtest.h>

#include <map>

using namespace __causal;

namespace {

class RecentLinesTest : public testing::Test {
protected:
  RecentLinesTest() { Rng.seed(1); }

  template <typename Predicate> std::map<uint32_t, int> drawn(Predicate Matters) {
    std::map<uint32_t, int> Times;
    for (int I = 0; I < 1000; ++I)
      ++Times[Recent.draw(Rng, Matters)];
    return Times;
  }
  std::map<uint32_t, int> drawn() {
    return drawn([](uint32_t) { return true; });
  }

  RecentLines Recent;
  Random Rng;
};

TEST_F(RecentLinesTest, NoneBeforeTheFirstSample) {
  EXPECT_TRUE(Recent.empty());
  EXPECT_EQ(drawn()[0], 1000);
  Recent.add(5, 1);
  EXPECT_FALSE(Recent.empty());
  EXPECT_EQ(drawn()[5], 1000);
  Recent.clear();
  EXPECT_EQ(drawn()[0], 1000);
}

TEST_F(RecentLinesTest, ByTheTimeThatTheyHad) {
  for (int I = 0; I < 8; ++I) {
    Recent.add(5, 1);
    Recent.add(6, 3); // One that is sampled seldom.
  }
  auto Times = drawn();
  EXPECT_NEAR(Times[5], 250, 50);
  EXPECT_NEAR(Times[6], 750, 50);
}

TEST_F(RecentLinesTest, OfTheLastSamplesOnly) {
  for (uint32_t I = 0; I < RecentLines::Size; ++I)
    Recent.add(5, 1);
  for (uint32_t I = 0; I < RecentLines::Size; ++I)
    Recent.add(6, 1);
  EXPECT_EQ(drawn()[6], 1000);
  Recent.add(7, 1000); // Of a thread that had slept.
  EXPECT_NEAR(drawn()[7], 250, 50);
}

TEST(RecentLines, HalfAPercentOfTheTimeMattersAndAThirdOfASecondAlways) {
  constexpr uint64_t Millisecond = 1000000, Second = 1000 * Millisecond;
  EXPECT_EQ(RecentLines::samplesThatMatter(10 * Second, Millisecond), 50u);
  EXPECT_EQ(RecentLines::samplesThatMatter(10 * Second, 4 * Millisecond), 12u);
  EXPECT_EQ(RecentLines::samplesThatMatter(3600 * Second, Millisecond), 300u)
      << "of a server that was idle, or did something else, for an hour";
}

TEST_F(RecentLinesTest, HardlyOneThatDoesNotMatter) {
  Recent.add(5, 1);
  Recent.add(6, 1);
  auto Times = drawn([](uint32_t Line) { return Line == 6; });
  EXPECT_LT(Times[5], 20) << "one in 256 draws of eight";
  Recent.clear();
  Recent.add(5, 1);
  EXPECT_EQ(drawn([](uint32_t Line) { return Line == 6; })[5], 1000) << "there is no other";
}

} // namespace
