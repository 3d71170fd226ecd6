//===- InstructionReport.h - Prints the analysis by instruction -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_INSTRUCTIONREPORT_H
#define CAUSAL_TOOL_INSTRUCTIONREPORT_H

#include "lib/continuous/cpi/Analysis.h"
#include "lib/continuous/cpi/SourceLines.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace causal {

struct InstructionReport {
  const cpi::Decoder &D;
  const cpi::SourceLines &Lines;
  const cpi::Observations &Seen;
  llvm::raw_ostream &OS;

  /// Every instruction with samples, frequency and cycles.
  void list(const cpi::ProcedureResult &R, bool WithSource) const;
  /// Every block: best case, actual, where control goes; culprits above what they hold up.
  void calc(const cpi::ProcedureResult &R, bool WithRuledOut) const;
  /// The longest stalls of all that was analysed.
  void stalls(llvm::ArrayRef<cpi::ProcedureResult> All, unsigned Top) const;
  /// What grades and letters mean.
  void legend() const;
  /// All of it, for programs and for the page.
  llvm::json::Value json(llvm::ArrayRef<cpi::ProcedureResult> All) const;
  /// The same as the page has it.
  llvm::json::Object page(llvm::ArrayRef<cpi::ProcedureResult> All) const;

private:
  void head(const cpi::ProcedureResult &R) const;
};

} // namespace causal

#endif // CAUSAL_TOOL_INSTRUCTIONREPORT_H
