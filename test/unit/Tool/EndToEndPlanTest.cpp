//===- EndToEndPlanTest.cpp -----------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/EndToEndPlan.h"
#include "ProfileText.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

using namespace causal;

namespace {

ProfileText sampledText() {
  return ProfileText()
      .run()
      .line(1, 300, 300)
      .line(2, 100, 100)
      .line(3, 4, 4)
      .snapshot(404, 404, 3);
}
Profile sampled() { return read(sampledText()); }

TEST(EndToEndPlan, KnowsNoTargetBeforeTheFirstSamples) {
  EndToEndPlan Plan(1, "");
  EXPECT_FALSE(Plan.next(read(ProfileText().run())));
  EXPECT_FALSE(Plan.next(read(ProfileText().run().snapshot(400, 400, 0))));
  EXPECT_TRUE(Plan.next(sampled()));
}

TEST(EndToEndPlan, TriesEachTargetThreeTimesInARow) {
  EndToEndPlan Plan(1, "");
  Profile P = sampled();
  std::set<unsigned> Speedups;
  std::set<int> PlacesOfBaseline;
  for (int Block = 0; Block < 200; ++Block) {
    std::vector<Trial> Trials;
    for (int I = 0; I < 3; ++I)
      Trials.push_back(*Plan.next(P));
    unsigned Sum = 0;
    for (int I = 0; I < 3; ++I) {
      EXPECT_EQ(Trials[I].Where, Trials[0].Where);
      Sum += Trials[I].Speedup;
      Speedups.insert(Trials[I].Speedup);
      if (!Trials[I].Speedup)
        PlacesOfBaseline.insert(I);
    }
    EXPECT_EQ(Sum, 105u); // 0, and a small and a large one.
  }
  EXPECT_EQ(Speedups.size(), 21u);
  EXPECT_EQ(PlacesOfBaseline.size(), 3u);
}

TEST(EndToEndPlan, TriesTargetsByTheNumberOfSamples) {
  EndToEndPlan Plan(1, "");
  Profile P = sampled();
  std::map<std::string, int> Tried;
  for (int I = 0; I < 3 * 8; ++I)
    ++Tried[Plan.next(P)->Where];
  EXPECT_EQ(Tried.size(), 2u) << "one has too few";
  EXPECT_EQ(Tried["/a.c:1"], 3 * 6);
  EXPECT_EQ(Tried["/a.c:2"], 3 * 2);
}

TEST(EndToEndPlan, GoesOnWhereEarlierRunsEnded) {
  ProfileText T = sampledText();
  for (int I = 0; I < 2; ++I)
    T.experiment(1, 0, 100, 1).experiment(1, 20, 100, 1).experiment(1, 80, 100, 1);
  EXPECT_EQ(EndToEndPlan(1, "").next(read(T))->Where, "/a.c:2");
}

TEST(EndToEndPlan, TriesNothingElseThanTheUsersTarget) {
  EndToEndPlan Plan(1, "a.c:3");
  Profile P = sampled(); // It has few samples there.
  unsigned Sum = 0;
  for (int I = 0; I < 3; ++I) {
    Trial T = *Plan.next(P);
    EXPECT_EQ(T.Where, "a.c:3");
    Sum += T.Speedup;
  }
  EXPECT_EQ(Sum, 105u);
}

TEST(EndToEndPlan, NamesAFunctionByItsName) {
  EndToEndPlan Plan(1, "");
  Profile P = read(ProfileText().run().line(0, 100, 100).snapshot(400, 400, 1));
  EXPECT_EQ(Plan.next(P)->Where, "/a.c:f");
}

} // namespace
