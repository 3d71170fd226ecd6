//===- TargetSpecTest.cpp - What fixed_line= names ------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "code/causal_target_spec.h"

#include "gtest/gtest.h"

#include <memory>
#include <string>

using namespace __causal;

namespace {

struct TargetSpecTest : testing::Test {
  std::unique_ptr<TargetSpec> Owner = std::make_unique<TargetSpec>();
  TargetSpec &S = *Owner;

  bool means(const char *File, uint32_t Line, const char *Function = "f") {
    return S.matches({Function, File, Line});
  }
  std::string name() {
    linemap::Frame F = S.groupName();
    return std::string(F.File) + ":" + (F.Line ? std::to_string(F.Line) : F.Function);
  }
};

TEST_F(TargetSpecTest, NothingMeansNothing) {
  EXPECT_FALSE(means("/x/a.c", 7));
  S.parse("", TargetKind::Line);
  EXPECT_FALSE(S.isGroup());
  EXPECT_FALSE(means("/x/a.c", 7));
}

TEST_F(TargetSpecTest, OneIsNoGroup) {
  S.parse("a.c:7", TargetKind::Line);
  EXPECT_FALSE(S.isGroup());
  EXPECT_TRUE(means("/x/a.c", 7));
  EXPECT_FALSE(means("/x/a.c", 8));
}

TEST_F(TargetSpecTest, SeveralAreAGroupThatIsCalledAsGiven) {
  const char *Spec = "a.c:7,/x/b.c:12,c.c:4294967295";
  S.parse(Spec, TargetKind::Line);
  EXPECT_TRUE(S.isGroup());
  EXPECT_EQ(name(), Spec);
  EXPECT_STREQ(S.groupName().File, "a.c:7,/x/b.c:12,c.c");
  EXPECT_STREQ(S.groupName().Function, "");
  EXPECT_TRUE(means("/x/a.c", 7));
  EXPECT_TRUE(means("/x/b.c", 12));
  EXPECT_TRUE(means("/x/c.c", 4294967295u));
  EXPECT_FALSE(means("/x/a.c", 12));
  EXPECT_FALSE(means("/y/b.c", 12));
  EXPECT_FALSE(means("/x/a.c", 1, "7"));
}

TEST_F(TargetSpecTest, FunctionsAreMeantWhereTheyAreTargets) {
  const char *Spec = "a.c:7,b.cc:ns::g,c.cc:T<int, long>::h";
  S.parse(Spec, TargetKind::Function);
  EXPECT_TRUE(S.isGroup());
  EXPECT_EQ(name(), Spec);
  EXPECT_TRUE(means("/x/a.c", 7));
  EXPECT_TRUE(means("/x/b.cc", 1, "ns::g"));
  EXPECT_TRUE(means("/x/c.cc", 1, "T<int, long>::h"));
  EXPECT_FALSE(means("/x/b.cc", 1, "g"));
  S.parse("a.c:g,a.c:9", TargetKind::Function);
  EXPECT_EQ(name(), "a.c:g,a.c:9");
}

TEST_F(TargetSpecTest, CommasOfNamesPartNothing) {
  S.parse("/x,y/a.c:7", TargetKind::Line);
  EXPECT_FALSE(S.isGroup());
  EXPECT_TRUE(means("/x,y/a.c", 7));
  S.parse("a.cc:T<int, ns::A>::h(int, long)", TargetKind::Function);
  EXPECT_FALSE(S.isGroup());
  EXPECT_TRUE(means("/x/a.cc", 1, "T<int, ns::A>::h(int, long)"));
}

// A list with a mistake in it means nothing, rather than a part of it.
TEST_F(TargetSpecTest, ListsOfOtherThingsAreNoLists) {
  for (const char *Bad :
       {"a.c:7,", ",a.c:7", "a.c:7,,a.c:8", "a.c:7,8", "a.c:7,a.c:f", "a.c:7,a.c:", "a.c:7, ",
        ":7,:8", "a.c:7,a.c:0", "a.c:7,a.c:4294967296", "a.c:7,a.c:18446744073709551623"}) {
    S.parse(Bad, TargetKind::Line);
    EXPECT_FALSE(S.isGroup()) << Bad;
    EXPECT_FALSE(means("/x/a.c", 7)) << Bad;
    EXPECT_FALSE(means("/x/a.c", 8)) << Bad;
  }
}

TEST_F(TargetSpecTest, IsParsedAnew) {
  S.parse("a.c:7,a.c:8", TargetKind::Line);
  S.parse("b.c:9", TargetKind::Line);
  EXPECT_FALSE(S.isGroup());
  EXPECT_FALSE(means("/x/a.c", 7));
  EXPECT_TRUE(means("/x/b.c", 9));
}

TEST_F(TargetSpecTest, MayBeAsLongAsFlagsAre) {
  std::string Long = "a.c:7," + std::string(Flags::StorageSize - 9, 'b') + ":8";
  ASSERT_EQ(Long.size(), Flags::StorageSize - 1u);
  S.parse(Long.c_str(), TargetKind::Line);
  EXPECT_EQ(name(), Long);
  EXPECT_TRUE(means("/x/a.c", 7));
}

} // namespace
