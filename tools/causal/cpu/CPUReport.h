//===- CPUReport.h - Where threads' time goes, as a report ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of `causal report` on runs of mode=cpu: the account by thread, the hottest
// functions and lines, waits with who ends them. One file for each format.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_CPU_CPUREPORT_H
#define CAUSAL_TOOL_CPU_CPUREPORT_H

#include "Report.h"
#include "lib/cpu/Account.h"
#include "lib/cpu/CPUProfile.h"

namespace causal::cpu {

/// On the runs of mode=cpu of \p P. What a reader should know of goes to \p Warnings.
std::unique_ptr<ReportPart> makeReport(const causal::Profile &P,
                                       std::vector<std::string> &Warnings);

/// Reads the runs of mode=cpu and names their code; warnings go to stderr.
CPUProfile loadCPU(const causal::Profile &P);

class Report final : public ReportPart {
public:
  Report(CPUProfile P, Account A) : P(std::move(P)), A(std::move(A)) {}

  void writeText(const ReportData &R, llvm::raw_ostream &OS) const override;
  void writeMarkdown(const ReportData &R, llvm::raw_ostream &OS) const override;
  void writeCSV(const ReportData &R, llvm::raw_ostream &OS) const override;
  void addJSON(const ReportData &R, bool ForPage, llvm::json::Object &Document) const override;

private:
  const CPUProfile P;
  const Account A;
};

/// States of which a table needs a column: those that some group spends time in.
std::vector<State> shownStates(const Account &A);
/// "12.3", or a dash for what is nothing at all.
std::string percentOf(Time Part, Time Whole);
/// "threads.cpp:12", or nothing if the line is not known.
std::string placeText(const Place &L, const llvm::StringMap<std::string> &Names);
/// "main ← start": the functions that call \p Callers' first, \p Most of them, each once.
std::string chainText(const CPUProfile &P, llvm::ArrayRef<unsigned> Callers, unsigned Most);
/// "fight, main and 3 more".
std::string whoWaits(const Account &A, const Wait &W);
/// Short names of all files that the report shows.
llvm::StringMap<std::string> fileNames(const CPUProfile &P);
/// What there is to say of all in a few sentences: on the core, off it, the longest wait.
std::vector<std::string> answers(const CPUProfile &P, const Account &A);

/// What the object "cpu" of a document says.
llvm::json::Object accountJSON(const CPUProfile &P, const Account &A, unsigned Top);
/// Adds what the page shows besides: stacks, slices of time, source.
void addPageData(const CPUProfile &P, const Account &A, SourceText &Source, llvm::json::Object &To);

} // namespace causal::cpu

#endif // CAUSAL_TOOL_CPU_CPUREPORT_H
