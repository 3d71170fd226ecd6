//===- RunModesTest.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/RunModes.h"
#include "lib/container/Merge.h"
#include "lib/container/ProfileReader.h"

#include "gtest/gtest.h"

using namespace causal;
using namespace llvm;

namespace {

const std::string CausalRun =
    R"({"type":"run","version":1,"run":"a","exe":"/p","build_id":"b","time":1})"
    "\n";
const std::string CPURun =
    R"({"type":"run","version":1,"run":"c","exe":"/p","build_id":"b","time":1,"mode":"cpu"})"
    "\n";
const std::string Charge =
    R"({"type":"charge","run":"c","snapshot":0,"thread":0,"stack":1,"state":"cpu","ns":5,"count":1})"
    "\n";

Profile read(const std::string &Text, unsigned Times = 1) {
  ProfileReader Reader([](const Twine &Message) { ADD_FAILURE() << Message.str(); });
  for (unsigned I = 0; I < Times; ++I)
    EXPECT_FALSE(errorToBool(Reader.addBuffer(MemoryBuffer::getMemBufferCopy(Text))));
  return Reader.take();
}

TEST(RunModes, ARunWithoutAModeIsCausal) {
  EXPECT_EQ(modesOf(read(CausalRun)), std::vector{RunMode::Causal});
  EXPECT_EQ(modesOf(read(CPURun + CausalRun)), (std::vector{RunMode::Causal, RunMode::CPU}));
  EXPECT_EQ(describeModes(read(CPURun + CausalRun)), "1 run of mode=causal and 1 run of mode=cpu");
}

TEST(RunModes, RecordsTellTheModeOfARunWithoutAHeader) {
  Profile P = read(Charge);
  EXPECT_EQ(modesOf(P), std::vector{RunMode::CPU});
  EXPECT_EQ(modeOfRecord("experiment"), std::nullopt);
}

TEST(RunModes, ReadingTwiceChangesNothing) {
  Profile P = read(CPURun + Charge, 2);
  ASSERT_EQ(P.runs().size(), 1u);
  EXPECT_EQ(P.runs()[0].ModeRecords.size(), 1u);
}

TEST(RunModes, MergingKeepsRecordsAsTheyAre) {
  std::string Out;
  raw_string_ostream OS(Out);
  Profile P = read(CPURun + Charge + CausalRun, 2);
  Merger().write(P, OS);
  EXPECT_EQ(OS.str(), CPURun + Charge + CausalRun);
}

TEST(RunModes, SelectionIsByMode) {
  Profile P = read(CPURun + Charge + CausalRun);
  Expected<Profile> Chosen = selectModes(P, {RunMode::CPU}, "it");
  ASSERT_TRUE(bool(Chosen));
  ASSERT_EQ(Chosen->runs().size(), 1u);
  EXPECT_EQ(Chosen->runs()[0].Id, "c");
  EXPECT_EQ(Chosen->runs()[0].ModeRecords.size(), 1u);
}

TEST(RunModes, ARefusalSaysWhatThereIs) {
  Expected<Profile> Chosen = selectModes(read(CPURun), {RunMode::Causal}, "causal check");
  ASSERT_FALSE(bool(Chosen));
  EXPECT_EQ(toString(Chosen.takeError()),
            "causal check uses runs of mode=causal; this profile has 1 run of mode=cpu. Run the "
            "program with CAUSAL_OPTIONS=mode=causal, or use causal report");
}

TEST(RunModes, AModeOfLaterMakeIsNoFailure) {
  Profile P = read(R"({"type":"run","version":1,"run":"z","mode":"dream"})");
  EXPECT_EQ(describeModes(P), "1 run of another mode");
}

} // namespace
