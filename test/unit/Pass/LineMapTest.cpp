//===- LineMapTest.cpp - The decoder of the line table --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tables are written byte by byte, by hand: what the decoder must read is the
// format, not whatever a writer of the same mind has written.
//
//===----------------------------------------------------------------------===//
#include "causal/LineMapFormat.h"

#include <cstring>
#include <gmock/gmock.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using namespace causal::linemap;
using testing::ElementsAre;
using testing::FieldsAre;
using testing::IsEmpty;
using testing::StrEq;

namespace {

/// One image: code, records, data and strings in one piece of memory, as
/// offsets between them need it.
struct Image {
  static constexpr unsigned MaxRecords = 8;
  char Code[0x1000];
  char Strings[64] = "a.c\0b.h\0outer\0inner\0leaf";
  FunctionRecord Records[MaxRecords];
  unsigned NumRecords = 0;
  uint8_t Data[512];
  unsigned DataSize = 0;

  static constexpr unsigned FileA = 0, FileB = 4, Outer = 8, Inner = 14, Leaf = 20;

  void add(unsigned Start, unsigned Size) {
    FunctionRecord &R = Records[NumRecords++];
    R.Start = int32_t(intptr_t(Code + Start) - intptr_t(&R.Start));
    R.Size = Size;
    R.Data = int32_t(intptr_t(Data + DataSize) - intptr_t(&R.Data));
  }
  void bytes(std::initializer_list<unsigned> Bytes) {
    for (unsigned Byte : Bytes)
      Data[DataSize++] = uint8_t(Byte);
  }
  void string(unsigned At) {
    int32_t Offset = int32_t(intptr_t(Strings + At) - intptr_t(Data + DataSize));
    memcpy(Data + DataSize, &Offset, 4);
    DataSize += 4;
  }

  const FunctionRecord *begin() const { return Records; }
  const FunctionRecord *end() const { return Records + NumRecords; }
  uintptr_t pc(unsigned Offset) const { return uintptr_t(Code) + Offset; }
  const FunctionRecord *findAt(unsigned Offset) const { return find(begin(), end(), pc(Offset)); }

  std::vector<Frame> framesAt(unsigned Offset, unsigned Max = 8) const {
    const FunctionRecord *R = findAt(Offset);
    std::vector<Frame> Frames(Max);
    Frames.resize(R ? lookup(R, pc(Offset), Frames.data(), Max) : 0);
    return Frames;
  }
};

/// outer at line 100 of a.c, in [0x10, 0x30).
void addFlat(Image &I) {
  I.add(0x10, 0x20);
  I.bytes({1});
  I.string(Image::FileA);
  I.bytes({1});
  I.string(Image::Outer);
  I.bytes({0, 100});
  I.bytes({1, 0, 0});
  I.bytes({0, (0 + 1) << 1});  // 0x10: line 100 + 0
  I.bytes({4, (10 + 1) << 1}); // 0x14: + 5
  I.bytes({4, (13 + 1) << 1}); // 0x18: - 7
  I.bytes({4, 0});             // 0x1c: no line
  I.bytes({4, (2 + 1) << 1});  // 0x20: 98 + 1
  I.bytes({0x10});             // 0x30
}

/// inner (b.h:20) inlined at line 103 of outer (a.c:100), and leaf (a.c:300)
/// into it at line 18 of b.h; in [0x40, 0x60).
void addInlined(Image &I) {
  I.add(0x40, 0x20);
  I.bytes({2});
  I.string(Image::FileA);
  I.string(Image::FileB);
  I.bytes({3});
  I.string(Image::Outer);
  I.bytes({0, 100});
  I.string(Image::Inner);
  I.bytes({1, 20});
  I.string(Image::Leaf);
  I.bytes({0, 0xac, 2}); // 300
  I.bytes({3});
  I.bytes({0, 0});
  I.bytes({1, 1, 6});                // called 3 after outer's line
  I.bytes({1, 2, 3});                // called 2 before inner's line
  I.bytes({2, (2 + 1) << 1});        // 0x42: outer, 101
  I.bytes({2, (2 + 1) << 1 | 1, 4}); // 0x44: scope + 2: leaf, 301
  I.bytes({4, (3 + 1) << 1 | 1, 1}); // 0x48: scope - 1: inner, 18
  I.bytes({8, 0 << 1 | 1, 1});       // 0x50: scope - 1: outer, no line
  I.bytes({0x10});                   // 0x60
}

struct LineMapTest : testing::Test {
  Image I;
};

TEST_F(LineMapTest, FindsTheFragmentThatContainsAnAddress) {
  I.add(0x10, 0x10);
  I.add(0x20, 0x08);
  I.add(0x30, 0x01);
  EXPECT_EQ(I.findAt(0x0f), nullptr);
  EXPECT_EQ(I.findAt(0x10), &I.Records[0]);
  EXPECT_EQ(I.findAt(0x1f), &I.Records[0]);
  EXPECT_EQ(I.findAt(0x20), &I.Records[1]);
  EXPECT_EQ(I.findAt(0x27), &I.Records[1]);
  EXPECT_EQ(I.findAt(0x28), nullptr) << "between two fragments";
  EXPECT_EQ(I.findAt(0x30), &I.Records[2]);
  EXPECT_EQ(I.findAt(0x31), nullptr) << "after the last one";
}

TEST_F(LineMapTest, AnEmptyTableFindsNothing) {
  EXPECT_EQ(I.findAt(0), nullptr);
  EXPECT_EQ(find(nullptr, nullptr, I.pc(0)), nullptr);
  EXPECT_TRUE(isSorted(nullptr, nullptr));
}

TEST_F(LineMapTest, KnowsWhetherItIsSorted) {
  I.add(0x10, 1);
  EXPECT_TRUE(isSorted(I.begin(), I.end()));
  I.add(0x30, 1);
  EXPECT_TRUE(isSorted(I.begin(), I.end()));
  I.add(0x20, 1);
  EXPECT_FALSE(isSorted(I.begin(), I.end()));
}

TEST_F(LineMapTest, StartsLieBeforeAndAfterTheRecords) {
  I.add(0x10, 1);
  EXPECT_EQ(start(I.begin()), I.pc(0x10));
  I.Records[0].Start = 64;
  EXPECT_EQ(start(I.begin()), uintptr_t(I.Records) + 64);
}

TEST_F(LineMapTest, ARowReachesToTheNext) {
  addFlat(I);
  auto Line = [&](unsigned Offset) { return I.framesAt(Offset).at(0).Line; };
  EXPECT_EQ(Line(0x10), 100u);
  EXPECT_EQ(Line(0x13), 100u);
  EXPECT_EQ(Line(0x14), 105u);
  EXPECT_EQ(Line(0x18), 98u);
  EXPECT_EQ(Line(0x20), 99u) << "no line leaves the running line alone";
  EXPECT_EQ(Line(0x2f), 99u);
  EXPECT_THAT(I.framesAt(0x14), ElementsAre(FieldsAre(StrEq("outer"), StrEq("a.c"), 105u)));
}

TEST_F(LineMapTest, NoLineIsLineZero) {
  addFlat(I);
  EXPECT_THAT(I.framesAt(0x1f), ElementsAre(FieldsAre(StrEq("outer"), StrEq("a.c"), 0u)));
}

TEST_F(LineMapTest, InlinedFramesComeInnermostFirst) {
  addInlined(I);
  EXPECT_THAT(I.framesAt(0x42), ElementsAre(FieldsAre(StrEq("outer"), StrEq("a.c"), 101u)));
  EXPECT_THAT(I.framesAt(0x47), ElementsAre(FieldsAre(StrEq("leaf"), StrEq("a.c"), 301u),
                                            FieldsAre(StrEq("inner"), StrEq("b.h"), 18u),
                                            FieldsAre(StrEq("outer"), StrEq("a.c"), 103u)));
  EXPECT_THAT(I.framesAt(0x48), ElementsAre(FieldsAre(StrEq("inner"), StrEq("b.h"), 18u),
                                            FieldsAre(StrEq("outer"), StrEq("a.c"), 103u)));
  EXPECT_THAT(I.framesAt(0x5f), ElementsAre(FieldsAre(StrEq("outer"), StrEq("a.c"), 0u)));
}

TEST_F(LineMapTest, TheFirstRowMayComeLaterThanTheFragment) {
  addInlined(I);
  EXPECT_NE(I.findAt(0x41), nullptr);
  EXPECT_THAT(I.framesAt(0x41), IsEmpty());
}

TEST_F(LineMapTest, TooManyFramesLeaveOutTheOutermost) {
  addInlined(I);
  EXPECT_THAT(I.framesAt(0x44, 2), ElementsAre(FieldsAre(StrEq("leaf"), StrEq("a.c"), 301u),
                                               FieldsAre(StrEq("inner"), StrEq("b.h"), 18u)));
  EXPECT_THAT(I.framesAt(0x44, 0), IsEmpty());
}

TEST_F(LineMapTest, EachRecordHasItsOwnData) {
  addFlat(I);
  addInlined(I);
  EXPECT_EQ(I.framesAt(0x10).at(0).Line, 100u);
  EXPECT_EQ(I.framesAt(0x44).size(), 3u);
}

TEST_F(LineMapTest, AForeignTableGivesNothing) {
  // A scope, subprogram or file that is not there, and a parent before the
  // first.
  I.add(0x10, 0x10);
  I.bytes({0, 0, 1, 0, 0, 0, 2, 0x10});
  I.add(0x20, 0x10);
  I.bytes({0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 2, 0x10});
  I.add(0x30, 0x10);
  I.bytes({1});
  I.string(Image::FileA);
  I.bytes({1});
  I.string(Image::Outer);
  I.bytes({0, 1, 1, 5, 0, 0, 0, 2, 0x10});
  I.add(0x40, 0x10);
  I.bytes({0, 0, 0, 0, 3, 2, 0x10});
  for (unsigned Offset : {0x10, 0x20, 0x30, 0x40})
    EXPECT_THAT(I.framesAt(Offset), IsEmpty()) << Offset;
}

/// The table ends where readable memory ends.
TEST(LineMapBounds, TheTerminatorIsTheLastByteRead) {
  size_t Page = size_t(sysconf(_SC_PAGESIZE));
  size_t Size = (sizeof(Image) + Page - 1) / Page * Page;
  char *Memory = static_cast<char *>(
      mmap(nullptr, Size + Page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(Memory, MAP_FAILED);
  ASSERT_EQ(mprotect(Memory + Size, Page, PROT_NONE), 0);

  Image I;
  addInlined(I);
  auto *R = reinterpret_cast<FunctionRecord *>(Memory);
  char *Data = Memory + Size - I.DataSize;
  memcpy(Data, I.Data, I.DataSize);
  *R = {64, 0x20, int32_t(Data - reinterpret_cast<char *>(&R->Data))};

  // Strings are not followed: only their addresses are computed.
  Frame Frames[8];
  EXPECT_EQ(lookup(R, start(R) + 0x1f, Frames, 8), 1u);
  EXPECT_EQ(lookup(R, start(R) + 0x07, Frames, 8), 3u);
  munmap(Memory, Size + Page);
}

} // namespace
