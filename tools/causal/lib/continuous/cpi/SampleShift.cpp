//===- SampleShift.cpp - From where a sample fell to its cause ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/cpi/SampleShift.h"

using namespace llvm;

namespace causal::cpi {
namespace {

/// Gives \p Amount to the last instructions before block \p B. Empty blocks are passed through;
/// \p Depth ends a cycle of them.
void giveToPredecessors(const Procedure &P, unsigned B, double Amount, const PerEdge &Weights,
                        PerInstruction &To, unsigned Depth) {
  SmallVector<std::pair<unsigned, double>, 4> Shares;
  double Sum = 0;
  for (unsigned Pred : P.Blocks[B].Predecessors)
    for (unsigned S = 0; S < P.Blocks[Pred].Successors.size(); ++S)
      if (P.Blocks[Pred].Successors[S] == B) {
        Shares.push_back({Pred, Weights[Pred][S]});
        Sum += Weights[Pred][S];
      }
  if (Shares.empty() || Depth > P.Blocks.size()) {
    if (!To[B].empty())
      To[B][0] += Amount;
    return;
  }
  for (auto [Pred, Weight] : Shares) {
    double Part = Sum > 0 ? Amount * Weight / Sum : Amount / Shares.size();
    if (Part <= 0)
      continue;
    if (To[Pred].empty())
      giveToPredecessors(P, Pred, Part, Weights, To, Depth + 1);
    else
      To[Pred].back() += Part;
  }
}

} // namespace

PerEdge guessedEdges(const Procedure &P) {
  PerEdge Weights;
  for (const BasicBlock &B : P.Blocks)
    Weights.push_back(SmallVector<double, 2>(B.Likelihood.begin(), B.Likelihood.end()));
  return Weights;
}

PlacedSamples placeSamples(const Procedure &P, const std::map<uint64_t, uint64_t> &Samples,
                           const PerEdge &Weights, bool Shift) {
  PlacedSamples Result;
  for (const BasicBlock &B : P.Blocks) {
    Result.Raw.emplace_back(B.Instructions.size());
    Result.Shifted.emplace_back(B.Instructions.size());
  }
  for (unsigned B = 0; B < P.Blocks.size(); ++B) {
    const BasicBlock &Block = P.Blocks[B];
    auto End = Samples.lower_bound(Block.end());
    unsigned I = 0;
    for (auto S = Samples.lower_bound(Block.Address); S != End; ++S) {
      while (I < Block.Instructions.size() && Block.Instructions[I].Address < S->first)
        ++I;
      if (I == Block.Instructions.size() || Block.Instructions[I].Address != S->first) {
        Result.Outside += S->second;
        continue;
      }
      double N = S->second;
      Result.Raw[B][I] += N;
      if (!Shift) {
        Result.Shifted[B][I] += N;
      } else if (I) {
        Result.Shifted[B][I - 1] += N;
      } else if (B == 0 && Block.Predecessors.empty()) {
        Result.AtEntry += N;
        Result.Shifted[B][0] += N;
      } else {
        giveToPredecessors(P, B, N, Weights, Result.Shifted, 0);
      }
    }
  }
  for (const std::vector<double> &Block : Result.Shifted) {
    double Sum = 0;
    for (double N : Block)
      Sum += N;
    Result.OfBlock.push_back(Sum);
  }
  return Result;
}

} // namespace causal::cpi
