//===- ReportCommand.cpp - causal report ----------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Report.h"

#include "llvm/Support/Process.h"

#include <algorithm>
#include <tuple>

using namespace llvm;

namespace causal {

cl::SubCommand
    ReportCommand("report",
                  "Rank the source lines by what optimising them would bring");

namespace {
enum class ReportFormat { Text, JSON };
constexpr size_t DefaultWidth = 120, MinWidth = 60, MaxWidth = 160;
} // namespace

static cl::list<std::string> Inputs(cl::Positional, cl::desc("[profile...]"),
                                    cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<ReportFormat> Format(
    "format", cl::init(ReportFormat::Text), cl::desc("How to write the report"),
    cl::values(clEnumValN(ReportFormat::Text, "text", "a table (default)"),
               clEnumValN(ReportFormat::JSON, "json", "for programs")),
    cl::sub(ReportCommand), cl::cat(Options));
static cl::list<unsigned>
    At("at", cl::CommaSeparated, cl::value_desc("percent,..."),
       cl::desc("Line speedups to predict for (default: 25,50,75)"),
       cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<std::string> OnlyLine(
    "line", cl::value_desc("file:line"),
    cl::desc("Plot the curve of one line; a trailing part of the path will do"),
    cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<std::string>
    OnlyPoint("point", cl::value_desc("name"),
              cl::desc("Report on this progress point alone"),
              cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<unsigned>
    Top("top", cl::init(10), cl::value_desc("n"),
        cl::desc("Lines to show for a progress point (default: 10; 0: all)"),
        cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<std::string>
    SourceRoot("source-root", cl::value_desc("dir"),
               cl::desc("Where to look for source files that have moved"),
               cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<bool>
    NoPhase("no-phase-correction",
            cl::desc("Show effects as measured while the line ran"),
            cl::sub(ReportCommand), cl::cat(Options));

/// A point without a name is called after its place: the file name will do.
static bool isNamed(const ProgressPoint &Point, StringRef Name) {
  return Point.Name == Name ||
         StringRef(Point.Name).ends_with(("/" + Name).str());
}

static Expected<std::vector<PointReport>> reportOnPoints(const Profile &P) {
  ModelOptions Model;
  Model.PhaseCorrection = !NoPhase;
  std::vector<PointReport> Points;
  std::string Names;
  for (unsigned Point = 0; Point < P.points().size(); ++Point) {
    Names += (Names.empty() ? "" : ", ") + printable(P.points()[Point].Name);
    if (OnlyPoint.empty() || isNamed(P.points()[Point], OnlyPoint))
      Points.push_back({summarize(P, Point), rankLines(P, Point, Model)});
  }
  if (Points.empty() && !OnlyPoint.empty())
    return createStringError(
        inconvertibleErrorCode(),
        "no progress point '" + OnlyPoint +
            "'; the profile has: " + (Names.empty() ? "none" : Names));
  llvm::sort(Points, [&](const PointReport &A, const PointReport &B) {
    bool LA = P.points()[A.Summary.Point].Kind == PointKind::Latency;
    bool LB = P.points()[B.Summary.Point].Kind == PointKind::Latency;
    return std::tie(LA, B.Summary.Visits, A.Summary.Point) <
           std::tie(LB, A.Summary.Visits, B.Summary.Point);
  });
  return Points;
}

Error runReport() {
  std::vector<unsigned> Speedups(At.begin(), At.end());
  if (Speedups.empty())
    Speedups = {25, 50, 75};
  for (unsigned S : Speedups)
    if (S < 1 || S > 100)
      return createStringError(inconvertibleErrorCode(),
                               "--at takes percentages from 1 to 100, not " +
                                   Twine(S));
  if (Speedups.size() > 5)
    return createStringError(inconvertibleErrorCode(),
                             "--at takes five percentages at most");

  Expected<Profile> P = readProfile(Inputs);
  if (!P)
    return P.takeError();
  Expected<std::vector<PointReport>> Points = reportOnPoints(*P);
  if (!Points)
    return Points.takeError();
  size_t Width = sys::Process::StandardOutColumns();
  Width = Width ? std::clamp(Width, MinWidth, MaxWidth) : DefaultWidth;
  SourceText Source(SourceRoot);
  ReportData R{
      *P,       totalsOf(*P), warningsOn(*P), whyEmpty(*P), std::move(*Points),
      Speedups, Top,          Width,          Source};

  if (!OnlyLine.empty()) {
    Expected<unsigned> Line = findLine(*P, OnlyLine);
    if (!Line)
      return Line.takeError();
    if (Format == ReportFormat::JSON) {
      R.Top = 0;
      for (PointReport &PR : R.Points)
        erase_if(PR.Curves,
                 [&](const LineCurve &C) { return C.Line != *Line; });
      writeJSON(R, outs());
    } else {
      writeLine(R, *Line, outs());
    }
  } else if (Format == ReportFormat::JSON) {
    writeJSON(R, outs());
  } else {
    writeText(R, outs());
  }
  if (R.Empty)
    return createStringError(inconvertibleErrorCode(), R.Empty->Sentence);
  return Error::success();
}

} // namespace causal
