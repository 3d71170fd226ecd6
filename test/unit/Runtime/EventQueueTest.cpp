//===- EventQueueTest.cpp - Tests of the simulated machine's events -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "EventQueue.h"
#include "base/causal_random.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

using namespace __causal;

namespace {

TEST(EventQueue, HasNothingAtFirst) {
  EXPECT_EQ(EventQueue(5).time(), EventQueue::Never);
  EXPECT_EQ(EventQueue(1).time(), EventQueue::Never);
}

TEST(EventQueue, OfTheSameTimeTheFirstPostedIsNext) {
  EventQueue Q(3);
  Q.set(0, 10, 3);
  Q.set(2, 10, 1);
  Q.set(1, 10, 2);
  EXPECT_EQ(Q.next(), 2u);
  Q.clear(2);
  EXPECT_EQ(Q.next(), 1u);
}

TEST(EventQueue, AgreesWithASearchOfAll) {
  for (unsigned Sources : {1u, 2u, 3u, 8u, 9u, 133u}) {
    EventQueue Q(Sources);
    std::vector<std::pair<uint64_t, uint64_t>> All(Sources, {EventQueue::Never, 0});
    Random R;
    R.seed(Sources);
    for (uint64_t Order = 1; Order <= 5000; ++Order) {
      unsigned Source = R.below(Sources);
      if (R.below(3)) {
        All[Source] = {R.below(50), Order};
        Q.set(Source, All[Source].first, Order);
      } else {
        All[Source] = {EventQueue::Never, 0};
        Q.clear(Source);
      }
      ASSERT_EQ(Q.isSet(Source), All[Source].first != EventQueue::Never);
      auto First = std::min_element(All.begin(), All.end());
      ASSERT_EQ(Q.time(), First->first);
      if (First->first != EventQueue::Never)
        ASSERT_EQ(Q.next(), First - All.begin());
    }
  }
}

} // namespace
