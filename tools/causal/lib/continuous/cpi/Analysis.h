//===- Analysis.h - A procedure by instruction ------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the parts together: where samples belong, how often blocks ran, what each
// instruction took, and why. `causal db list`, `calc`, `stalls` and the page print it.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPI_ANALYSIS_H
#define CAUSAL_CPI_ANALYSIS_H

#include "lib/continuous/cpi/Culprits.h"
#include "lib/continuous/cpi/ExactCounts.h"

namespace causal::cpi {

/// A measured number of cycles with its 95 % interval from the number of samples. Where the
/// frequency is of grade L the interval says nothing of the frequency's own error.
struct Cycles {
  double Value = 0, Low = 0, High = 0;
};

struct InstructionResult {
  double Raw = 0, Samples = 0;
  double Kernel = 0;            ///< Samples in the kernel, of its page faults.
  std::optional<Cycles> Actual; ///< Of one execution; none: never run, or no clock is known.
  Stall Why;
};

struct BlockResult {
  double Samples = 0;
  double Executions = 0;
  Grade How = Grade::Low;
  BlockCost Cost;
  std::optional<Cycles> Actual; ///< Of one execution.
  std::vector<InstructionResult> Instructions;
};

struct ProcedureResult {
  Procedure P;
  double Samples = 0; ///< Without shifting: of this procedure's addresses.
  double Share = 0;   ///< Of the image.
  Frequencies How;
  std::vector<BlockResult> Blocks;
  double AtEntry = 0, Outside = 0;
  bool Shifted = false;
  std::vector<std::string> Notes; ///< What a reader must know of these numbers.
};

struct AnalysisOptions {
  const ExactCounts *Counts = nullptr;
  double Runs = 1; ///< So many runs were sampled as one was counted.
};

class Analysis {
public:
  Analysis(const Image &I, const Decoder &D, const Observations &Seen, AnalysisOptions Options)
      : I(I), D(D), Seen(Seen), Options(Options) {}
  llvm::Expected<ProcedureResult> analyse(const Symbol &S) const;
  /// Functions with samples, the most first.
  std::vector<std::pair<const Symbol *, uint64_t>> hotSymbols() const;

private:
  const Image &I;
  const Decoder &D;
  const Observations &Seen;
  AnalysisOptions Options;
};

} // namespace causal::cpi

#endif // CAUSAL_CPI_ANALYSIS_H
