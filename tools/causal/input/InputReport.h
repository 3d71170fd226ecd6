//===- InputReport.h - The report on runs of mode=input ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How cost grows with input: causes first, then routines by own cost. InputReport.cpp has
// what people read, InputReportData.cpp what programs read.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_INPUTREPORT_H
#define CAUSAL_TOOL_INPUTREPORT_H

#include "Report.h"
#include "lib/input/RootCause.h"

#include "llvm/ADT/StringMap.h"

namespace causal {

class InputReport final : public ReportPart {
public:
  InputReport(const Profile &P, std::vector<InputModel> Models);

  void writeText(const ReportData &R, llvm::raw_ostream &OS) const override;
  void writeMarkdown(const ReportData &R, llvm::raw_ostream &OS) const override;
  void writeCSV(const ReportData &R, llvm::raw_ostream &OS) const override;
  void addJSON(const ReportData &R, bool ForPage, llvm::json::Object &Document) const override;

private:
  const InputModel &model() const { return Models.front(); }
  std::string head() const;
  void writeCause(const ReportData &R, unsigned Rank, const RootCause &C,
                  llvm::raw_ostream &OS) const;
  void writeRoutine(const ReportData &R, unsigned Rank, unsigned Index,
                    llvm::raw_ostream &OS) const;
  std::string place(const InputRoutine &R) const;
  std::string under(const RootCause &C) const;
  std::string numbers(const RootCause &C) const;
  /// The routines that cost most, as many as --top says.
  std::vector<unsigned> shown(const ReportData &R) const;
  llvm::json::Object routine(const ReportData &R, unsigned Index, size_t PointStep,
                             bool ForPage) const;

  std::vector<std::string> Programs;
  std::vector<InputModel> Models; ///< The one that is ranked first; of other metrics behind.
  Ranking Ranks;                  ///< Of model().
  llvm::StringMap<std::string> FileNames;
};

/// On the runs of mode=input in \p P, of which there are some; an error if they do not add up.
llvm::Expected<std::unique_ptr<ReportPart>> makeInputReport(const Profile &P, bool ThreadsApart);

/// "1.23M": three digits and a unit, for calls and costs.
std::string formatCount(double N);
/// "n to n log n (97 %)", or why nothing is claimed.
std::string formatGrowth(const Growth &G);
/// "2.00 (1.95 to 2.04)"; a dash where it is not known.
std::string formatExponent(const Growth &G);
/// The name without its parameters, and with its thread if threads stand apart.
std::string routineName(const InputRoutine &R);

} // namespace causal

#endif // CAUSAL_TOOL_INPUTREPORT_H
