//===- BuildMatchTest.cpp -------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/BuildMatch.h"
#include "ProfileText.h"

using namespace causal;

namespace {

/// A run of one build with experiments on lines of functions of /a.c.
std::string build(std::string Id, std::vector<std::pair<std::string, unsigned>> Lines) {
  std::string Text =
      llvm::formatv(R"({{"type":"run","version":1,"run":"r{0}","exe":"/p","build_id":"{0}"})", Id);
  int Index = 0;
  for (auto &[Function, Line] : Lines)
    Text += llvm::formatv("\n{{\"type\":\"experiment\",\"run\":\"r{0}\",\"index\":{1},\"file\":"
                          "\"/a.c\",\"line\":{2},\"function\":\"{3}\",\"speedup\":0,\"wall\":9,"
                          "\"delay\":0,\"points\":[]}",
                          Id, Index++, Line, Function);
  return Text + "\n";
}

std::vector<unsigned> linesOf(const Profile &P, llvm::StringRef Run) {
  std::vector<unsigned> Lines;
  for (const Experiment &E : P.experiments())
    if (P.runs()[E.Run].Id == Run)
      Lines.push_back(P.lines()[E.Line].Line);
  return Lines;
}

TEST(BuildMatch, AnUnchangedFunctionIsTheSame) {
  ReadResult R({build("a", {{"f", 10}, {"f", 12}}), build("b", {{"f", 10}, {"f", 12}, {"f", 14}})});
  llvm::cantFail(unifyBuilds(R.P));
  EXPECT_EQ(linesOf(R.P, "rb"), (std::vector<unsigned>{10, 12, 14}));
}

TEST(BuildMatch, FollowsAFunctionThatHasMoved) {
  ReadResult R({build("a", {{"f", 10}, {"f", 12}, {"f", 17}, {"g", 30}}),
                build("b", {{"f", 13}, {"f", 15}, {"f", 20}, {"g", 30}})});
  llvm::cantFail(unifyBuilds(R.P));
  EXPECT_EQ(linesOf(R.P, "rb"), (std::vector<unsigned>{10, 12, 17, 30}));
}

TEST(BuildMatch, FollowsInAPartOfTheProfileToo) {
  ReadResult R({build("a", {{"f", 10}, {"f", 12}, {"f", 17}}),
                build("b", {{"f", 13}, {"f", 15}, {"f", 20}}), build("c", {{"g", 1}})});
  Profile Part = R.P.select([](const causal::Run &Each) { return Each.Id != "rc"; });
  llvm::cantFail(unifyBuilds(Part));
  EXPECT_EQ(linesOf(Part, "rb"), (std::vector<unsigned>{10, 12, 17}));
}

TEST(BuildMatch, FunctionsOfVeryManyLinesTakeNoLonger) {
  std::vector<std::pair<std::string, unsigned>> Before, After;
  for (unsigned Line = 1; Line <= 20000; ++Line) {
    Before.push_back({"f", 2 * Line});
    After.push_back({"f", 2 * Line + 7});
  }
  ReadResult R({build("a", Before), build("b", After)});
  llvm::cantFail(unifyBuilds(R.P));
  EXPECT_EQ(linesOf(R.P, "rb"), linesOf(R.P, "ra"));
}

TEST(BuildMatch, KeepsOtherCodeUnderTheSameNumberApart) {
  ReadResult R({build("a", {{"f", 10}, {"f", 12}, {"g", 30}}),
                build("b", {{"f", 10}, {"f", 12}, {"h", 30}})});
  llvm::cantFail(unifyBuilds(R.P));
  EXPECT_NE(R.P.experiments()[2].Line, R.P.experiments()[5].Line);
  EXPECT_EQ(R.P.lines()[R.P.experiments()[5].Line].Function, "h");
  EXPECT_EQ(R.P.experiments()[0].Line, R.P.experiments()[3].Line);
}

TEST(BuildMatch, RefusesWhatIsMostlyOtherCode) {
  ReadResult R({build("a", {{"f", 10}, {"g", 20}, {"h", 30}}),
                build("b", {{"x", 10}, {"y", 20}, {"h", 30}})});
  std::string Why = llvm::toString(unifyBuilds(R.P));
  EXPECT_NE(Why.find("build b (/p) does not match build a (/p): of their lines 1 are the "
                     "same code and 2 are not"),
            std::string::npos)
      << Why;
  EXPECT_EQ(R.P.experiments()[0].Line, R.P.experiments()[3].Line);
}

TEST(BuildMatch, OtherProgramsDoNotDisturbEachOther) {
  ReadResult R({build("a", {{"f", 10}}), build("b", {{"x", 50}, {"y", 60}})});
  llvm::cantFail(unifyBuilds(R.P));
  EXPECT_EQ(linesOf(R.P, "rb"), (std::vector<unsigned>{50, 60}));
}

TEST(Select, LeavesTheRunsAskedFor) {
  ReadResult R({build("a", {{"f", 10}}), build("b", {{"f", 10}, {"f", 11}})});
  Profile P = R.P.select([](const struct Run &R) { return R.BuildId == "b"; });
  ASSERT_EQ(P.runs().size(), 1u);
  EXPECT_EQ(P.experiments().size(), 2u);
  EXPECT_EQ(linesOf(P, "rb"), (std::vector<unsigned>{10, 11}));
  EXPECT_EQ(P.runs()[0].Experiments.size(), 2u);
}

} // namespace
