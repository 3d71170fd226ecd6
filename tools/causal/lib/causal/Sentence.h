//===- Sentence.h - A curve in plain words ----------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a line's curve says, for a reader who has not learnt to read curves. Used
// by every form of the report. Says nothing that the interval does not support.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_SENTENCE_H
#define CAUSAL_ANALYSIS_SENTENCE_H

#include "lib/causal/SpeedupModel.h"

namespace causal {

/// "if this took 30 % less time, the program would take 11 % less (9 to 13); beyond 30 %
/// nothing more".
std::string describe(const LineCurve &C, PointKind Kind);

/// What to say of units of work that differ; empty where it is nothing.
std::string describeWork(const PointSummary &Summary, WorkPrior Prior, bool AnyUnclear);

/// That lines surely bring more, one by one, than all code that much faster would; empty if
/// they do not. \p Curves: of targets that have no code in common, for a point that counts
/// throughput or runs.
std::string describeSum(llvm::ArrayRef<const LineCurve *> Curves, llvm::StringRef Target);

} // namespace causal

#endif // CAUSAL_ANALYSIS_SENTENCE_H
