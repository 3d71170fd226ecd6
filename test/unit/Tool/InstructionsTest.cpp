//===- InstructionsTest.cpp - The analysis by instruction -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/cpi/Analysis.h"
#include "lib/continuous/cpi/ProbeFile.h"
#include "lib/continuous/probe/Calibration.h"
#include "lib/continuous/probe/Prober.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace causal::cpi;
using namespace causal::probe;
using llvm::StringRef;
using testing::DoubleNear;
using testing::ElementsAre;

namespace {

std::unique_ptr<Decoder> decoder(StringRef CPU = "znver3") {
  auto D = Decoder::create(CPU);
  EXPECT_TRUE(bool(D));
  return std::move(*D);
}

BasicBlock blockOf(const Decoder &D, StringRef Bytes, uint64_t Address) {
  BasicBlock B;
  B.Address = Address;
  while (!Bytes.empty()) {
    auto I = D.decode(Bytes, Address);
    EXPECT_TRUE(I);
    if (!I)
      break;
    Bytes = Bytes.drop_front(I->Size);
    Address += I->Size;
    B.Instructions.push_back(*I);
  }
  return B;
}

/// Blocks of so many NOPs, with these edges.
Procedure shape(const Decoder &D, llvm::ArrayRef<std::vector<unsigned>> Successors,
                unsigned Length = 2) {
  Procedure P;
  P.Name = "shape";
  P.Address = 0x1000;
  uint64_t Address = P.Address;
  for (unsigned B = 0; B < Successors.size(); ++B) {
    BasicBlock Block = blockOf(D, std::string(Length, '\x90'), Address);
    Address += Length;
    Block.ID = B;
    Block.Successors.assign(Successors[B].begin(), Successors[B].end());
    Block.Likelihood.assign(Successors[B].size(), 1.0 / std::max<size_t>(1, Successors[B].size()));
    Block.Leaves = Successors[B].empty();
    P.Blocks.push_back(std::move(Block));
  }
  for (unsigned B = 0; B < P.Blocks.size(); ++B)
    for (unsigned S : P.Blocks[B].Successors)
      P.Blocks[S].Predecessors.push_back(B);
  return P;
}

TEST(Decoder, KnowsWhatAnInstructionDoes) {
  auto D = decoder();
  auto Chase = D->decode(StringRef("\x48\x8b\x3f", 3), 0x10); // movq (%rdi), %rdi
  ASSERT_TRUE(Chase);
  EXPECT_TRUE(Chase->Load);
  EXPECT_FALSE(Chase->Store);
  ASSERT_TRUE(Chase->Memory);
  EXPECT_EQ(Chase->Memory->Base, 5);
  EXPECT_TRUE(Chase->Memory->Overwritten);
  EXPECT_FALSE(Chase->Memory->isFixed());

  auto Lock = D->decode(StringRef("\xf0\x48\x83\x07\x01", 5), 0); // lock addq $1, (%rdi)
  ASSERT_TRUE(Lock);
  EXPECT_TRUE(Lock->Locked);
  EXPECT_TRUE(Lock->Store);
  auto Add = D->decode(StringRef("\x48\x83\x07\x01", 4), 0);
  ASSERT_TRUE(Add);
  EXPECT_FALSE(Add->Locked);

  auto Lea = D->decode(StringRef("\x48\x8d\x14\x7f", 4), 0); // leaq (%rdi,%rdi,2), %rdx
  ASSERT_TRUE(Lea);
  EXPECT_FALSE(Lea->Memory);

  auto Stack = D->decode(StringRef("\x48\x8b\x44\x24\x50", 5), 0); // movq 0x50(%rsp), %rax
  ASSERT_TRUE(Stack);
  EXPECT_TRUE(Stack->Memory->isFixed());

  auto Jump = D->decode(StringRef("\x75\xda", 2), 0x100); // jne
  ASSERT_TRUE(Jump);
  EXPECT_TRUE(Jump->Conditional);
  EXPECT_EQ(Jump->Target, 0x102 - 0x26);
  EXPECT_FALSE(D->decode(StringRef("\x06", 1), 0));
}

TEST(Decoder, RefusesACpuWithoutAModel) {
  auto D = Decoder::create("z80");
  ASSERT_FALSE(bool(D));
  EXPECT_THAT(llvm::toString(D.takeError()), testing::HasSubstr("--cpu="));
  EXPECT_TRUE(hasModel("sapphirerapids"));
}

TEST(ProcessorModel, NamesDependences) {
  auto D = decoder();
  // imulq %rax, %rax four times: three cycles each.
  std::string Code;
  for (int I = 0; I < 4; ++I)
    Code += "\x48\x0f\xaf\xc0";
  BlockCost Cost = ProcessorModel(*D).costOf(blockOf(*D, Code, 0), /*Repeats=*/true);
  EXPECT_NEAR(Cost.BestCase, 12, 0.1);
  for (const InstructionCost &I : Cost.Instructions) {
    EXPECT_EQ(I.Cause, StaticCause::Dependence);
    EXPECT_NEAR(I.Cycles, 3, 0.1);
  }
  EXPECT_EQ(Cost.Instructions[1].Feeder, 0);
  EXPECT_EQ(Cost.Instructions[0].Feeder, 3);
  // Not a loop: nothing before it is its own.
  EXPECT_LT(ProcessorModel(*D).costOf(blockOf(*D, Code, 0), false).BestCase, 5);
}

TEST(ProcessorModel, NamesUnits) {
  auto D = decoder();
  // Independent of each other but for the unit.
  std::string Code;
  for (char R : {'\xc8', '\xd0', '\xd8', '\xe0', '\xe8', '\xf0', '\xf8'})
    Code += std::string("\xf3\x0f\x51", 3) + R; // sqrtss %xmm0, %xmmN
  BlockCost Cost = ProcessorModel(*D).costOf(blockOf(*D, Code, 0), true);
  bool Unit =
      llvm::any_of(Cost.Instructions, [](const auto &I) { return I.Cause == StaticCause::Unit; });
  EXPECT_TRUE(Unit);
}

TEST(SampleShift, MovesToTheInstructionBefore) {
  auto D = decoder();
  // 0 -> 1; 1 -> 1, 2.
  Procedure P = shape(*D, {{1}, {1, 2}, {}});
  std::map<uint64_t, uint64_t> Samples = {
      {0x1000, 3}, {0x1001, 5}, {0x1002, 100}, {0x1003, 7}, {0x1004, 9}};
  PerEdge Weights = {{1}, {9, 1}, {}};
  PlacedSamples Placed = placeSamples(P, Samples, Weights, /*Shift=*/true);
  EXPECT_THAT(Placed.Raw[1], ElementsAre(100, 7));
  EXPECT_EQ(Placed.AtEntry, 3);
  // The 100 at the head of the loop: 1 of 10 from the entry, 9 from the loop's own end.
  EXPECT_THAT(Placed.Shifted[0], ElementsAre(3 + 5, 10));
  EXPECT_THAT(Placed.Shifted[1], ElementsAre(7, 90 + 9));
  EXPECT_THAT(Placed.Shifted[2], ElementsAre(0, 0));
  double Sum = 0;
  for (double S : Placed.OfBlock)
    Sum += S;
  EXPECT_NEAR(Sum, 124, 1e-9);

  PlacedSamples Still = placeSamples(P, Samples, Weights, false);
  EXPECT_EQ(Still.Shifted, Still.Raw);
}

TEST(SampleShift, PassesThroughEmptyBlocks) {
  auto D = decoder();
  Procedure P = shape(*D, {{1}, {2}, {}});
  P.Blocks[1].Instructions.clear();
  P.Blocks[1].Address = P.Blocks[2].Address;
  PlacedSamples Placed =
      placeSamples(P, {{P.Blocks[2].Address, 4}}, guessedEdges(P), /*Shift=*/true);
  EXPECT_THAT(Placed.Shifted[0], ElementsAre(0, 4));
}

TEST(Frequency, CountsDetermineEdges) {
  auto D = decoder();
  // A diamond in a loop: 0 -> 1; 1 -> 2, 3; 2 -> 4; 3 -> 4; 4 -> 1, 5.
  Procedure P = shape(*D, {{1}, {2, 3}, {4}, {4}, {1, 5}, {}});
  // The count of 4 is not known, and follows.
  Frequencies F = countedFrequencies(P, {10, 1000, 300, 700, -1, 10});
  EXPECT_EQ(F.Block[4], 1000);
  EXPECT_THAT(F.Edge[1], ElementsAre(300, 700));
  EXPECT_THAT(F.Edge[4], ElementsAre(990, 10));
  for (Grade G : F.BlockGrade)
    EXPECT_EQ(G, Grade::Exact);
  for (double I : F.Imbalance)
    EXPECT_NEAR(I, 0, 1e-9);
}

TEST(Frequency, WhatIsNotDeterminedIsNotExact) {
  auto D = decoder();
  // Nobody counted the sides of the diamond.
  Procedure P = shape(*D, {{1, 2}, {3}, {3}, {}});
  Frequencies F = countedFrequencies(P, {100, -1, -1, 100});
  EXPECT_EQ(F.BlockGrade[1], Grade::Low);
  EXPECT_EQ(F.BlockGrade[3], Grade::Exact);
}

TEST(Frequency, RangesOfAQuarterAreMedium) {
  auto D = decoder();
  // Two diamonds behind each other, of which the count of one side is known by nobody but
  // whose other side takes little.
  Procedure P = shape(*D, {{1, 2}, {3, 4}, {3, 4}, {5}, {5}, {}});
  Frequencies F = countedFrequencies(P, {1000, 900, 100, 950, 50, 1000});
  // Edges 1 -> 3: between 850 and 900.
  EXPECT_EQ(F.EdgeGrade[1][0], Grade::Medium);
  EXPECT_NEAR(F.Edge[1][0], 875, 1);
  EXPECT_EQ(F.EdgeGrade[1][1], Grade::Low);
}

TEST(Frequency, CountsThatDisagreeShowAsImbalance) {
  auto D = decoder();
  Procedure P = shape(*D, {{1}, {2}, {}});
  Frequencies F = countedFrequencies(P, {100, 100, 90}); // Ten threw.
  EXPECT_NEAR(F.Imbalance[2] + F.Imbalance[1], 10, 10.1);
  EXPECT_GT(F.Imbalance[1] + F.Imbalance[2], 9);
}

TEST(Frequency, EstimatesConserveFlow) {
  auto D = decoder();
  std::mt19937 Random(7);
  for (int Case = 0; Case < 50; ++Case) {
    Procedure P = shape(*D, {{1}, {2, 3}, {4}, {4}, {1, 5}, {}}, 12);
    std::map<uint64_t, uint64_t> Samples;
    for (const BasicBlock &B : P.Blocks)
      for (const Instruction &I : B.Instructions)
        Samples[I.Address] = Random() % 50;
    PlacedSamples Placed = placeSamples(P, Samples, guessedEdges(P), true);
    std::vector<BlockCost> Costs;
    ProcessorModel Model(*D);
    for (const BasicBlock &B : P.Blocks)
      Costs.push_back(Model.costOf(B, false));
    Frequencies F = estimatedFrequencies(P, Placed, Costs, 1e6, Model.width());
    for (unsigned B = 0; B < P.Blocks.size(); ++B) {
      EXPECT_EQ(F.BlockGrade[B], Grade::Low);
      EXPECT_LE(F.Imbalance[B], 0.005 * F.Block[B] + 1e-6);
    }
  }
}

TEST(Frequency, ABlockWithSamplesRan) {
  auto D = decoder();
  // Of a long way to the exit only the beginning was sampled.
  Procedure P = shape(*D, {{1}, {2}, {3}, {4}, {5}, {6}, {7}, {}});
  PlacedSamples Placed = placeSamples(P, {{0x1000, 500}, {0x1001, 500}}, guessedEdges(P), true);
  std::vector<BlockCost> Costs;
  ProcessorModel Model(*D);
  for (const BasicBlock &B : P.Blocks)
    Costs.push_back(Model.costOf(B, false));
  Frequencies F = estimatedFrequencies(P, Placed, Costs, 1, Model.width());
  EXPECT_GT(F.Block[0], 0);
  EXPECT_EQ(F.Block[0], F.Block[7]);
}

TEST(Distinct, EstimatesWhatWasNotSeen) {
  std::mt19937 Random(1);
  std::map<unsigned, unsigned> Seen;
  for (int I = 0; I < 400; ++I)
    ++Seen[Random() % 1000];
  Distinct D;
  D.Seen = Seen.size();
  for (auto [K, N] : Seen) {
    D.Once += N == 1;
    D.Twice += N == 2;
  }
  EXPECT_NEAR(D.estimate(), 1000, 250);
  EXPECT_EQ((Distinct{5, 0, 1}.estimate()), 5);
}

TEST(AccessTable, TellsTrueFromFalseSharing) {
  AccessTable T;
  for (int I = 0; I < 50; ++I) {
    T.add(0, 0x10, 0x1000, 1, true); // One datum for both.
    T.add(0, 0x10, 0x1000, 2, true);
    T.add(0, 0x20, 0x2000, 1, true); // Neighbours in a line.
    T.add(0, 0x24, 0x2010, 2, true);
    T.add(0, 0x30, 0x3000, 1, false); // Read by both.
    T.add(0, 0x30, 0x3000, 2, false);
    T.add(0, 0x40, 0x4000 + 64 * I, 1, true); // Its own.
  }
  auto Facts = T.factsOf(0);
  EXPECT_EQ(Facts[0x10].SharedSame, 100u);
  EXPECT_EQ(Facts[0x10].SharedOther, 0u);
  EXPECT_EQ(Facts[0x20].SharedOther, 50u);
  EXPECT_EQ(Facts[0x24].SharedOther, 50u);
  EXPECT_EQ(Facts[0x20].SharedSame, 0u);
  EXPECT_EQ(Facts[0x30].SharedSame + Facts[0x30].SharedOther, 0u);
  EXPECT_EQ(Facts[0x40].Lines.Seen, 50u);
  EXPECT_EQ(Facts[0x10].Threads, 2u);
  EXPECT_TRUE(T.factsOf(1).empty());
}

TEST(AddressOf, ComputesOnlyWhatRegistersTell) {
  Registers R;
  R.Value[5] = 100;
  R.Value[2] = 3;
  MemoryOperand M;
  M.Base = 5;
  M.Index = 2;
  M.Scale = 8;
  M.Displacement = -4;
  EXPECT_EQ(addressOf(M, R, 0), 120u);
  M.Segment = true;
  EXPECT_FALSE(addressOf(M, R, 0));
  MemoryOperand Relative;
  Relative.PCRelative = true;
  Relative.Displacement = 16;
  EXPECT_EQ(addressOf(Relative, R, 0x400), 0x410u);
}

TEST(Calibration, ShiftsOnlyWhereAllLoopsAgreeOnOne) {
  SkidLoop One{"a", 1000, {0, 900, 10}}, Two{"b", 1000, {10, 10, 800}}, On{"c", 1000, {700, 0, 0}};
  SkidLoop Flat{"d", 1000, {100, 390, 100}}, Few{"e", 10, {0, 10, 0}};
  EXPECT_EQ(skidOf({One, One}), 1);
  EXPECT_EQ(skidOf({Two, Two}), 2);
  EXPECT_EQ(skidOf({On}), 0);
  EXPECT_EQ(skidOf({One, Two}), -1);
  EXPECT_EQ(skidOf({One, Flat}), -1);
  EXPECT_EQ(skidOf({One, Few}), -1);
  EXPECT_EQ(skidOf({}), -1);
}

/// A loop whose instruction 0 is a load, and 100 samples on it of 1000 executions.
class Explained : public testing::Test {
protected:
  Explained() {
    P.Blocks.push_back(blockOf(*D, Code, 0x1000));
    P.Blocks[0].Successors = {0};
    P.Blocks[0].Predecessors = {0};
    P.Blocks[0].Likelihood = {1};
    How.Block = {1000};
    How.BlockGrade = {Grade::Exact};
    How.Edge = {{1000}};
    How.EdgeGrade = {{Grade::Exact}};
    Placed = placeSamples(P, {}, How.Edge, true);
    Cost = ProcessorModel(*D).costOf(P.Blocks[0], true);
    Seen.On.DataLines = 512;
    Seen.On.DataPages = 64;
    Seen.On.CodeLines = 512;
    Seen.Probed = true;
    Seen.Code = {10, 0, 0};
  }
  Stall explained(unsigned Index, double Cycles, double Error) {
    return explain({P, {0, Index}, Cost, How, Placed, Seen, Cycles, Error, 6, 0});
  }
  static const Culprit *find(const Stall &S, Cause C) {
    for (const Culprit &K : S.Culprits)
      if (K.What == C)
        return &K;
    return nullptr;
  }
  static void expectBracket(const Stall &S) {
    double Low = S.UnexplainedLow, High = S.UnexplainedHigh;
    for (const Culprit &K : S.Culprits) {
      Low += K.Low;
      High += K.High;
    }
    EXPECT_LE(Low, S.Cycles + 1e-9);
    EXPECT_GE(High, S.Cycles - 1e-9);
  }

  std::unique_ptr<Decoder> D = decoder();
  // movq (%rsi,%rax,8), %rdx; incq %rcx; jne
  std::string Code = std::string("\x48\x8b\x14\xc6\x48\xff\xc1\x75\xf7", 9);
  Procedure P;
  BlockCost Cost;
  Frequencies How;
  PlacedSamples Placed;
  Observations Seen;
};

TEST_F(Explained, WithoutAddressesACacheMissIsOnlyPossible) {
  Stall S = explained(0, 40, 2);
  const Culprit *Cache = find(S, Cause::DataCache);
  ASSERT_TRUE(Cache);
  EXPECT_EQ(Cache->Is, Verdict::Possible);
  EXPECT_EQ(Cache->Low, 0);
  EXPECT_GT(S.UnexplainedHigh, 30);
  expectBracket(S);
}

TEST_F(Explained, ManyLinesAreACacheMissAndFewAreNot) {
  AccessFacts &F = Seen.Accesses[0x1000];
  F.Samples = 400;
  F.Lines = {390, 380, 10};
  F.Pages = {20, 0, 0};
  F.Threads = 1;
  Stall S = explained(0, 40, 2);
  EXPECT_EQ(find(S, Cause::DataCache)->Is, Verdict::Found);
  EXPECT_EQ(find(S, Cause::DataTLB)->Is, Verdict::RuledOut);
  EXPECT_EQ(find(S, Cause::FalseSharing)->Is, Verdict::RuledOut);
  EXPECT_GT(find(S, Cause::DataCache)->Low, 30);
  expectBracket(S);

  F.Lines = {100, 0, 5};
  S = explained(0, 40, 2);
  EXPECT_EQ(find(S, Cause::DataCache)->Is, Verdict::RuledOut);
  EXPECT_GT(S.UnexplainedLow, 30);
  expectBracket(S);
}

TEST_F(Explained, TwoPossibleCausesShareByBounds) {
  AccessFacts &F = Seen.Accesses[0x1000];
  F.Samples = 400;
  F.Lines = {390, 380, 10};
  F.Pages = {390, 380, 10};
  Stall S = explained(0, 40, 2);
  EXPECT_EQ(find(S, Cause::DataCache)->Low, 0);
  EXPECT_EQ(find(S, Cause::DataTLB)->Low, 0);
  expectBracket(S);
}

TEST_F(Explained, NoiseHasNoCulprit) {
  EXPECT_TRUE(explained(0, 4, 3).isNoise());
  EXPECT_TRUE(explained(0, 4, 3).Culprits.empty());
}

TEST_F(Explained, ALoopThatGoesOneWayIsForeseen) {
  Stall S = explained(2, 20, 1);
  ASSERT_TRUE(find(S, Cause::Branch));
  EXPECT_EQ(find(S, Cause::Branch)->Is, Verdict::RuledOut);
  EXPECT_EQ(find(S, Cause::CodeCache)->Is, Verdict::RuledOut);
  EXPECT_GT(S.UnexplainedLow, 15);
  expectBracket(S);
}

TEST(ExactCounts, RoundTripAndMatching) {
  auto D = decoder();
  Procedure P = shape(*D, {{1}, {}});
  P.Hash = 0xabc;
  ExactCounts Counts;
  Counts.Path = "prog";
  Counts.Procedures.push_back({"shape", 0xabc, {{0, 5}, {1, uint64_t(1) << 62}}});
  Counts.Procedures.push_back({"shape", 0xabc, {{0, 7}}});
  llvm::SmallString<64> Path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("counts", "jsonl", Path));
  {
    std::error_code EC;
    llvm::raw_fd_ostream OS(Path, EC);
    Counts.write(OS);
  }
  auto Read = ExactCounts::read(Path);
  llvm::sys::fs::remove(Path);
  ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
  auto First = Read->countsFor(P);
  ASSERT_TRUE(First);
  EXPECT_THAT(*First, ElementsAre(5, DoubleNear(std::ldexp(1, 62), 1e9)));
  EXPECT_THAT(*Read->countsFor(P, 1), ElementsAre(7, -1)); // Block 1 has no counter.
  P.Hash = 0xdef;
  EXPECT_FALSE(Read->countsFor(P));
  EXPECT_TRUE(Read->isStale(P));
  P.Name = "other";
  EXPECT_FALSE(Read->isStale(P));
}

TEST(ProbeFile, RoundTrip) {
  Observations O;
  O.Path = "/bin/x";
  O.BuildID = "ab";
  O.On = {"znver3", 2.5, 1, 512, 512, 64};
  O.PeriodNs = 500000;
  O.Samples = {{0x10, 3}, {0x20, 4}};
  O.Kernel = {{0x30, 5}};
  O.Faults = {{0x30, 14}};
  O.Code = {3, 2, 1};
  O.Accesses[0x10] = {30, {20, 10, 5}, {2, 0, 1}, 2, 6, 7};
  llvm::SmallString<64> Path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("probe", "jsonl", Path));
  {
    std::error_code EC;
    llvm::raw_fd_ostream OS(Path, EC);
    writeProbe({O}, OS);
  }
  auto Read = readProbe(Path);
  llvm::sys::fs::remove(Path);
  ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
  ASSERT_EQ(Read->size(), 1u);
  const Observations &R = Read->front();
  EXPECT_EQ(R.Samples, O.Samples);
  EXPECT_EQ(R.Kernel, O.Kernel);
  EXPECT_EQ(R.Faults, O.Faults);
  EXPECT_EQ(R.On.CPU, "znver3");
  EXPECT_EQ(R.On.Skid, 1);
  EXPECT_EQ(R.Accesses.at(0x10).SharedOther, 7u);
  EXPECT_EQ(R.Accesses.at(0x10).Lines.Once, 10u);
  EXPECT_EQ(R.total(), 7u);
}

} // namespace
