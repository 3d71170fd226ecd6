//===- Report.h - Views of the model ----------------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `causal report` shows, computed once, and the ways of writing it.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_REPORT_H
#define CAUSAL_TOOL_REPORT_H

#include "lib/causal/Diagnosis.h"
#include "lib/causal/EmptyProfile.h"
#include "lib/causal/SpeedupModel.h"
#include "lib/container/SourceText.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace causal {

struct PointReport {
  PointSummary Summary;
  std::vector<LineCurve> Curves; ///< Best first.
  std::string Note;              ///< On the point as a whole; may be empty.
  /// A point reported on before, all of whose measurements are the same: index into points().
  std::optional<unsigned> SameAs = std::nullopt;
};

struct ReportData;

/// What the runs of another mode than causal add to a report.
class ReportPart {
public:
  virtual ~ReportPart() = default;
  virtual void writeText(const ReportData &R, llvm::raw_ostream &OS) const = 0;
  virtual void writeMarkdown(const ReportData &R, llvm::raw_ostream &OS) const = 0;
  virtual void writeCSV(const ReportData &R, llvm::raw_ostream &OS) const = 0;
  /// Puts its object into the document, and what it knows of the runs into "runs". \p ForPage:
  /// with all that the page shows.
  virtual void addJSON(const ReportData &R, bool ForPage, llvm::json::Object &Document) const = 0;
};

struct ReportData {
  const Profile &P;
  Totals Sum;
  std::vector<std::string> Warnings;
  std::optional<Emptiness> Empty;
  std::vector<PointReport> Points; ///< Throughput first, the most visited first.
  std::vector<unsigned> At;        ///< Line speedups to predict for, percent.
  unsigned Top;                    ///< Lines to show; 0: all.
  size_t Width;                    ///< Columns of the output.
  SourceText &Source;
  std::string Group; ///< With --by: what all runs of this report share.
  /// One for each mode but causal that the profile has.
  std::vector<std::unique_ptr<ReportPart>> Parts = {};
  /// Whether there are causal runs, which the rest is about.
  bool HasCausal = true;
  const Profile *All = nullptr; ///< Runs of all modes; null: P.
};

void writeText(const ReportData &R, llvm::raw_ostream &OS);
/// How much of a report goes into JSON.
struct JSONDetail {
  size_t Lines = SIZE_MAX; ///< Of a point; those beyond have a coarse curve alone.
  size_t PointStep = 1;    ///< Every how-manieth experiment of a line.
  bool ForPage = false;    ///< With all that the page shows.
};
llvm::json::Object makeJSON(const ReportData &R, const JSONDetail &Detail);
void writeJSON(const ReportData &R, llvm::raw_ostream &OS);
/// One file that loads nothing; fails if the page was not built in.
llvm::Error writeHTML(const ReportData &R, llvm::raw_ostream &OS);
/// The same for a document in the form of the JSON report.
llvm::Error writePage(llvm::json::Object Document, llvm::raw_ostream &OS);
/// A code span that may stand in a table. Nothing else ends it: its fence is longer than any
/// row of backquotes in it.
std::string markdownCode(llvm::StringRef Text);
/// Text in which nothing is a tag.
std::string markdownText(llvm::StringRef Text);
/// A field of CSV.
std::string csvQuoted(llvm::StringRef Text);
void writeMarkdown(const ReportData &R, llvm::raw_ostream &OS);
void writeCSV(const ReportData &R, llvm::raw_ostream &OS);
/// The curves of one line for all points, as a plot and a table of cells.
void writeLine(const ReportData &R, unsigned Line, llvm::raw_ostream &OS);
/// The head of the text report: the runs, and warnings.
void writeHeader(const ReportData &R, llvm::raw_ostream &OS);

/// Names of the points whose measurements are all the same as those of this one.
std::string namesOfTwins(const ReportData &R, const PointReport &PR);

/// The lines to show, the best first; unless all are asked for, without cold ones that have no
/// effect.
std::vector<const LineCurve *> shownCurves(const ReportData &R, const PointReport &PR);
/// "14 more lines, none of which may bring more than 2.1 %"; empty if all are shown.
std::string describeRest(const ReportData &R, const PointReport &PR);

/// What to do about lines whose verdict is unclear, and for how long.
std::string adviceOnUnclear(const ReportData &R, const PointReport &PR);

/// Green for what speeds up, red for what slows down, else as it was.
llvm::raw_ostream::Colors colorOf(Verdict V);

/// "+4.5 ±0.3", value and 95 % interval (the longer side) of a fraction in
/// percent, padded on the left to \p Width columns; a dash where there is no
/// estimate.
std::string formatGain(std::optional<Estimate> E, unsigned Width);

} // namespace causal

#endif // CAUSAL_TOOL_REPORT_H
