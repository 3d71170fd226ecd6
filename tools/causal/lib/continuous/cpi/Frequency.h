//===- Frequency.h - How often blocks and edges were run --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each number has a grade that says where it comes from, and each grade has a rule that
// benchmarks/cpi/accuracy.py checks against exact counts:
//
//   X  counted, or what the conservation of flow leaves no choice of
//   M  the conservation of flow leaves a range of at most 25 % to either side
//   L  samples divided by the model's cycles, made consistent; may be far off
//
// In every block as much flows in as out. Where counts say otherwise (an exception that
// leaves in the middle of a block), the block says by how much.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPI_FREQUENCY_H
#define CAUSAL_CPI_FREQUENCY_H

#include "lib/continuous/cpi/ProcessorModel.h"
#include "lib/continuous/cpi/SampleShift.h"

namespace causal::cpi {

enum class Grade : char { Exact = 'X', Medium = 'M', Low = 'L' };

struct Frequencies {
  std::vector<double> Block;
  std::vector<Grade> BlockGrade;
  PerEdge Edge;
  std::vector<llvm::SmallVector<Grade, 2>> EdgeGrade;
  /// Executions of a block that its edges do not account for.
  std::vector<double> Imbalance;
};

/// From counts of blocks; a negative one is not known.
Frequencies countedFrequencies(const Procedure &P, llvm::ArrayRef<double> Counts);

/// From \p Samples, each of \p CyclesPerSample, and \p Costs: grade L throughout.
Frequencies estimatedFrequencies(const Procedure &P, const PlacedSamples &Samples,
                                 llvm::ArrayRef<BlockCost> Costs, double CyclesPerSample,
                                 unsigned Width);

} // namespace causal::cpi

#endif // CAUSAL_CPI_FREQUENCY_H
