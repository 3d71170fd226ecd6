//===- Analysis.cpp - A procedure by instruction --------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/cpi/Analysis.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace llvm;

namespace causal::cpi {
namespace {

/// 95 % of a normal distribution.
constexpr double Deviations = 1.96;

std::optional<Cycles> cyclesOf(double Samples, double CyclesPerSample, double Executions) {
  if (CyclesPerSample <= 0 || Executions <= 0)
    return std::nullopt;
  double One = CyclesPerSample / Executions;
  double Half = Deviations * std::sqrt(std::max(Samples, 1.0));
  return Cycles{Samples * One, std::max(0.0, Samples - Half) * One, (Samples + Half) * One};
}

} // namespace

std::vector<std::pair<const Symbol *, uint64_t>> Analysis::hotSymbols() const {
  std::vector<std::pair<const Symbol *, uint64_t>> Hot;
  for (const Symbol &S : I.symbols()) {
    uint64_t Sum = 0;
    auto End = Seen.Samples.lower_bound(S.Address + S.Size);
    for (auto At = Seen.Samples.lower_bound(S.Address); At != End; ++At)
      Sum += At->second;
    if (Sum)
      Hot.push_back({&S, Sum});
  }
  sort(Hot, [](const auto &A, const auto &B) {
    return std::make_pair(B.second, A.first->Address) < std::make_pair(A.second, B.first->Address);
  });
  return Hot;
}

Expected<ProcedureResult> Analysis::analyse(const Symbol &S) const {
  Expected<Procedure> P = I.procedure(S, D);
  if (!P)
    return P.takeError();
  ProcedureResult R;
  R.P = std::move(*P);
  ProcessorModel Model(D);
  unsigned Width = Model.width();
  std::vector<BlockCost> Costs;
  unsigned Unmodelled = 0;
  for (unsigned B = 0; B < R.P.Blocks.size(); ++B) {
    Costs.push_back(Model.costOf(R.P.Blocks[B], is_contained(R.P.Blocks[B].Successors, B)));
    Unmodelled += Costs.back().Unmodelled;
  }

  R.Shifted = Seen.On.Skid == 1;
  if (!R.Shifted)
    R.Notes.push_back(
        Seen.On.Skid < 0
            ? "samples are not shifted to their causes: how far they fall behind was not measured "
              "on this machine; run `causal db calibrate` there"
            : "samples are not shifted to their causes: on this machine they do not fall one "
              "instruction behind");
  double CyclesPerSample = Seen.PeriodNs * Seen.On.GHz;
  if (CyclesPerSample <= 0)
    R.Notes.push_back("no cycles: the clock of this machine was not measured; run `causal db "
                      "calibrate` there");

  // Which of several static functions with this name it is.
  unsigned Number = 0;
  for (const Symbol &Other : I.symbols())
    Number += Other.Name == S.Name && Other.Address < S.Address;
  std::optional<std::vector<double>> Counts =
      Options.Counts ? Options.Counts->countsFor(R.P, Number) : std::nullopt;
  PlacedSamples Placed;
  if (Counts) {
    for (double &N : *Counts)
      N = N < 0 ? N : N * Options.Runs;
    R.How = countedFrequencies(R.P, *Counts);
    Placed = placeSamples(R.P, Seen.Samples, R.How.Edge, R.Shifted);
  } else {
    if (Options.Counts)
      R.Notes.push_back(Options.Counts->isStale(R.P)
                            ? "not counted: the counting build has another control flow here; "
                              "build both from the same source with the same options"
                            : "not counted: the counting build has no such function");
    Placed = placeSamples(R.P, Seen.Samples, guessedEdges(R.P), R.Shifted);
    // Only ratios matter to the shape where no clock is known.
    double Unit = CyclesPerSample > 0 ? CyclesPerSample : 1;
    R.How = estimatedFrequencies(R.P, Placed, Costs, Unit, Width);
    // Shares of edges are better known now.
    Placed = placeSamples(R.P, Seen.Samples, R.How.Edge, R.Shifted);
  }
  if (!R.P.Complete)
    R.Notes.push_back("where an indirect jump leads is not known: build with -fcausal-profile=cpi");
  else if (!R.P.HasMap)
    R.Notes.push_back("control flow is disassembled: -fcausal-profile=cpi gives the compiler's");
  if (Unmodelled)
    R.Notes.push_back(std::to_string(Unmodelled) +
                      " instructions have no model for this CPU and count as nothing");

  uint64_t Total = Seen.total();
  R.AtEntry = Placed.AtEntry;
  R.Outside = Placed.Outside;
  for (unsigned B = 0; B < R.P.Blocks.size(); ++B) {
    BlockResult Block;
    Block.Samples = Placed.OfBlock[B];
    Block.Executions = R.How.Block[B];
    Block.How = R.How.BlockGrade[B];
    Block.Actual = cyclesOf(Block.Samples, CyclesPerSample, Block.Executions);
    for (unsigned J = 0; J < R.P.Blocks[B].Instructions.size(); ++J) {
      InstructionResult One;
      One.Raw = Placed.Raw[B][J];
      One.Samples = Placed.Shifted[B][J];
      R.Samples += One.Raw;
      // A fault's time is its own instruction's: the kernel returns to it.
      uint64_t At = R.P.Blocks[B].Instructions[J].Address;
      auto Kernel = Seen.Kernel.find(At);
      if (Kernel != Seen.Kernel.end() && Seen.Faults.count(At))
        One.Kernel = Kernel->second;
      double All = One.Samples + One.Kernel;
      One.Actual = cyclesOf(All, CyclesPerSample, Block.Executions);
      if (One.Actual && All > 0)
        One.Why = explain({R.P,
                           {B, J},
                           Costs[B],
                           R.How,
                           Placed,
                           Seen,
                           One.Actual->Value,
                           std::sqrt(All) * CyclesPerSample / Block.Executions,
                           Width,
                           One.Kernel * CyclesPerSample / Block.Executions});
      Block.Instructions.push_back(std::move(One));
    }
    Block.Cost = std::move(Costs[B]);
    R.Blocks.push_back(std::move(Block));
  }
  R.Share = Total ? R.Samples / Total : 0;
  return R;
}

} // namespace causal::cpi
