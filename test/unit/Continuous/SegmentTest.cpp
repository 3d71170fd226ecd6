//===- SegmentTest.cpp - No sample of a segment is lost or counted twice --===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The process's side and the collector's side of a segment together. The process is killed
// between any two of its steps: a step throws, once. (What a destructor does then, a killed
// process does not: so the test keeps copies.)
//
//===----------------------------------------------------------------------===//
#include <functional>

static thread_local std::function<void()> *OnStep;
#define CAUSAL_SEGMENT_STEP() (OnStep ? (*OnStep)() : void())

#include "continuous/causal_segment.h"
#include "lib/continuous/SegmentReader.h"

#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <thread>

using namespace causal::continuous;
using namespace __causal;
using causal::segment::Segment;

namespace {

uint64_t clockOfTest() { return 1000; }

struct TestSegment {
  std::unique_ptr<Segment> S = std::make_unique<Segment>();
  explicit TestSegment(unsigned Images = 3) {
    S->Magic = segment::Magic;
    S->Size = sizeof(Segment);
    S->Period = 2000000;
    S->Active = 1;
    S->Images = Images;
    for (unsigned I = 0; I < Images; ++I) {
      S->ImageTable[I].BuildIdSize = 1;
      S->ImageTable[I].BuildId[0] = uint8_t(I + 1);
    }
  }
  Segment *operator->() { return S.get(); }
  Segment &operator*() { return *S; }
};

struct Sums {
  uint64_t Samples = 0, InImages = 0, Dropped = 0, Unmapped = 0, Torn = 0;
  std::map<uint64_t, uint64_t> Counts;
  void add(const FoldedHalf &F) {
    Samples += F.Samples;
    Dropped += F.Dropped;
    Unmapped += F.Unmapped;
    Torn += F.Torn;
    for (const ImageSamples &I : F.Images) {
      InImages += I.total();
      for (auto [Address, Count] : I.Counts)
        Counts[uint64_t(I.BuildId[1]) << 40 | Address] += Count;
    }
  }
  bool areWhole() const { return Samples == InImages + Dropped + Unmapped; }
};

void addAll(Sums &Sum, const Segment &S) {
  for (uint64_t G : filledGenerations(S)) {
    auto F = foldHalf(S, G);
    ASSERT_TRUE(F) << G;
    Sum.add(*F);
  }
}

// One round of a collector, without a disk.
void collect(Segment &S, Sums &Sum) {
  uint64_t Active = S.Active;
  segment::beginGeneration(S, Active, 2000);
  uint64_t Former = segment::formerGeneration(S.Active);
  if (!Former || S.Collected[Former & 1] == Former || !segment::isQuiet(S, Former))
    return;
  auto F = foldHalf(S, Former);
  ASSERT_TRUE(F);
  Sum.add(*F);
  segment::emptyHalf(S, Former);
}

TEST(Segment, CountsByAddress) {
  TestSegment S;
  for (unsigned I = 0; I < 100; ++I)
    countSample(*S, I % 3, 0, 0x1000 + I % 10, 1, clockOfTest);
  countUnmapped(*S, 2);
  Sums Sum;
  addAll(Sum, *S);
  EXPECT_EQ(Sum.Samples, 102u);
  EXPECT_EQ(Sum.InImages, 100u);
  EXPECT_EQ(Sum.Unmapped, 2u);
  EXPECT_EQ(Sum.Dropped, 0u);
  EXPECT_EQ(Sum.Counts.size(), 30u);
}

TEST(Segment, KeepsACountThatIsFull) {
  TestSegment S;
  for (unsigned I = 0; I < 5; ++I)
    countSample(*S, 0, 0, 0x1000, segment::CountMask / 2, clockOfTest);
  Sums Sum;
  addAll(Sum, *S);
  EXPECT_EQ(Sum.Samples, 5 * (segment::CountMask / 2));
  EXPECT_EQ(Sum.InImages, Sum.Samples);
}

TEST(Segment, CountsWhatFindsNoRoom) {
  TestSegment S;
  // More addresses than both tables and buffers have places.
  constexpr unsigned Many = 80000;
  for (unsigned I = 0; I < Many; ++I)
    countSample(*S, 0, 0, I, 1, clockOfTest);
  Sums Sum;
  addAll(Sum, *S);
  EXPECT_EQ(S->Active, 2u);
  EXPECT_EQ(Sum.Samples, Many);
  EXPECT_TRUE(Sum.areWhole());
  EXPECT_GT(Sum.Dropped, 0u);
  // The overflow buffers are full; of the tables most is.
  EXPECT_GT(Sum.InImages, 2 * segment::OverflowWords + segment::Buckets * segment::Ways);
}

TEST(Segment, CollectorFoldsEveryGenerationOnce) {
  TestSegment S;
  Sums Sum;
  std::map<uint64_t, uint64_t> Expected;
  std::mt19937 Random(1);
  for (unsigned I = 0; I < 300000; ++I) {
    unsigned Image = Random() % 3, Address = Random() % 20000;
    countSample(*S, Image, 0, Address, 1, clockOfTest);
    ++Expected[uint64_t('1' + Image) << 40 | Address];
    if (Random() % 5000 == 0)
      collect(*S, Sum);
  }
  addAll(Sum, *S);
  EXPECT_EQ(Sum.Samples, 300000u);
  EXPECT_EQ(Sum.Dropped, 0u);
  EXPECT_EQ(Sum.Counts, Expected);
}

struct Killed {};

// A process is killed at step after step of samples of all kinds.
TEST(Segment, SurvivesAKillAtEveryStep) {
  std::mt19937 Random(7);
  unsigned Torn = 0;
  for (unsigned Kill = 1; Kill <= 400; ++Kill) {
    TestSegment S, AtKill;
    unsigned Steps = 0, Addresses = Kill % 2 ? 100 : 200000;
    // A full table in every second one, so that samples evict.
    for (unsigned I = 0; I < (Kill % 2 ? 0u : 30000u); ++I)
      countSample(*S, 0, 0, Random() % Addresses, 1, clockOfTest);
    uint64_t Whole = 0;
    std::function<void()> Step = [&] {
      if (++Steps == Kill) {
        *AtKill = *S;
        throw Killed();
      }
    };
    OnStep = &Step;
    try {
      for (;;) {
        countSample(*S, 1, 0, Random() % Addresses, 1, clockOfTest);
        ++Whole;
      }
    } catch (Killed) {
    }
    OnStep = nullptr;
    Sums Sum;
    addAll(Sum, *AtKill);
    EXPECT_TRUE(Sum.areWhole()) << Kill;
    uint64_t Before = Kill % 2 ? 0 : 30000;
    EXPECT_LE(Sum.Samples - Before - Whole, 1u) << Kill;
    // At most the sample itself and what it evicted, which is the least of four.
    EXPECT_LE(Sum.Torn, 5u) << Kill;
    Torn += Sum.Torn > 0;
  }
  EXPECT_GT(Torn, 20u); // It was killed where that shows.
}

TEST(Segment, ManyThreadsAndACollector) {
  TestSegment S;
  constexpr unsigned Threads = 4, Each = 200000;
  std::atomic<unsigned> Running{Threads};
  std::atomic<uint64_t> Taken{0};
  std::vector<std::thread> All;
  for (unsigned T = 0; T < Threads; ++T)
    All.emplace_back([&, T] {
      std::mt19937 Random(T);
      uint64_t Sum = 0;
      for (unsigned I = 0; I < Each; ++I) {
        unsigned Weight = 1 + Random() % 3;
        Sum += Weight;
        if (Random() % 64)
          countSample(*S, Random() % 3, 0, Random() % 3000, Weight, clockOfTest);
        else
          countUnmapped(*S, Weight);
      }
      Taken += Sum;
      --Running;
    });
  Sums Sum;
  while (Running)
    collect(*S, Sum);
  for (std::thread &T : All)
    T.join();
  addAll(Sum, *S);
  EXPECT_TRUE(Sum.areWhole());
  EXPECT_EQ(Sum.Torn, 0u);
  EXPECT_EQ(Sum.Samples, Taken);
}

TEST(SegmentReader, RefusesWhatContradictsItself) {
  TestSegment S;
  countSample(*S, 0, 0, 0x1000, 1, clockOfTest);
  ASSERT_TRUE(foldHalf(*S, 1));
  uint64_t &Entry = S->Halves[1].Table[segment::bucketOf(segment::entryKey(1, 0, 0x1000))][3];
  ASSERT_EQ(segment::entryCount(Entry), 1u);
  uint64_t Good = Entry;
  Entry = Good + 1; // More samples than were taken.
  EXPECT_FALSE(foldHalf(*S, 1));
  Entry = 0; // Fewer, though nobody was at it.
  EXPECT_FALSE(foldHalf(*S, 1));
  Entry = segment::entryKey(4, 0, 0) | 1; // Of an image that is not there.
  EXPECT_FALSE(foldHalf(*S, 1));
  Entry = segment::entryKey(1, 15, 0) | 1; // Of an event that is not there.
  EXPECT_FALSE(foldHalf(*S, 1));
  Entry = Good;
  S->Halves[1].Samples = ~0ull;
  EXPECT_FALSE(foldHalf(*S, 1));
}

TEST(SegmentReader, KnowsASegment) {
  TestSegment S;
  EXPECT_TRUE(isSegment(*S, sizeof(Segment)));
  EXPECT_FALSE(isSegment(*S, sizeof(Segment) - 1));
  S->Images = 251;
  EXPECT_FALSE(isSegment(*S, sizeof(Segment)));
  S->Images = 1;
  S->Period = 0;
  EXPECT_FALSE(isSegment(*S, sizeof(Segment)));
}

} // namespace
