//===- Culprits.h - Why an instruction takes so long ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each cause is found, possible or ruled out, by a test that is stated with it. What cannot
// be tested is possible, never found. Cycles are given to a cause as a range: at least what
// no other cause can explain, at most all that it can.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPI_CULPRITS_H
#define CAUSAL_CPI_CULPRITS_H

#include "lib/continuous/cpi/Frequency.h"

namespace causal::cpi {

/// name(letter, text): the one list of causes.
#define CAUSAL_CPI_CAUSES(X)                                                                       \
  X(Dependence, 'a', "waits for a result")                                                         \
  X(Port, 'f', "waits for a port")                                                                 \
  X(Unit, 'u', "occupies a unit that is not pipelined")                                            \
  X(DataCache, 'd', "data cache miss")                                                             \
  X(DataTLB, 'D', "data TLB miss")                                                                 \
  X(Branch, 'p', "mispredicted branch")                                                            \
  X(CodeCache, 'I', "instruction cache or TLB miss")                                               \
  X(StoreBuffer, 'w', "store buffer is full")                                                      \
  X(Atomic, 's', "atomic operation or fence")                                                      \
  X(TrueSharing, 'S', "threads share the datum")                                                   \
  X(FalseSharing, 'F', "threads share the cache line, not the datum")                              \
  X(PageFault, 'P', "page faults")

enum class Cause {
#define CAUSAL_CPI_CAUSE(Name, Letter, Text) Name,
  CAUSAL_CPI_CAUSES(CAUSAL_CPI_CAUSE)
#undef CAUSAL_CPI_CAUSE
};
char letterOf(Cause C);
llvm::StringRef textOf(Cause C);

enum class Verdict { RuledOut, Possible, Found };

struct Culprit {
  Cause What;
  Verdict Is = Verdict::Possible;
  std::string Test;         ///< What was tested, and with what result.
  double Low = 0, High = 0; ///< Cycles of one execution.
  bool Foreseen = false;    ///< The model has these cycles.
};

/// The stall of one instruction, in cycles of one execution.
struct Stall {
  double Cycles = 0, Error = 0; ///< Error: one standard deviation.
  double Static = 0;            ///< Of Cycles: what the model foresees.
  std::vector<Culprit> Culprits;
  double UnexplainedLow = 0, UnexplainedHigh = 0;
  bool isNoise() const { return Cycles < 0.5 || Cycles < 3 * Error; }
};

/// What the tests look at.
struct StallContext {
  const Procedure &P;
  Place At;
  const BlockCost &Cost; ///< Of the block.
  const Frequencies &How;
  const PlacedSamples &Samples;
  const Observations &Seen;
  double Cycles; ///< One execution of the instruction, measured.
  double Error;
  unsigned Width;
  double Kernel = 0; ///< Of Cycles: in the kernel, on behalf of this instruction.
};

Stall explain(const StallContext &C);

} // namespace causal::cpi

#endif // CAUSAL_CPI_CULPRITS_H
