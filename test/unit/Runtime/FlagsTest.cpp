//===- FlagsTest.cpp - CAUSAL_OPTIONS -------------------------------------
//===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "base/causal_flags.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <string>
#include <vector>

using namespace __causal;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct FlagsTest : testing::Test {
  Flags F;
  std::vector<std::string> Lines;
  LineReporter Report = {[](void *Context, const char *Line) {
                           static_cast<FlagsTest *>(Context)->Lines.push_back(Line);
                         },
                         this};

  void parse(const char *Text) { parseFlags(F, Text, Report); }
};

TEST_F(FlagsTest, DefaultsWithoutText) {
  parse(nullptr);
  parse("");
  parse(" ::\n: ");
  EXPECT_TRUE(F.enabled);
  EXPECT_EQ(F.experiment_ms, 100);
  EXPECT_EQ(F.fixed_speedup, -1);
  EXPECT_STREQ(F.output, "default.causal");
  EXPECT_STREQ(F.sampler, "auto");
  EXPECT_THAT(Lines, IsEmpty());
}

TEST_F(FlagsTest, EveryType) {
  parse("enabled=no:verbosity=2:seed=18446744073709551615:output=/tmp/x.causal");
  EXPECT_FALSE(F.enabled);
  EXPECT_EQ(F.verbosity, 2);
  EXPECT_EQ(F.seed, UINT64_MAX);
  EXPECT_STREQ(F.output, "/tmp/x.causal");
  EXPECT_THAT(Lines, IsEmpty());
}

TEST_F(FlagsTest, SeparatorsAndEmptyItems) {
  parse(":output=x  seed=0x1F\tverbosity=1\n:warmup_ms=7:");
  EXPECT_STREQ(F.output, "x");
  EXPECT_EQ(F.seed, 31u);
  EXPECT_EQ(F.verbosity, 1);
  EXPECT_EQ(F.warmup_ms, 7);
  EXPECT_THAT(Lines, IsEmpty());
}

TEST_F(FlagsTest, CommasBelongToTheValue) {
  parse("scope=/a/*,/b/*;c/*:seed=1");
  EXPECT_STREQ(F.scope, "/a/*,/b/*;c/*");
  EXPECT_EQ(F.seed, 1u);
}

TEST_F(FlagsTest, QuotedValues) {
  parse("output='/a b:c':scope=\"it's\":fixed_line=:exclude=''");
  EXPECT_STREQ(F.output, "/a b:c");
  EXPECT_STREQ(F.scope, "it's");
  EXPECT_STREQ(F.fixed_line, "");
  EXPECT_STREQ(F.exclude, "");
  EXPECT_THAT(Lines, IsEmpty());
}

TEST_F(FlagsTest, ColonsOfTextNeedNoQuotes) {
  parse("fixed_line=raw_sock.c:384");
  EXPECT_STREQ(F.fixed_line, "raw_sock.c:384");
  parse("fixed_line=a.cc:ns::f:seed=5:scope=/a:b/*:/c/::exclude=d:e: seed=6:plant_line=b.c:7:");
  EXPECT_STREQ(F.fixed_line, "a.cc:ns::f");
  EXPECT_STREQ(F.scope, "/a:b/*:/c/");
  EXPECT_STREQ(F.exclude, "d:e");
  EXPECT_STREQ(F.plant_line, "b.c:7");
  EXPECT_EQ(F.seed, 6u);
  parse("fixed_line=a.cc:operator==:output='x:seed=7':log_path=\"y:z\":fixed_line='b.c:8'");
  EXPECT_STREQ(F.output, "x:seed=7");
  EXPECT_STREQ(F.log_path, "y:z");
  EXPECT_STREQ(F.fixed_line, "b.c:8");
  EXPECT_EQ(F.seed, 6u);
  parse("fixed_line=a.cc:operator==");
  EXPECT_STREQ(F.fixed_line, "a.cc:operator==");
  EXPECT_THAT(Lines, IsEmpty());
}

TEST_F(FlagsTest, ColonsEndWhatIsNoFreeText) {
  parse("output=x:outptu=y"); // Misspelt, and no part of a path.
  EXPECT_STREQ(F.output, "x");
  EXPECT_THAT(Lines, ElementsAre(HasSubstr("did you mean 'output'?")));
  Lines.clear();
  parse("seed=3:4:target=function:5");
  EXPECT_EQ(F.seed, 3u);
  EXPECT_STREQ(F.target, "function");
  EXPECT_THAT(Lines, ElementsAre(HasSubstr("'4' has no value"), HasSubstr("'5' has no value")));
}

TEST_F(FlagsTest, UnclosedQuoteIsReported) {
  parse("output='a b");
  EXPECT_STREQ(F.output, "a b");
  EXPECT_THAT(Lines, ElementsAre(HasSubstr("closing quote")));
}

TEST_F(FlagsTest, LastMentionWins) {
  parse("output=a:output=b");
  parse("output=c");
  EXPECT_STREQ(F.output, "c");
}

TEST_F(FlagsTest, UnknownFlagNamesTheNearest) {
  parse("outptu=x");
  EXPECT_THAT(Lines, ElementsAre("unknown flag 'outptu', ignored; did you mean "
                                 "'output'?"));
  Lines.clear();
  parse("experimentms=5");
  EXPECT_THAT(Lines, ElementsAre(HasSubstr("did you mean 'experiment_ms'?")));
  Lines.clear();
  parse("halt_on_error=1");
  EXPECT_THAT(Lines, ElementsAre(HasSubstr("help=1 lists the flags")));
  EXPECT_EQ(F.experiment_ms, 100);
}

TEST_F(FlagsTest, FlagWithoutValue) {
  parse("verbose:seed=3");
  EXPECT_THAT(Lines,
              ElementsAre(AllOf(HasSubstr("'verbose' has no value"), testing::EndsWith("=value"))));
  EXPECT_EQ(F.seed, 3u);
}

TEST_F(FlagsTest, MalformedValuesKeepWhatWasThere) {
  for (const char *Text : {"experiment_ms=abc", "experiment_ms=", "experiment_ms=1x",
                           "experiment_ms=99999999999999999999", "enabled=maybe", "seed=-1",
                           "seed=18446744073709551616", "seed=0x", "sampler=perfect",
                           "sampler=", "sampler=auto|perf"}) {
    Lines.clear();
    parse(Text);
    EXPECT_THAT(Lines, ElementsAre(HasSubstr("(allowed: "))) << Text;
  }
  EXPECT_EQ(F.experiment_ms, 100);
  EXPECT_TRUE(F.enabled);
  EXPECT_EQ(F.seed, 0u);
  EXPECT_STREQ(F.sampler, "auto");
}

TEST_F(FlagsTest, Ranges) {
  parse("speedup_step=0");
  EXPECT_THAT(Lines, ElementsAre("flag 'speedup_step' cannot be '0' (allowed: 1 "
                                 "to 100); it stays 5"));
  Lines.clear();
  parse("speedup_step=100:fixed_speedup=-2:fixed_speedup=100:experiment_ms=-0x1");
  EXPECT_EQ(F.speedup_step, 100);
  EXPECT_EQ(F.fixed_speedup, 100);
  EXPECT_THAT(Lines, ElementsAre(HasSubstr("-1 to 100"), HasSubstr("it stays")));
}

TEST_F(FlagsTest, EachScheduleHasItsLength) {
  parse("schedule=paper");
  EXPECT_EQ(F.experiment_ms, 500);
  parse("experiment_ms=0:schedule=paired");
  EXPECT_EQ(F.experiment_ms, 100);
  parse("experiment_ms=20:schedule=paper");
  EXPECT_EQ(F.experiment_ms, 20);
  EXPECT_THAT(Lines, IsEmpty());
}

TEST_F(FlagsTest, ContradictionIsResolved) {
  parse("experiment_ms=500:max_experiment_ms=100");
  EXPECT_EQ(F.max_experiment_ms, 500);
  EXPECT_THAT(Lines, ElementsAre(HasSubstr("raised to 500")));
}

TEST_F(FlagsTest, TheSamplePeriodLeavesTimeToWork) {
  parse("sample_period_us=0");
  EXPECT_EQ(F.sample_period_us, 0);
  EXPECT_THAT(Lines, IsEmpty());
  parse("sample_period_us=1");
  EXPECT_EQ(F.sample_period_us, 50);
  EXPECT_THAT(Lines, ElementsAre(HasSubstr("sample_period_us=1 would leave the program "
                                           "no time between samples, raised to 50")));
}

TEST_F(FlagsTest, StorageOverflowIsReported) {
  std::string Long(Flags::StorageSize - 100, 'a');
  parse(("output=" + Long).c_str());
  EXPECT_EQ(F.output, Long);
  EXPECT_THAT(Lines, IsEmpty());
  parse(("scope=" + Long + ":seed=4").c_str());
  EXPECT_STREQ(F.scope, "");
  EXPECT_EQ(F.output, Long);
  EXPECT_EQ(F.seed, 4u);
  EXPECT_THAT(Lines, ElementsAre(HasSubstr("'scope' does not fit")));
}

TEST_F(FlagsTest, StorageCanBeFilledToTheLastByte) {
  for (size_t Length = 1; Length < 2 * Flags::StorageSize; Length *= 2) {
    parse(("output=" + std::string(Length, 'o')).c_str());
    EXPECT_LT(F.StorageUsed, Flags::StorageSize);
  }
  Lines.clear();
  while (Lines.empty())
    parse("scope=s");
  EXPECT_STREQ(F.scope, "s");
  EXPECT_GE(F.StorageUsed, Flags::StorageSize - 2);
  EXPECT_LT(F.StorageUsed, Flags::StorageSize);
}

TEST_F(FlagsTest, ReportsAreOneLine) {
  parse("'a\x01"
        "b'=1");
  parse(("verbosity='a\nb" + std::string(1000, 'x') + "'").c_str());
  ASSERT_EQ(Lines.size(), 2u);
  for (const std::string &Line : Lines) {
    EXPECT_EQ(Line.find_first_of("\n\x01"), std::string::npos);
    EXPECT_LT(Line.size(), 300u);
  }
}

TEST_F(FlagsTest, Help) {
  parse("seed=9:scope=/a");
  describeFlags(F, Report);
  EXPECT_EQ(Lines[0], "Available flags for CausalProfiler:");
  EXPECT_THAT(Lines, Contains("\tseed"));
  EXPECT_THAT(Lines, Contains(AllOf(testing::StartsWith("\t\t- Seed of"),
                                    HasSubstr(" (Current Value: 9)"))));
  EXPECT_THAT(Lines, Contains(HasSubstr("(Current Value: /a)")));
}

} // namespace
