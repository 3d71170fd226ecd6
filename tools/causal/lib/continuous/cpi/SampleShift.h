//===- SampleShift.h - From where a sample fell to its cause ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A timer interrupts behind the instruction that retires, so a sample belongs to the
// instruction before it in order of execution. At the first instruction of a block that is
// the end of one of its predecessors: they share it as their edges were run.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPI_SAMPLESHIFT_H
#define CAUSAL_CPI_SAMPLESHIFT_H

#include "lib/continuous/cpi/Image.h"
#include "lib/continuous/cpi/Observations.h"

namespace causal::cpi {

/// One number for each instruction, by block and index.
using PerInstruction = std::vector<std::vector<double>>;
/// One for each edge, by block and number of the successor.
using PerEdge = std::vector<llvm::SmallVector<double, 2>>;

struct PlacedSamples {
  PerInstruction Raw;          ///< Where they fell.
  PerInstruction Shifted;      ///< Where they belong; as Raw, if they are not shifted.
  std::vector<double> OfBlock; ///< Sums of Shifted.
  double AtEntry = 0;          ///< Fell on the entry: their cause is in a caller. They stay there.
  double Outside = 0;          ///< Inside the procedure, on no instruction.
};

/// \p Weights: how often each edge was run, in any unit; what has none shares equally.
PlacedSamples placeSamples(const Procedure &P, const std::map<uint64_t, uint64_t> &Samples,
                           const PerEdge &Weights, bool Shift);
/// The compiler's guesses as weights.
PerEdge guessedEdges(const Procedure &P);

} // namespace causal::cpi

#endif // CAUSAL_CPI_SAMPLESHIFT_H
