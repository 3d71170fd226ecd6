//===- ProcessorModel.h - What a block costs at best ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The llvm-mca library schedules a block for one CPU: all data in the first
// cache, all branches foreseen. It gives the best case and the names of static
// causes. It never gives a frequency by itself (docs/internals/frequency.md).
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPI_PROCESSORMODEL_H
#define CAUSAL_CPI_PROCESSORMODEL_H

#include "lib/continuous/cpi/Image.h"

namespace causal::cpi {

/// What holds an instruction in the model.
enum class StaticCause { None, Dependence, Port, Unit };

struct InstructionCost {
  bool Modelled = false;
  double Cycles = 0; ///< Between the retirement of the one before and its own, in the steady state.
  unsigned Latency = 0;
  StaticCause Cause = StaticCause::None;
  int Feeder = -1;      ///< Dependence: the instruction of the block that it waited for.
  std::string Resource; ///< Port or unit: which.
};

struct BlockCost {
  /// Cycles of one execution at best. Of a block that repeats itself its own dependences
  /// count, of any other only what the CPU's units and width allow.
  double BestCase = 0;
  unsigned Latency = 0; ///< Of one execution alone.
  unsigned Unmodelled = 0;
  std::vector<InstructionCost> Instructions;
};

class ProcessorModel {
public:
  explicit ProcessorModel(const Decoder &D) : D(D) {}
  /// \p Repeats: the block is its own successor.
  BlockCost costOf(const BasicBlock &Block, bool Repeats) const;
  /// Micro-operations that can leave in a cycle.
  unsigned width() const;

private:
  const Decoder &D;
};

} // namespace causal::cpi

#endif // CAUSAL_CPI_PROCESSORMODEL_H
