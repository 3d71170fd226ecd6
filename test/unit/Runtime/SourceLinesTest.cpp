//===- SourceLinesTest.cpp - The table of sampled source lines ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "code/causal_source_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace __causal;

namespace {

struct SourceLinesTest : testing::Test {
  std::unique_ptr<void, decltype(&free)> Memory{calloc(1, sizeof(SourceLines)), free};
  SourceLines &S = *static_cast<SourceLines *>(Memory.get());
  void SetUp() override { S.setPolicy({}); }
};

TEST_F(SourceLinesTest, EqualLinesShareAnId) {
  std::string Copy = "/src/a.c";
  uint32_t Id = S.intern("/src/a.c", 3, "f");
  ASSERT_NE(Id, 0u);
  EXPECT_EQ(S.intern(Copy.c_str(), 3, "f"), Id) << "by content, not by address";
  EXPECT_NE(S.intern("/src/a.c", 4, "f"), Id);
  EXPECT_NE(S.intern("/src/b.c", 3, "f"), Id);
}

TEST_F(SourceLinesTest, KeepsItsOwnCopies) {
  std::string Path = "/src/a.c", Function = "f";
  uint32_t Id = S.intern(Path.c_str(), 3, Function.c_str());
  Path[1] = Function[0] = 'X';
  const SourceLines::Line *L = S.line(Id);
  ASSERT_TRUE(L);
  EXPECT_STREQ(S.file(*L), "/src/a.c");
  EXPECT_STREQ(L->Function, "f");
  EXPECT_EQ(L->Number, 3u);
}

TEST_F(SourceLinesTest, LineZeroIsNoLine) { EXPECT_EQ(S.intern("/src/a.c", 0, "f"), 0u); }

TEST_F(SourceLinesTest, SystemHeadersAndOurOwnAreOutOfScope) {
  EXPECT_EQ(S.intern("/usr/include/c++/12/vector", 3, "f"), 0u);
  EXPECT_EQ(S.intern("/opt/x/include/causal/causal.h", 3, "f"), 0u);
  EXPECT_EQ(S.intern("/home/u/coz.h", 3, "f"), 0u);
}

TEST_F(SourceLinesTest, ScopeAndExcludeAreObeyed) {
  S.setPolicy({"/src/*", "*/gen/*"});
  EXPECT_NE(S.intern("/src/a.c", 1, "f"), 0u);
  EXPECT_EQ(S.intern("/src/gen/a.c", 1, "f"), 0u);
  EXPECT_EQ(S.intern("/other/a.c", 1, "f"), 0u);
}

TEST_F(SourceLinesTest, AGroupIsOneWhereItsMembersAreInScope) {
  S.setPolicy({"/src/*", "*/gen/*"});
  const char *List = "a.c:1,gen/b.c:2,c.c";
  uint32_t Id = S.internGroup("/src/a.c", List, 3, "");
  ASSERT_NE(Id, 0u);
  EXPECT_EQ(S.internGroup("/src/c.c", List, 3, ""), Id);
  EXPECT_EQ(S.internGroup("/src/gen/b.c", List, 3, ""), 0u);
  EXPECT_NE(S.intern("/src/c.c", 3, "f"), Id);
  EXPECT_STREQ(S.file(*S.line(Id)), List);
  EXPECT_EQ(S.line(Id)->Number, 3u);
}

TEST_F(SourceLinesTest, AGroupOfFunctionsHasNoLine) {
  ScopePolicy P;
  P.Kind = TargetKind::Function;
  S.setPolicy(P);
  uint32_t Id = S.internGroup("/src/a.c", "a.c:f,b.c", 0, "g");
  ASSERT_NE(Id, 0u);
  EXPECT_EQ(S.internGroup("/src/b.c", "a.c:f,b.c", 0, "g"), Id);
  EXPECT_EQ(S.line(Id)->Number, 0u);
  EXPECT_STREQ(S.line(Id)->Function, "g");
}

TEST_F(SourceLinesTest, AllLinesOfAFunctionMayBeOne) {
  ScopePolicy P;
  P.Kind = TargetKind::Function;
  S.setPolicy(P);
  uint32_t Id = S.intern("/src/a.c", 3, "f");
  ASSERT_NE(Id, 0u);
  EXPECT_EQ(S.intern("/src/a.c", 9, "f"), Id);
  EXPECT_NE(S.intern("/src/a.c", 3, "g"), Id);
  EXPECT_NE(S.intern("/src/b.c", 3, "f"), Id) << "a static one of another file";
  EXPECT_EQ(S.intern("/src/a.c", 0, "f"), 0u);
  EXPECT_EQ(S.line(Id)->Number, 0u);
  EXPECT_STREQ(S.line(Id)->Function, "f");
}

// The compiler's thunks have none: what they do is their callers'.
TEST_F(SourceLinesTest, AFunctionHasAName) {
  EXPECT_NE(S.intern("/src/a.c", 3, ""), 0u) << "a line needs none";
  ScopePolicy P;
  P.Kind = TargetKind::Function;
  S.setPolicy(P);
  EXPECT_EQ(S.intern("/src/a.c", 3, ""), 0u);
}

TEST_F(SourceLinesTest, CountsApart) {
  uint32_t Id = S.intern("/src/a.c", 3, "f");
  S.count(Id, true);
  S.count(Id, false);
  EXPECT_EQ(S.line(Id)->Samples, 2u);
  EXPECT_EQ(S.line(Id)->UndelayedSamples, 1u);
}

TEST_F(SourceLinesTest, AFullTableIsCountedNotFatal) {
  uint32_t Interned = 0;
  for (uint32_t N = 1; N <= SourceLines::MaxLines + 10; ++N)
    Interned += S.intern("/src/a.c", N, nullptr) != 0;
  EXPECT_EQ(Interned, SourceLines::FirstReserved - 1);
  EXPECT_EQ(S.dropped(), 13u);
}

TEST_F(SourceLinesTest, ConcurrentInterningAgrees) {
  constexpr unsigned Threads = 4, Count = 2000;
  std::vector<std::vector<uint32_t>> Ids(Threads, std::vector<uint32_t>(Count));
  std::vector<std::thread> Pool;
  for (unsigned T = 0; T < Threads; ++T)
    Pool.emplace_back([&, T] {
      for (uint32_t N = 0; N < Count; ++N)
        do
          Ids[T][N] = S.intern("/src/a.c", N + 1, "f");
        while (Ids[T][N] == SourceLines::Undecided);
    });
  for (std::thread &T : Pool)
    T.join();
  for (unsigned T = 1; T < Threads; ++T)
    EXPECT_EQ(Ids[T], Ids[0]);
  EXPECT_EQ(std::set<uint32_t>(Ids[0].begin(), Ids[0].end()).size(), Count);
  EXPECT_FALSE(std::count(Ids[0].begin(), Ids[0].end(), 0u));
}

// Addresses that are out of scope are so for the whole run.
TEST_F(SourceLinesTest, ALineThatAnotherThreadEntersIsNotOutOfScope) {
  constexpr uint32_t Files = 2000;
  std::atomic<uint32_t> Ready{0};
  auto InternAll = [&] {
    unsigned OutOfScope = 0;
    for (uint32_t N = 0; N < Files; ++N) {
      std::string Path = "/src/" + std::to_string(N) + ".c";
      for (Ready.fetch_add(1); Ready.load() < 2 * (N + 1);)
        ;
      OutOfScope += S.intern(Path.c_str(), 3, "f") == 0;
    }
    EXPECT_EQ(OutOfScope, 0u);
  };
  std::thread Other(InternAll);
  InternAll();
  Other.join();
}

} // namespace
