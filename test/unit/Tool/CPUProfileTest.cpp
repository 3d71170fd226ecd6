//===- CPUProfileTest.cpp -------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/ProfileReader.h"
#include "lib/cpu/Account.h"
#include "lib/cpu/FrameNames.h"
#include "lib/cpu/StackTree.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <set>

using namespace causal;
using namespace causal::cpu;
using namespace llvm;

namespace {

/// Writes records of one run.
struct Text {
  std::string All, Run = "r";

  Text &header() {
    return add(R"("type":"run","version":1,"exe":"/p","build_id":"b","time":1,"mode":"cpu")");
  }
  Text &add(const Twine &Fields) {
    All += ("{" + Fields + ",\"run\":\"" + Run + "\"}\n").str();
    return *this;
  }
  Text &image(int Id, StringRef Path = "/p") {
    return add(formatv(R"("type":"image","id":{0},"path":"{1}","build_id":"b")", Id, Path).str());
  }
  /// Function F in /a.c:Line, of which Inner, if there is one, is inlined.
  Text &frame(int Id, StringRef F, int Line, StringRef Inner = "") {
    std::string Lines = formatv(R"({"function":"{0}","file":"/a.c","line":{1}})", F, Line);
    if (!Inner.empty())
      Lines = formatv(R"({"function":"{0}","file":"/a.h","line":1},{1})", Inner, Lines);
    return add(formatv(R"("type":"frame","id":{0},"image":0,"offset":{0},"lines":[{1}])", Id, Lines)
                   .str());
  }
  Text &stack(int Id, StringRef Frames, bool Truncated = false) {
    return add(formatv(R"("type":"stack","id":{0},"frames":[{1}]{2})", Id, Frames,
                       Truncated ? ",\"truncated\":true" : "")
                   .str());
  }
  Text &thread(int Snapshot, int Number, int64_t Wall, int64_t CPU, StringRef Name = "t",
               StringRef Off = "") {
    return add(formatv(R"("type":"thread","snapshot":{0},"thread":{1},"tid":{1},"name":"{2}",)"
                       R"("begin":0,"wall":{3},"cpu":{4},"off":{{{5}})",
                       Snapshot, Number, Name, Wall, CPU, Off)
                   .str());
  }
  Text &charge(int Snapshot, int Thread, int Stack, StringRef State, int64_t Ns,
               StringRef More = "") {
    return add(formatv(R"("type":"charge","snapshot":{0},"thread":{1},"stack":{2},)"
                       R"("state":"{3}","ns":{4},"count":1{5})",
                       Snapshot, Thread, Stack, State, Ns, More)
                   .str());
  }
  Text &close(int Snapshot, int64_t Wall, bool Final = false) {
    return add(formatv(R"("type":"cpu_snapshot","index":{0},"final":{1},"wall":{2})", Snapshot,
                       Final ? "true" : "false", Wall)
                   .str());
  }

  CPUProfile read(std::vector<std::string> *Warnings = nullptr) const {
    ProfileReader Reader([](const Twine &Message) { ADD_FAILURE() << Message.str(); });
    EXPECT_FALSE(errorToBool(Reader.addBuffer(MemoryBuffer::getMemBufferCopy(All))));
    auto Warn = [&](const Twine &W) {
      if (Warnings)
        Warnings->push_back(W.str());
      else
        ADD_FAILURE() << W.str();
    };
    causal::Profile P = Reader.take();
    CPUProfile Read = readCPU(P, Warn);
    nameFrames(Read, Warn);
    return Read;
  }
};

Text small() {
  return Text()
      .header()
      .image(0)
      .frame(1, "leaf", 5, "inlined")
      .frame(2, "root", 9)
      .stack(1, "1,2");
}

TEST(CPUProfile, IncrementsAddUpAndTheLastThreadRecordStays) {
  CPUProfile P = small()
                     .thread(0, 0, 10, 4)
                     .charge(0, 0, 1, "cpu", 4)
                     .close(0, 10)
                     .thread(1, 0, 20, 7)
                     .charge(1, 0, 1, "cpu", 3)
                     .close(1, 20, true)
                     .read();
  ASSERT_EQ(P.Threads.size(), 1u);
  EXPECT_EQ(P.Threads[0].In[State::CPU], Time(7));
  EXPECT_EQ(P.Threads[0].Wall, Time(20));
  EXPECT_EQ(P.Threads[0].End, std::nullopt);
  ASSERT_EQ(P.Charges.size(), 1u);
  EXPECT_EQ(P.Charges[0].Ns, Time(7));
  EXPECT_EQ(P.Charges[0].Count, 2);
  EXPECT_TRUE(P.Runs[0].Final);
  ASSERT_EQ(P.Slices.size(), 2u);
  EXPECT_EQ(P.Slices[1].Begin, 10);
  EXPECT_EQ(P.Slices[1].End, 20);
  EXPECT_EQ(P.Slices[1].In[State::CPU], Time(3));
}

TEST(CPUProfile, WhatIsNotClosedDoesNotCount) {
  CPUProfile P = small()
                     .thread(0, 0, 10, 4)
                     .charge(0, 0, 1, "cpu", 4)
                     .close(0, 10)
                     .thread(1, 0, 20, 7)
                     .charge(1, 0, 1, "cpu", 3)
                     .read();
  EXPECT_EQ(P.Threads[0].In[State::CPU], Time(4));
  EXPECT_EQ(P.Charges[0].Ns, Time(4));
  EXPECT_FALSE(P.Runs[0].Final);
}

TEST(CPUProfile, InlinedCallsAreFramesOfTheirOwn) {
  CPUProfile P = small().thread(0, 0, 1, 1).charge(0, 0, 1, "cpu", 1).close(0, 1).read();
  std::vector<std::string> Names;
  for (unsigned Place : P.placesOf(P.Charges[0].Stack))
    Names.push_back(P.Places[Place].Function);
  EXPECT_EQ(Names, (std::vector<std::string>{"inlined", "leaf", "root"}));
}

TEST(CPUProfile, RunsAddUpThoughTheirNumbersDiffer) {
  Text A = small().thread(0, 0, 5, 5).charge(0, 0, 1, "cpu", 5).close(0, 5, true);
  Text B;
  B.Run = "s";
  B.header().image(0).frame(1, "leaf", 5, "inlined").frame(2, "root", 9);
  B.stack(9, "1,2").thread(0, 7, 8, 8).charge(0, 7, 9, "cpu", 8).close(0, 8, true);
  A.All += B.All;
  CPUProfile P = A.read();
  EXPECT_EQ(P.Runs.size(), 2u);
  EXPECT_EQ(P.Threads.size(), 2u);
  ASSERT_EQ(P.Charges.size(), 2u);
  EXPECT_EQ(P.Charges[0].Stack, P.Charges[1].Stack);
  Account Sum = accountOf(P);
  EXPECT_EQ(Sum.Functions[0].Self, Time(13));
}

TEST(CPUProfile, TimeOfUnknownStacksIsNotLost) {
  std::vector<std::string> Warnings;
  CPUProfile P = small().thread(0, 0, 9, 9).charge(0, 0, 77, "cpu", 9).close(0, 9).read(&Warnings);
  ASSERT_EQ(P.Charges.size(), 1u);
  EXPECT_TRUE(P.placesOf(P.Charges[0].Stack).empty());
  ASSERT_EQ(Warnings.size(), 1u);
  EXPECT_NE(Warnings[0].find("1 charges name no stack"), std::string::npos);
  EXPECT_EQ(accountOf(P).OnStacks, Time());
}

TEST(CPUProfile, DamagedRecordsAreSkippedAndNamed) {
  std::vector<std::string> Warnings;
  CPUProfile P = small()
                     .add(R"("type":"charge","snapshot":0,"thread":0,"state":"cpu","ns":-1)")
                     .add(R"("type":"stack","id":5,"frames":[1,"x"])")
                     .thread(0, 0, 2, 2)
                     .charge(0, 0, 1, "a state of later make", 2)
                     .close(0, 2)
                     .read(&Warnings);
  EXPECT_EQ(Warnings.size(), 2u);
  ASSERT_EQ(P.Charges.size(), 1u);
  EXPECT_EQ(P.Charges[0].In, State::Other);
}

TEST(CPUProfile, SumsOfHostileNumbersStop) {
  Text T = small();
  for (int I = 0; I < 5000; ++I)
    T.charge(I, 0, 1, "cpu", int64_t(1) << 53).close(I, 1);
  CPUProfile P = T.read();
  EXPECT_EQ(P.Charges[0].Ns.ns(), INT64_MAX);
}

TEST(Account, RecursionCountsOnce) {
  CPUProfile P = Text()
                     .header()
                     .image(0)
                     .frame(1, "f", 5)
                     .frame(2, "f", 6)
                     .stack(1, "1,2,1")
                     .thread(0, 0, 4, 4)
                     .charge(0, 0, 1, "cpu", 4)
                     .close(0, 4)
                     .read();
  Account A = accountOf(P);
  ASSERT_EQ(A.Functions.size(), 1u);
  EXPECT_EQ(A.Functions[0].Total, Time(4));
  ASSERT_EQ(A.Lines.size(), 2u);
  EXPECT_EQ(A.Lines[0].Total, Time(4));
}

TEST(Account, ThreadsOfOneNameAreTogether) {
  CPUProfile P = small()
                     .thread(0, 0, 9, 1, "pool-1")
                     .thread(0, 1, 9, 2, "pool-2")
                     .thread(0, 2, 9, 9, "7")
                     .thread(0, 3, 9, 5, "one-1")
                     .close(0, 9)
                     .read();
  Account A = accountOf(P);
  std::vector<std::string> Names;
  for (const ThreadGroup &G : A.Groups)
    Names.push_back(G.Name);
  EXPECT_EQ(Names, (std::vector<std::string>{"7", "one-1", "pool-*"}));
  EXPECT_EQ(A.Groups[2].In[State::CPU], Time(3));
}

TEST(Account, AThreadWithoutANameOfItsOwnIsKnownByWhatItRuns) {
  Text T;
  T.add(R"("type":"run","version":1,"exe":"/p","build_id":"b","time":1,"mode":"cpu","pid":1)");
  T.image(0).frame(1, "work", 1).frame(2, "main", 2).frame(3, "loop", 3);
  T.stack(1, "1,2").stack(2, "1,3").stack(3, "3");
  T.thread(0, 1, 9, 1, "p").thread(0, 2, 9, 1, "p").thread(0, 3, 9, 1, "named");
  T.charge(0, 1, 1, "cpu", 1).charge(0, 2, 2, "cpu", 1).charge(0, 3, 3, "cpu", 1).close(0, 9);
  CPUProfile P = T.read();
  Account A = accountOf(P);
  std::set<std::string> Names;
  for (const ThreadGroup &G : A.Groups)
    Names.insert(G.Name);
  EXPECT_EQ(Names, (std::set<std::string>{"p", "p:loop", "named"}));
}

TEST(Account, WaitingForACoreIsNoWaitOfThePlace) {
  CPUProfile P = small()
                     .thread(0, 0, 9, 0, "t", R"("runqueue":9)")
                     .charge(0, 0, 1, "runqueue", 9)
                     .close(0, 9)
                     .read();
  Account A = accountOf(P);
  EXPECT_TRUE(A.Waits.empty());
  EXPECT_EQ(A.In[State::RunQueue], Time(9));
}

TEST(Account, AWaitIsInTheProgramsOwnCode) {
  CPUProfile P = small()
                     .image(1, "/usr/lib/libc.so.6")
                     .add(R"("type":"frame","id":3,"image":1,"offset":3)")
                     .stack(2, "3,1,2")
                     .stack(3, "2")
                     .thread(0, 0, 9, 0, "waits", R"("lock":9)")
                     .thread(0, 1, 9, 0, "holds")
                     .charge(0, 0, 2, "lock", 9, R"(,"waker":3,"waker_thread":1)")
                     .close(0, 9)
                     .read();
  Account A = accountOf(P);
  ASSERT_EQ(A.Waits.size(), 1u);
  EXPECT_EQ(P.Places[A.Waits[0].Place].Function, "inlined");
  ASSERT_EQ(A.Waits[0].Wakers.size(), 1u);
  EXPECT_EQ(P.Places[*A.Waits[0].Wakers[0].Place].Function, "root");
  EXPECT_EQ(A.Groups[*A.Waits[0].Wakers[0].Group].Name, "holds");
}

TEST(StackTree, FoldingKeepsSums) {
  Text T;
  T.header().image(0).frame(0, "root", 1);
  for (int I = 1; I <= 20; ++I)
    T.frame(I, formatv("f{0}", I).str(), I).stack(I, formatv("{0},0", I).str());
  for (int I = 1; I <= 20; ++I)
    T.charge(0, 0, I, "cpu", I);
  CPUProfile P = T.close(0, 1).read();
  StackTree Tree = treeOf(P, {0}, 5);
  EXPECT_LE(Tree.Nodes.size(), 6u);
  EXPECT_GT(Tree.Folded, 0u);
  int64_t Sum = 0;
  for (const StackTree::Leaf &L : Tree.Leaves)
    Sum += L.Ns.ns();
  EXPECT_EQ(Sum, 210);
  EXPECT_EQ(treeOf(P, {0}, 100).Folded, 0u);
}

TEST(StackTree, ATruncatedStackDoesNotBeginAtTheRoot) {
  CPUProfile P = small()
                     .stack(2, "2", /*Truncated=*/true)
                     .charge(0, 0, 2, "cpu", 1)
                     .charge(0, 0, 1, "cpu", 1)
                     .close(0, 1)
                     .read();
  StackTree Tree = treeOf(P, {0}, 100);
  EXPECT_EQ(Tree.Nodes[1].Place, StackTree::Truncated);
  EXPECT_EQ(Tree.Nodes.size(), 6u);
}

} // namespace
