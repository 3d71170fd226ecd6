//===- ThreadSuccessionTest.cpp - What short threads leave to others ------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal_delay.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

constexpr uint64_t Us = 1000, Ms = 1000000, Recent = 8 * Ms;
constexpr uintptr_t Kind = 0x1000, OtherKind = 0x2000;

struct ThreadSuccessionTest : testing::Test {
  ThreadSuccession S;
  uint64_t Now = 100 * Ms;
  uint32_t Epoch = 1;

  ThreadSuccession::Heir begin(uintptr_t OfKind = Kind) {
    ThreadSuccession::Heir H = S.make(OfKind);
    S.begin(H, Now, Recent, Epoch);
    return H;
  }
  void end(ThreadSuccession::Heir H, uint64_t Left) {
    H.Left = Left;
    S.end(H);
    Now += 1 * Ms;
  }
};

TEST_F(ThreadSuccessionTest, TheNextOfItsKindGetsWhatIsLeft) {
  end(begin(), 300 * Us);
  EXPECT_EQ(begin(OtherKind).Left, 0u);
  ThreadSuccession::Heir H = begin();
  EXPECT_TRUE(H.Recurs);
  EXPECT_EQ(H.Left, 300 * Us);
  end(H, 0);
  EXPECT_EQ(begin().Left, 0u) << "once";
}

TEST_F(ThreadSuccessionTest, ThreadsSideBySideHaveSuccessorsOfTheirOwn) {
  ThreadSuccession::Heir First = begin(), Second = begin();
  end(Second, 20 * Us);
  end(First, 10 * Us);
  EXPECT_EQ(begin().Left, 10 * Us);
  EXPECT_EQ(begin().Left, 20 * Us);
}

TEST_F(ThreadSuccessionTest, TheOrderIsThatOfTheirMaking) {
  ThreadSuccession::Heir First = S.make(Kind), Second = S.make(Kind);
  S.begin(Second, Now, Recent, Epoch);
  S.begin(First, Now, Recent, Epoch);
  end(First, 10 * Us);
  end(Second, 20 * Us);
  EXPECT_EQ(begin().Left, 10 * Us);
}

TEST_F(ThreadSuccessionTest, RareThreadsHaveNoSuccessors) {
  EXPECT_FALSE(begin().Recurs) << "the first one";
  end(begin(), 0);
  Now += 2 * Recent;
  EXPECT_FALSE(begin().Recurs);
}

TEST_F(ThreadSuccessionTest, NorHaveThoseThatTakeLocks) {
  ThreadSuccession::Heir H = begin();
  H.TookLock = true;
  end(H, 0);
  EXPECT_FALSE(begin().Recurs);
}

TEST_F(ThreadSuccessionTest, NothingOutlivesTheExperiment) {
  end(begin(), 300 * Us);
  ++Epoch;
  EXPECT_EQ(begin().Left, 0u);
}

TEST_F(ThreadSuccessionTest, AThreadThatCouldNotBeMadeLeavesItsPlace) {
  end(begin(), 300 * Us);
  S.end(S.make(Kind));
  ThreadSuccession::Heir H = begin();
  EXPECT_EQ(H.Rank, 0u);
  EXPECT_EQ(H.Left, 300 * Us);
}

// The delay of one hit, over three threads in turn.
TEST_F(ThreadSuccessionTest, AHitAccruesOverSeveralThreads) {
  GlobalDelay G;
  end(begin(), 0);
  for (int I = 0; I < 3; ++I) {
    ThreadDelay T;
    T.Local = G.total(); // As of its creator.
    ThreadSuccession::Heir H = S.make(Kind);
    S.begin(H, Now, Recent, G.epoch());
    T.Accruing.begin(Now, 1 * Ms);
    if (H.Recurs)
      T.Accruing.expectSuccessor();
    T.Accruing.enter(Kind);
    T.inherit(H, Now);
    if (I == 0)
      T.hit(G, 400 * Us, nullptr, T.Accruing.metOthers(Now), Now);
    Now += 1 * Ms;
    T.bequeath(H, G, Now);
    T.finishAccrual(G, Now);
    S.end(H);
    EXPECT_NEAR(double(G.total()),
                (I == 0   ? 100
                 : I == 1 ? 175
                          : 231.25) *
                    Us,
                1 * Us);
  }
}

} // namespace
