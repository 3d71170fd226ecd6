//===- Frequency.cpp - How often blocks and edges were run ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/cpi/Frequency.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Transforms/Utils/SampleProfileInference.h"

#include <cmath>
#include <limits>

using namespace llvm;

namespace causal::cpi {
namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();
/// Of grade M: half the width of the range, relative to its middle.
constexpr double MediumWidth = 0.25;

struct Range {
  double Low = 0, High = Infinity;
  bool exact() const { return High - Low <= 1e-9 * std::max(1.0, High); }
  double middle() const { return High == Infinity ? Low : (Low + High) / 2; }
  Grade grade() const {
    if (exact())
      return Grade::Exact;
    return High < Infinity && High - Low <= 2 * MediumWidth * middle() ? Grade::Medium : Grade::Low;
  }
  /// False if nothing is left; then this stays as it was.
  bool narrow(double NewLow, double NewHigh, bool &Changed) {
    NewLow = std::max(Low, NewLow);
    NewHigh = std::min(High, NewHigh);
    if (NewLow > NewHigh)
      return false;
    if (NewLow > Low || NewHigh < High)
      Changed = true;
    Low = NewLow;
    High = NewHigh;
    return true;
  }
};

/// An edge by its block and number.
struct EdgeName {
  unsigned From, Number;
};

/// Ranges of blocks and edges, narrowed by the conservation of flow until nothing moves.
class FlowRanges {
public:
  FlowRanges(const Procedure &P, ArrayRef<double> Counts) : P(P) {
    Blocks.resize(P.Blocks.size());
    In.resize(P.Blocks.size());
    for (unsigned B = 0; B < P.Blocks.size(); ++B) {
      if (Counts[B] >= 0)
        Blocks[B] = {Counts[B], Counts[B]};
      Edges.emplace_back(P.Blocks[B].Successors.size());
      for (unsigned S = 0; S < P.Blocks[B].Successors.size(); ++S)
        In[P.Blocks[B].Successors[S]].push_back({B, S});
    }
  }

  void solve() {
    bool Changed = true;
    for (unsigned Round = 0; Changed && Round < 4 * Blocks.size() + 16; ++Round) {
      Changed = false;
      for (unsigned B = 0; B < Blocks.size(); ++B) {
        SmallVector<Range *, 4> Incoming, Outgoing;
        for (EdgeName E : In[B])
          Incoming.push_back(&Edges[E.From][E.Number]);
        for (Range &E : Edges[B])
          Outgoing.push_back(&E);
        const BasicBlock &Block = P.Blocks[B];
        // Control also enters at the entry and at landing pads, and leaves at returns.
        balance(Blocks[B], Incoming, /*Open=*/B == 0 || Block.LandingPad, Changed);
        if (!Outgoing.empty())
          balance(Blocks[B], Outgoing, Block.Leaves || !P.Complete, Changed);
      }
    }
  }

  std::vector<Range> Blocks;
  std::vector<SmallVector<Range, 2>> Edges;
  std::vector<SmallVector<EdgeName, 4>> In;

private:
  /// \p Block is the sum of \p Side; if \p Open, at least that.
  void balance(Range &Block, ArrayRef<Range *> Side, bool Open, bool &Changed) {
    double Low = 0, High = 0;
    for (const Range *E : Side) {
      Low += E->Low;
      High += E->High;
    }
    Block.narrow(Low, Open ? Infinity : High, Changed);
    for (Range *E : Side) {
      double OthersLow = Low - E->Low;
      double OthersHigh = 0;
      for (const Range *Other : Side)
        if (Other != E)
          OthersHigh += Other->High;
      double Least = Open ? 0 : std::max(0.0, Block.Low - OthersHigh);
      double Most = std::max(0.0, Block.High - OthersLow);
      // Counts that contradict each other leave the range as it is.
      E->narrow(std::min(Least, Most), Most, Changed);
      Low = OthersLow + E->Low;
    }
  }

  const Procedure &P;
};

void findImbalance(const Procedure &P, Frequencies &F) {
  F.Imbalance.assign(P.Blocks.size(), 0);
  std::vector<double> In(P.Blocks.size());
  for (unsigned B = 0; B < P.Blocks.size(); ++B)
    for (unsigned S = 0; S < P.Blocks[B].Successors.size(); ++S)
      In[P.Blocks[B].Successors[S]] += F.Edge[B][S];
  for (unsigned B = 0; B < P.Blocks.size(); ++B) {
    const BasicBlock &Block = P.Blocks[B];
    double Out = 0;
    for (double E : F.Edge[B])
      Out += E;
    double Missing = 0;
    if (B && !Block.LandingPad)
      Missing = std::abs(F.Block[B] - In[B]);
    else
      Missing = std::max(0.0, In[B] - F.Block[B]);
    if (!Block.Leaves && P.Complete && !Block.Successors.empty())
      Missing = std::max(Missing, std::abs(F.Block[B] - Out));
    else
      Missing = std::max(Missing, Out - F.Block[B]);
    F.Imbalance[B] = Missing;
  }
}

/// Executions of a block by DCPI's rule: of windows of instructions the smaller ratios of
/// samples to the model's cycles, which no dynamic stall has made larger.
double ratioOf(ArrayRef<double> Samples, const BlockCost &Cost, double CyclesPerSample,
               unsigned Width) {
  constexpr unsigned Window = 8;
  std::vector<double> Ratios;
  for (unsigned Begin = 0; Begin < Samples.size(); Begin += Window) {
    unsigned End = std::min<unsigned>(Begin + Window, Samples.size());
    if (Begin && End - Begin < Window / 2)
      break;
    double S = 0, C = 0;
    for (unsigned I = Begin; I < End; ++I) {
      S += Samples[I];
      C += Cost.Instructions[I].Cycles;
    }
    Ratios.push_back(S * CyclesPerSample / std::max(C, double(End - Begin) / Width));
  }
  if (Ratios.empty())
    return 0;
  if (Ratios.size() == 1) {
    double S = 0;
    for (double N : Samples)
      S += N;
    return S * CyclesPerSample / std::max(Cost.BestCase, 1.0 / Width);
  }
  sort(Ratios);
  return Ratios[(Ratios.size() - 1) / 2];
}

} // namespace

Frequencies countedFrequencies(const Procedure &P, ArrayRef<double> Counts) {
  FlowRanges Flow(P, Counts);
  Flow.solve();
  Frequencies F;
  for (unsigned B = 0; B < P.Blocks.size(); ++B) {
    F.Block.push_back(Flow.Blocks[B].middle());
    F.BlockGrade.push_back(Flow.Blocks[B].grade());
    auto &Edge = F.Edge.emplace_back();
    auto &Grades = F.EdgeGrade.emplace_back();
    for (const Range &E : Flow.Edges[B]) {
      Edge.push_back(E.middle());
      Grades.push_back(E.grade());
    }
  }
  findImbalance(P, F);
  return F;
}

Frequencies estimatedFrequencies(const Procedure &P, const PlacedSamples &Samples,
                                 ArrayRef<BlockCost> Costs, double CyclesPerSample,
                                 unsigned Width) {
  // Whole numbers flow there, so executions are counted in small parts of the largest.
  std::vector<double> Raw;
  double Largest = 0;
  for (unsigned B = 0; B < P.Blocks.size(); ++B) {
    Raw.push_back(ratioOf(Samples.Shifted[B], Costs[B], CyclesPerSample, Width));
    Largest = std::max(Largest, Raw.back());
  }
  double Scale = Largest > 0 ? 1e6 / Largest : 1;
  FlowFunction Function;
  Function.Entry = 0;
  Function.Blocks.resize(P.Blocks.size());
  for (unsigned B = 0; B < P.Blocks.size(); ++B) {
    FlowBlock &Block = Function.Blocks[B];
    Block.Index = B;
    Block.Weight = std::llround(Raw[B] * Scale);
    // No sample is no proof that it never ran.
    Block.HasUnknownWeight = Samples.OfBlock[B] <= 0;
    for (unsigned S : P.Blocks[B].Successors) {
      FlowJump Jump;
      Jump.Source = B;
      Jump.Target = S;
      Function.Jumps.push_back(Jump);
    }
  }
  for (FlowJump &Jump : Function.Jumps) {
    Function.Blocks[Jump.Source].SuccJumps.push_back(&Jump);
    Function.Blocks[Jump.Target].PredJumps.push_back(&Jump);
  }
  // More and less cost the same: what is sought is how often, not what to optimise for.
  ProfiParams Parameters;
  Parameters.CostBlockInc = Parameters.CostBlockDec = 10;
  Parameters.CostBlockEntryInc = Parameters.CostBlockEntryDec = 10;
  Parameters.CostBlockZeroInc = 11;
  Parameters.EvenFlowDistribution = true;
  Parameters.RebalanceUnknown = true;
  Parameters.JoinIslands = true;
  applyFlowInference(Parameters, Function);

  Frequencies F;
  size_t Jump = 0;
  for (unsigned B = 0; B < P.Blocks.size(); ++B) {
    F.Block.push_back(Function.Blocks[B].Flow / Scale);
    F.BlockGrade.push_back(Grade::Low);
    auto &Edge = F.Edge.emplace_back();
    for (size_t S = 0; S < P.Blocks[B].Successors.size(); ++S)
      Edge.push_back(Function.Jumps[Jump++].Flow / Scale);
    F.EdgeGrade.emplace_back(Edge.size(), Grade::Low);
  }
  findImbalance(P, F);
  return F;
}

} // namespace causal::cpi
