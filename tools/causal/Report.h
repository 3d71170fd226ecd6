//===- Report.h - Views of the model -----------------------------*- C++
//-*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `causal report` shows, computed once, and the two ways of writing it.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_REPORT_H
#define CAUSAL_TOOL_REPORT_H

#include "lib/Diagnosis.h"
#include "lib/SourceText.h"
#include "lib/SpeedupModel.h"

#include "llvm/Support/raw_ostream.h"

namespace causal {

struct PointReport {
  PointSummary Summary;
  std::vector<LineCurve> Curves; ///< Best first.
};

struct ReportData {
  const Profile &P;
  Totals Sum;
  std::vector<std::string> Warnings;
  std::optional<Emptiness> Empty;
  std::vector<PointReport>
      Points;               ///< Throughput first, the most visited first.
  std::vector<unsigned> At; ///< Line speedups to predict for, percent.
  unsigned Top;             ///< Lines to show; 0: all.
  size_t Width;             ///< Columns of the output.
  SourceText &Source;
};

void writeText(const ReportData &R, llvm::raw_ostream &OS);
void writeJSON(const ReportData &R, llvm::raw_ostream &OS);
/// The curves of one line for all points, as a plot and a table of cells.
void writeLine(const ReportData &R, unsigned Line, llvm::raw_ostream &OS);
/// The head of the text report: the runs, and warnings.
void writeHeader(const ReportData &R, llvm::raw_ostream &OS);

/// "+4.5 ±0.3", of a fraction in percent, padded on the left to \p Width
/// columns; a dash where there is no estimate.
std::string formatGain(std::optional<Estimate> E, unsigned Width);

} // namespace causal

#endif // CAUSAL_TOOL_REPORT_H
