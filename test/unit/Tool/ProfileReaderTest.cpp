//===- ProfileReaderTest.cpp
//-------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProfileText.h"

#include <gmock/gmock.h>

#include <random>

using namespace causal;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

namespace {

std::string whole() {
  ProfileText T;
  return T.run()
      .experiment(7, 25, 500, ProfileText::throughput(12) + "," + ProfileText::latency(4, 1.25), 3,
                  1)
      .line(7, 100, 60)
      .snapshot(900, 500, 1, 0, R"("dropped":1,"late":2,"unmapped":3,"out_of_scope":4,"threads":5)")
      .Text;
}

TEST(ProfileReader, ReadsEveryField) {
  ReadResult R({whole()});
  EXPECT_THAT(R.Warnings, SizeIs(0));
  ASSERT_EQ(R.P.runs().size(), 1u);
  const causal::Run &First = R.P.runs().front();
  EXPECT_EQ(First.Exe, "/p");
  EXPECT_EQ(First.Sampler, "perf-sigtrap");
  EXPECT_EQ(First.Period, 250000);
  ASSERT_EQ(R.P.experiments().size(), 1u);
  const Experiment &E = R.P.experiments().front();
  EXPECT_EQ(E.Speedup, 25u);
  EXPECT_EQ(E.effective(), 500000000);
  EXPECT_EQ(E.Delay, 1000000);
  EXPECT_EQ(E.Samples, 3);
  EXPECT_EQ(R.P.lines()[E.Line].File, "/a.c");
  EXPECT_EQ(R.P.lines()[E.Line].Line, 7u);
  ASSERT_EQ(E.Points.size(), 2u);
  EXPECT_EQ(E.Points[0].Visits, 12);
  EXPECT_EQ(R.P.points()[E.Points[1].Point].Kind, PointKind::Latency);
  EXPECT_EQ(E.Points[1].InFlight, 1.25);
  ASSERT_TRUE(First.Last);
  EXPECT_TRUE(First.Last->Final);
  EXPECT_EQ(First.Last->UndelayedWall, 500000000);
  EXPECT_EQ(First.Last->Lost.OutOfScope, 4);
  EXPECT_EQ(First.Last->Lines.at(E.Line).UndelayedSamples, 60);
}

TEST(ProfileReader, IgnoresFieldsAndPointKindsItDoesNotKnow) {
  ProfileText T;
  T.run().experiment(7, 25, 500,
                     R"({"name":"x","kind":"gauge","level":3},)" + ProfileText::throughput(1));
  T.Text.insert(T.Text.find("\"exe\""), R"("colour":[1,{"a":2}],)");
  Profile P = read(T);
  EXPECT_THAT(P.experiments().at(0).Points, SizeIs(1));
}

// A second file may have met them in another order.
TEST(ProfileReader, FindsPointsWhateverTheirOrder) {
  ProfileText T;
  auto Named = [](const char *Name, int Visits) { return ProfileText::throughput(Visits, Name); };
  T.run().experiment(7, 0, 500, Named("a", 1) + "," + Named("b", 2));
  T.experiment(7, 0, 500, Named("b", 3) + "," + Named("a", 4) + "," + Named("a", 5));
  Profile P = read(T);
  ASSERT_EQ(P.points().size(), 2u);
  const Experiment &E = P.experiments()[1];
  EXPECT_EQ(E.at(0)->Visits, 4) << "of one that is there twice the first counts";
  EXPECT_EQ(E.at(1)->Visits, 3);
  EXPECT_EQ(E.at(2), nullptr);
}

TEST(ProfileReader, TakesWholeNumbersInAnyNotation) {
  Profile P = read(ProfileText().run().add(
      R"({"type":"experiment","run":"r1","index":0,"speedup":5.0,"wall":1e9,"delay":2E+0,"file":"a","line":1})"));
  ASSERT_THAT(P.experiments(), SizeIs(1));
  EXPECT_EQ(P.experiments()[0].Wall, 1000000000);
  EXPECT_EQ(P.experiments()[0].Delay, 2);
  EXPECT_EQ(P.experiments()[0].Speedup, 5u);
}

struct BadRecord {
  const char *Text, *Message;
};
class BadRecords : public testing::TestWithParam<BadRecord> {};

TEST_P(BadRecords, IsSkippedCountedAndNamed) {
  ReadResult R({ProfileText().run().add(GetParam().Text).experiment(7, 0, 1, 1).Text});
  EXPECT_EQ(R.Error, "");
  EXPECT_THAT(R.Warnings, ElementsAre(std::string("t0:2: record skipped: ") + GetParam().Message));
  EXPECT_EQ(R.Skipped, 1u);
  EXPECT_THAT(R.P.experiments(), SizeIs(1));
}

INSTANTIATE_TEST_SUITE_P(
    ProfileReader, BadRecords,
    testing::Values(
        BadRecord{"hello", "not JSON"}, BadRecord{"[]", "no \"type\""},
        BadRecord{"{\"type\":7}", "no \"type\""}, BadRecord{R"({"type":"run"})", "no \"run\""},
        BadRecord{R"({"type":"x","run":"r1"})", "unknown type \"x\""},
        BadRecord{R"({"type":"run","run":"r2"})", "\"version\" is missing"},
        BadRecord{R"({"type":"run","run":"r2","version":0})",
                  "\"version\" is not an integer in range"},
        BadRecord{R"({"type":"experiment","run":"r1"})", "\"index\" is missing"},
        BadRecord{
            R"({"type":"experiment","run":"r1","index":1,"speedup":101,"wall":2,"delay":1,"file":"a","line":1})",
            "\"speedup\" is not an integer in range"},
        BadRecord{
            R"({"type":"experiment","run":"r1","index":1,"speedup":5,"wall":1e300,"delay":2,"file":"a","line":1})",
            "\"wall\" is not an integer in range"},
        BadRecord{
            R"({"type":"experiment","run":"r1","index":1,"speedup":5,"wall":9.5,"delay":2,"file":"a","line":1})",
            "\"wall\" is not an integer in range"},
        BadRecord{
            R"({"type":"experiment","run":"r1","index":1,"speedup":5,"wall":"9","delay":2,"file":"a","line":1})",
            "\"wall\" is not an integer in range"},
        BadRecord{
            R"({"type":"experiment","run":"r1","index":1,"speedup":5,"wall":9,"delay":2,"file":"a","line":0})",
            "\"line\" is not an integer in range"},
        BadRecord{
            R"({"type":"experiment","run":"r1","index":1,"speedup":5,"wall":9,"delay":2,"file":"","line":1})",
            "\"file\" is missing or not text"},
        BadRecord{
            R"({"type":"experiment","run":"r1","index":1,"speedup":5,"wall":9,"delay":2,"file":"a","line":1,"points":[1]})",
            "a point is no object"},
        BadRecord{
            R"({"type":"experiment","run":"r1","index":1,"speedup":5,"wall":9,"delay":2,"file":"a","line":1,"points":[{"name":"n","kind":"throughput","visits":-1}]})",
            "\"visits\" is not an integer in range"},
        BadRecord{
            R"({"type":"line","run":"r1","snapshot":0,"file":"a","line":1,"samples":9223372036854775807})",
            "\"samples\" is not an integer in range"},
        BadRecord{
            R"({"type":"snapshot","run":"r1","index":0,"wall":1,"delay":2,"undelayed_wall":0})",
            "\"delay\" is more than \"wall\""},
        BadRecord{
            R"({"type":"snapshot","run":"r1","index":0,"wall":9,"delay":2,"undelayed_wall":0,"losses":{"late":-1}})",
            "\"late\" is not an integer in range"}));

TEST(ProfileReader, SkipsDeepNestingWithoutRecursion) {
  std::string Open(1000000, '['), Closed = Open + std::string(1000000, ']');
  ReadResult R({ProfileText().run().add(Open).add(Closed).Text});
  EXPECT_THAT(R.Warnings, ElementsAre("t0:2: record skipped: not JSON",
                                      "t0:3: record skipped: nested too deeply"));
}

TEST(ProfileReader, SaysOfACutOffEndWhatItIs) {
  std::string Text = ProfileText().run().experiment(7, 0, 1, 1).Text;
  ReadResult R({Text.substr(0, Text.size() - 20)});
  EXPECT_EQ(R.Error, "");
  EXPECT_THAT(R.Warnings, ElementsAre("t0:2: record skipped: the end is cut "
                                      "off (the program was killed, or still "
                                      "runs): not JSON"));
}

TEST(ProfileReader, FindsTheRecordBehindOneThatACrashCutOff) {
  ProfileText A, B;
  A.run().experiment(7, 0, 1, 1);
  B.Id = "r2";
  B.run().experiment(8, 0, 1, 1);
  ReadResult R({A.Text.substr(0, A.Text.size() - 30) + B.Text});
  EXPECT_THAT(R.Warnings, SizeIs(1));
  ASSERT_THAT(R.P.runs(), SizeIs(2));
  EXPECT_TRUE(R.P.runs()[1].HasHeader);
  EXPECT_THAT(R.P.experiments(), SizeIs(1));
}

TEST(ProfileReader, KeepsInterleavedRunsApart) {
  ProfileText A, B;
  B.Id = "r2";
  A.run(), B.run();
  std::string Text = A.Text + B.Text;
  A.Text = B.Text = "";
  A.experiment(7, 0, 1, 1).line(7, 1, 1), B.experiment(7, 0, 2, 2).line(7, 5, 5).line(8, 6, 6);
  Text += A.Text + B.Text;
  A.Text = B.Text = "";
  Text += B.snapshot(10, 10, 2).Text + A.snapshot(10, 10, 1).Text;
  ReadResult R({Text});
  EXPECT_THAT(R.Warnings, SizeIs(0));
  ASSERT_THAT(R.P.runs(), SizeIs(2));
  EXPECT_EQ(R.P.runs()[0].Last->Lines.at(0).Samples, 1);
  EXPECT_EQ(R.P.runs()[1].Last->Lines.at(0).Samples, 5);
  EXPECT_THAT(R.P.runs()[1].Experiments, SizeIs(1));
}

TEST(ProfileReader, LetsTheLastClosedSnapshotStand) {
  ProfileText T;
  T.run()
      .line(7, 1, 1, 0)
      .snapshot(10, 10, 1, 0)
      .line(7, 2, 2, 1)
      .snapshot(20, 20, 1, 1)
      .line(7, 3, 3, 2);
  Profile P = read(T);
  EXPECT_EQ(P.runs()[0].Last->Wall, 20000000);
  EXPECT_EQ(P.runs()[0].Last->Lines.at(0).Samples, 2);
}

TEST(ProfileReader, MissesLinesOfASnapshot) {
  ReadResult R({ProfileText().run().line(7, 1, 1).snapshot(10, 10, 3).Text});
  EXPECT_THAT(R.Warnings, ElementsAre("t0:3: snapshot 0 closes 3 line records, 1 were read"));
}

TEST(ProfileReader, RefusesALaterVersionAndNamesTheRemedy) {
  EXPECT_EQ(ReadResult({ProfileText().run(3).Text}).Error,
            "t0:1: the profile is in version 3 of the format, this tool reads "
            "up to 2; use the causal tool that came "
            "with the compiler plugin");
}

TEST(ProfileReader, RefusesFilesWithoutARecord) {
  EXPECT_EQ(ReadResult({""}).Error, "t0 is empty; run the profiled program to its end");
  EXPECT_EQ(ReadResult({" \n\n"}).Error, "t0 is empty; run the profiled program to its end");
  EXPECT_EQ(ReadResult({"startup\ttime=1\n"}).Error,
            "t0 is not a causal profile: it has no valid record");
}

TEST(ProfileReader, WarnsFiveTimesAFile) {
  ProfileText T;
  T.run();
  for (int I = 0; I < 50; ++I)
    T.add("?");
  ReadResult R({T.Text});
  EXPECT_EQ(R.Skipped, 50u);
  ASSERT_THAT(R.Warnings, SizeIs(6));
  EXPECT_EQ(R.Warnings.back(), "t0: 45 more records like these");
}

TEST(ProfileReader, SurvivesACutAtEveryByte) {
  std::string Text = whole();
  size_t Last = 0;
  for (size_t N = 0; N <= Text.size(); ++N) {
    ReadResult R({Text.substr(0, N)});
    size_t Known =
        R.P.experiments().size() + (R.P.runs().empty() ? 0 : R.P.runs()[0].Last.has_value());
    EXPECT_GE(Known, Last);
    Last = Known;
  }
  EXPECT_EQ(Last, 2u);
}

TEST(ProfileReader, SurvivesDamagedBytes) {
  std::mt19937 Random(1);
  const std::string Text = whole();
  for (int Round = 0; Round < 2000; ++Round) {
    std::string Damaged = Text;
    for (int I = 0; I < 4; ++I)
      Damaged[Random() % Damaged.size()] = char(Random());
    ReadResult R({Damaged});
    for (const Experiment &E : R.P.experiments())
      EXPECT_GT(E.effective(), 0);
  }
}

} // namespace
