//===- OutputPathTest.cpp - The profile's file name ---------------------- ===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "base/causal_output_path.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <string>
#include <vector>

using namespace __causal;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct OutputPathTest : testing::Test {
  OutputPathFacts Facts = {4711, "host", "/var/tmp", "c0ffee"};
  std::vector<std::string> Lines;
  LineReporter Report = {[](void *Context, const char *Line) {
                           static_cast<OutputPathTest *>(Context)->Lines.push_back(Line);
                         },
                         this};
  char Buffer[32];

  std::string expand(const char *Pattern) {
    EXPECT_TRUE(expandOutputPath(Pattern, Facts, Buffer, sizeof(Buffer), Report));
    return Buffer;
  }
};

TEST_F(OutputPathTest, EveryPattern) {
  EXPECT_EQ(expand("default.causal"), "default.causal");
  EXPECT_EQ(expand("%t/%h.%p.%m"), "/var/tmp/host.4711.c0ffee");
  EXPECT_EQ(expand("100%%p"), "100%p");
  EXPECT_EQ(expand(""), "");
  EXPECT_THAT(Lines, IsEmpty());
}

TEST_F(OutputPathTest, MissingFacts) {
  Facts = {};
  EXPECT_EQ(expand("%t/%h%m.%p"), "/tmp/.0");
  Facts.TmpDir = "";
  EXPECT_EQ(expand("%t"), "/tmp");
}

TEST_F(OutputPathTest, UnknownPatternIsKeptAndReported) {
  EXPECT_EQ(expand("a%qb"), "a%qb");
  EXPECT_THAT(Lines, ElementsAre(HasSubstr("unknown pattern '%q'")));
  Lines.clear();
  EXPECT_EQ(expand("a%"), "a%");
  EXPECT_THAT(Lines, ElementsAre(HasSubstr("unknown pattern '%'")));
}

TEST_F(OutputPathTest, OverflowIsReported) {
  std::string Fits(31, 'a'), TooLong(32, 'a');
  EXPECT_EQ(expand(Fits.c_str()), Fits);
  EXPECT_FALSE(expandOutputPath(TooLong.c_str(), Facts, Buffer, sizeof(Buffer), Report));
  EXPECT_STREQ(Buffer, "");
  EXPECT_THAT(Lines, ElementsAre(HasSubstr("longer than 31 bytes")));
}

} // namespace
