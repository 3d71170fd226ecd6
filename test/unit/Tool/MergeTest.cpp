//===- MergeTest.cpp
//---------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/Merge.h"
#include "ProfileText.h"

using namespace causal;

namespace {

std::string merge(std::vector<std::string> Texts) {
  Merger Merged;
  ProfileReader Reader([](const llvm::Twine &) {});
  Reader.divertExperiments([&](const Experiment &E) { Merged.take(E); });
  for (const std::string &Text : Texts)
    llvm::cantFail(Reader.addBuffer(llvm::MemoryBuffer::getMemBufferCopy(Text)));
  Profile P = Reader.take();
  std::string Out;
  llvm::raw_string_ostream OS(Out);
  Merged.write(P, OS);
  return Out;
}

std::string profile(const char *Id, unsigned Line) {
  ProfileText T;
  T.Id = Id;
  T.run().experiment(Line, 25, 1, 1).line(Line, 1, 1).snapshot(1, 1, 1, 0);
  return T.experiment(Line, 50, 1, 1)
      .line(Line, 2, 2, 1)
      .line(3, 1, 1, 1)
      .snapshot(2, 2, 2, 1)
      .Text;
}

// Of two with one index the reader leaves out the one whose delays took all of its time.
TEST(Merge, KeepsTheExperimentThatCounts) {
  auto Record = [](int Delay) {
    return R"({"type":"experiment","run":"r1","index":0,"file":"/a.c","line":7,)"
           R"("speedup":25,"wall":2,"delay":)" +
           std::to_string(Delay) + ",\"points\":[]}\n";
  };
  EXPECT_EQ(merge({Record(3) + Record(1)}), Record(1));
}

TEST(Merge, DropsSupersededSnapshotsAndNothingElse) {
  ProfileText T;
  T.run()
      .experiment(7, 25, 1, 1)
      .experiment(7, 50, 1, 1)
      .line(3, 1, 1, 1)
      .line(7, 2, 2, 1)
      .snapshot(2, 2, 2, 1);
  EXPECT_EQ(merge({profile("r1", 7)}), T.Text);
}

TEST(Merge, IsAssociative) {
  std::string A = profile("a", 7), B = profile("b", 8), C = profile("c", 3);
  std::string All = merge({A, B, C});
  EXPECT_EQ(merge({merge({A, B}), C}), All);
  EXPECT_EQ(merge({A, merge({B, C})}), All);
}

TEST(Merge, CountsARunOnce) {
  std::string A = profile("a", 7), B = profile("b", 8);
  EXPECT_EQ(merge({A, B, A}), merge({A, B}));
}

TEST(Merge, CompletesARunFromAnEarlierCopyOfItsFile) {
  std::string A = profile("a", 7);
  std::string Early = A.substr(0, A.find("{\"type\":\"snapshot\""));
  EXPECT_EQ(merge({Early, A}), merge({A}));
}

TEST(Merge, KeepsUnknownFields) {
  std::string A = profile("a", 7);
  A.insert(A.find("\"index\":0"), "\"colour\":\"red\",");
  EXPECT_NE(merge({A}).find("\"colour\":\"red\""), std::string::npos);
}

} // namespace
