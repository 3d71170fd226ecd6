//===- RoleTest.cpp - What threads do between meetings --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal/law/causal_role.h"

#include "gtest/gtest.h"

#include <memory>
#include <vector>

using namespace __causal;

namespace {

constexpr uint32_t LineA = 7, LineB = 8;
constexpr uintptr_t Here = 0x1000, There = 0x2000;
constexpr unsigned Enough = 8, Kept = 32;

void addMany(Role &R, unsigned Count, uintptr_t Context, uint32_t Line) {
  for (unsigned I = 0; I != Count; ++I)
    R.add(Context, Line);
}

TEST(RoleTest, AFewSamplesTellNothing) {
  Role R;
  for (unsigned I = 0; I != Enough - 1; ++I)
    EXPECT_FALSE(R.add(Here, LineA));
  EXPECT_EQ(R.share(Here, LineA), 0u);
  EXPECT_FALSE(R.add(Here, LineA)) << "was due at once, and counts from now on";
  EXPECT_EQ(R.share(Here, LineA), Role::One);
  EXPECT_TRUE(R.add(Here, LineA));
}

TEST(RoleTest, SharesAreThoseOfTheContext) {
  Role R;
  addMany(R, 6, Here, LineA);
  addMany(R, 2, Here, LineB);
  addMany(R, 8, There, LineB);
  EXPECT_EQ(R.share(Here, LineA), Role::One * 3 / 4);
  EXPECT_EQ(R.share(Here, LineB), Role::One / 4);
  EXPECT_EQ(R.share(There, LineA), 0u);
  EXPECT_EQ(R.share(There, LineB), Role::One);
  EXPECT_EQ(R.share(There + 1, LineB), 0u);
}

TEST(RoleTest, OldSamplesAreForgotten) {
  Role R;
  addMany(R, Kept, Here, LineA);
  ASSERT_EQ(R.share(Here, LineA), Role::One);
  addMany(R, Kept / 4, Here, LineB);
  EXPECT_EQ(R.share(Here, LineA), Role::One * 3 / 4);
  addMany(R, Kept, Here, 0);
  EXPECT_EQ(R.share(Here, LineA), 0u);
  // Counted on the way and counted anew are the same.
  addMany(R, 5, Here, LineA);
  uint32_t OnTheWay = R.share(Here, LineA);
  R.share(Here, LineB);
  EXPECT_EQ(R.share(Here, LineA), OnTheWay);
}

TEST(RoleTest, ContextsWithoutSamplesForLongGiveWay) {
  Role R;
  constexpr uintptr_t Many = 1000;
  unsigned Known = 0;
  for (uintptr_t I = 0; I != Many; ++I) {
    addMany(R, Enough, Here + I, LineA);
    EXPECT_EQ(R.share(Here + I, LineA), Role::One);
  }
  for (uintptr_t I = 0; I != Many; ++I)
    Known += R.share(Here + I, LineA) == Role::One;
  EXPECT_EQ(Known, 64u);
  EXPECT_EQ(R.share(Here, LineA), 0u);
}

// A search has a thousand ways to call the same few jobs.
TEST(RoleTest, WhatIsSeenOnceDoesNotDisplaceWhatIsKnown) {
  Role R;
  constexpr uintptr_t Jobs = 12;
  for (uintptr_t Round = 0; Round != 4 * Enough; ++Round) {
    for (uintptr_t I = 0; I != Jobs; ++I)
      R.add(Here + I, LineA);
    for (uintptr_t I = 0; I != Jobs; ++I)
      R.add(There + 1000 * Round + I, LineB);
  }
  for (uintptr_t I = 0; I != Jobs; ++I)
    EXPECT_EQ(R.share(Here + I, LineA), Role::One) << I;
}

TEST(RoleTest, SegmentsAreToldApart) {
  Role R;
  Role::Context First(Here, Here + 1), Second(Here, Here + 2);
  for (unsigned I = 0; I != Enough; ++I) {
    R.add(First, LineA);
    R.add(Second, LineB);
  }
  EXPECT_EQ(R.share(First, LineA), Role::One);
  EXPECT_EQ(R.share(Second, LineA), 0u);
  EXPECT_EQ(R.shareOfOthers(Second, LineA), Role::One);
}

// Else what a known one has would count there and once more in the others.
TEST(RoleTest, AnUnknownSegmentIsLikeTheOtherUnknownOnes) {
  Role R;
  Role::Context Known(Here, Here + 1);
  for (unsigned I = 0; I != Enough; ++I)
    R.add(Known, LineA);
  EXPECT_EQ(R.share({Here, Here + 2}, LineA), Role::One) << "of its first samples";
  for (unsigned I = 0; I != Kept; ++I) {
    R.add(Known, LineA);
    R.add({Here, Here + 2 + I}, LineB);
  }
  EXPECT_EQ(R.share(Known, LineA), Role::One);
  EXPECT_EQ(R.share({Here, There}, LineA), 0u);
  EXPECT_TRUE(R.add({Here, There}, LineA));
}

struct RoleTableTest : testing::Test {
  std::unique_ptr<RoleTable> Roles = std::make_unique<RoleTable>();
  static constexpr uintptr_t Kind = 0x401000;
};

TEST_F(RoleTableTest, TheNextThreadOfItsKindGoesOn) {
  Role *First = Roles->take(Kind);
  addMany(*First, Enough, Here, LineA);
  Roles->leave(First);
  EXPECT_EQ(Roles->take(Kind), First);
  EXPECT_EQ(First->share(Here, LineA), Role::One);
}

TEST_F(RoleTableTest, ThreadsSideBySideHaveRolesOfTheirOwn) {
  Role *First = Roles->take(Kind), *Second = Roles->take(Kind);
  EXPECT_NE(First, Second);
  // In which order they end does not matter.
  Roles->leave(First);
  Roles->leave(Second);
  EXPECT_EQ(Roles->take(Kind), First);
  EXPECT_EQ(Roles->take(Kind), Second);
}

TEST_F(RoleTableTest, TooManyThreadsHaveNone) {
  for (int I = 0; I != 1000; ++I)
    Roles->take(Kind);
  EXPECT_EQ(Roles->take(Kind), nullptr);
  Roles->leave(nullptr);
}

TEST_F(RoleTableTest, AnotherKindInItsPlaceBeginsAnew) {
  Role *First = Roles->take(Kind);
  addMany(*First, Enough, Here, LineA);
  Roles->leave(First);
  for (uintptr_t Other = Kind + 0x1000;; Other += 16) {
    Role *R = Roles->take(Other);
    ASSERT_NE(R, nullptr);
    EXPECT_EQ(R->share(Here, LineA), 0u);
    Roles->leave(R);
    if (R == First)
      break;
  }
}

// Of many threads each is seldom sampled.
TEST_F(RoleTableTest, AKindIsKnownBeforeItsThreadsAre) {
  Role *First = Roles->take(Kind), *Second = Roles->take(Kind);
  addMany(*First, Enough / 2, Here, LineA);
  addMany(*Second, Enough / 2, Here, LineB);
  for (Role *R : {First, Second, Roles->take(Kind)}) {
    EXPECT_EQ(R->share(Here, LineA), Role::One / 2);
    EXPECT_EQ(R->shareOfOthers(Here, LineA), Role::One / 2);
    EXPECT_EQ(R->share(There, LineA), 0u);
  }
  EXPECT_TRUE(First->add(Here, LineA)) << "it accrues by what the kind does";
  addMany(*First, Enough / 2, Here, LineA);
  EXPECT_EQ(First->share(Here, LineA), Role::One) << "who is known is no mean of its kind";
  EXPECT_LT(Second->share(Here, LineA), Role::One);
}

TEST_F(RoleTableTest, KindsKnowNothingOfEachOther) {
  addMany(*Roles->take(Kind), Enough, Here, LineA);
  for (uintptr_t Other = Kind + 16; Other != Kind + 16 * 1000; Other += 16) {
    Role *R = Roles->take(Other);
    ASSERT_NE(R, nullptr);
    EXPECT_EQ(R->share(Here, LineA), 0u);
    Roles->leave(R);
  }
  EXPECT_EQ(Roles->take(Kind)->share(Here, LineA), Role::One);
}

TEST_F(RoleTableTest, AKindThatNobodyPlaysGivesWay) {
  Role *First = Roles->take(Kind);
  addMany(*First, Enough, Here, LineA);
  Roles->leave(First);
  for (uintptr_t Other = Kind + 16; Other != Kind + 16 * 1000; Other += 16)
    Roles->leave(Roles->take(Other));
  EXPECT_EQ(Roles->take(Kind)->share(Here, LineA), 0u);
}

// Three threads of one kind, then three of another, and so on. Which kinds these are is up
// to the program and to where it lies in memory.
TEST_F(RoleTableTest, FewKindsDoNotDisplaceEachOther) {
  for (uintptr_t Distance = 1; Distance < (1ull << 40); Distance += Distance / 3 + 1) {
    Roles = std::make_unique<RoleTable>();
    for (int Round = 0; Round != 2; ++Round)
      for (uintptr_t Of : {Kind, Kind + Distance, Kind - Distance}) {
        std::vector<Role *> Played;
        for (int I = 0; I != 3; ++I) {
          Played.push_back(Roles->take(Of));
          ASSERT_NE(Played.back(), nullptr);
          if (Round)
            ASSERT_EQ(Played.back()->share(Here, LineA), Role::One)
                << "kinds " << Distance << " apart";
          addMany(*Played.back(), Enough, Here, LineA);
        }
        for (Role *R : Played)
          Roles->leave(R);
      }
  }
}

TEST_F(RoleTableTest, NothingIsKnownOfAnotherProcess) {
  Role *Mine = Roles->take(Kind), *Others = Roles->take(Kind);
  addMany(*Mine, Enough, Here, LineA);
  addMany(*Others, Enough, Here, LineA);
  Roles->restart(Mine);
  Roles->leave(Others);
  EXPECT_EQ(Mine->share(Here, LineA), 0u);
  Role *Next = Roles->take(Kind);
  EXPECT_NE(Next, Mine) << "which is still played";
  EXPECT_EQ(Next->share(Here, LineA), 0u);
}

// One in ten of these threads lives to see a sample, and all have waited as long.
TEST(RoleTest, WaitsOfShortThreadsStandForThoseThatWereNotSampled) {
  constexpr uint64_t Us = 1000, Period = 1000 * Us;
  Role Plays;
  EXPECT_EQ(Plays.waitedBeforeFirst(350 * Us, Period, false), 300 * Us);
  for (int I = 0; I != 100; ++I)
    Plays.ended(100 * Us);
  EXPECT_EQ(Plays.waitedBeforeFirst(350 * Us, Period, false), 3000 * Us);
  EXPECT_EQ(Plays.waitedBeforeFirst(40 * Us, Period, false), 0u) << "it only took a while to begin";
  EXPECT_EQ(Plays.waitedBeforeFirst(40 * Us, Period, /*Crowded=*/true), 350 * Us)
      << "which takes less where few cores are idle";
  for (int I = 0; I != 100; ++I)
    Plays.ended(5000 * Us);
  EXPECT_EQ(Plays.waitedBeforeFirst(350 * Us, Period, false), 300 * Us);
}

} // namespace
