//===- ReportCommand.cpp - causal report ----------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Report.h"
#include "Terminal.h"
#include "causal/ProfileFormat.h"
#include "cpu/CPUReport.h"
#include "db/DatabaseCommands.h"
#include "input/ByInput.h"
#include "input/InputReport.h"
#include "lib/causal/Sentence.h"
#include "lib/container/BuildMatch.h"
#include "lib/container/RunModes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"

#include <algorithm>
#include <tuple>

using namespace llvm;

namespace causal {

cl::SubCommand ReportCommand("report",
                             "Rank source lines or functions by what optimising them would bring");

namespace {
enum class Grouping { None, Host, Build, Run, Thread };
enum class ReportFormat { Text, JSON, Markdown, CSV };
} // namespace

static cl::list<std::string> Inputs(cl::Positional, cl::desc("[profile...]"),
                                    cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<ReportFormat>
    Format("format", cl::init(ReportFormat::Text), cl::desc("How to write the report"),
           cl::values(clEnumValN(ReportFormat::Text, "text", "a table (default)"),
                      clEnumValN(ReportFormat::JSON, "json", "for programs"),
                      clEnumValN(ReportFormat::Markdown, "markdown", "for a pull request"),
                      clEnumValN(ReportFormat::CSV, "csv", "for a spreadsheet")),
           cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<std::string> HTML("html", cl::value_desc("file"),
                                 cl::desc("Write a page to read in a browser, with all lines"),
                                 cl::sub(ReportCommand), cl::cat(Options));
static cl::list<unsigned>
    At("at", cl::CommaSeparated, cl::value_desc("percent,..."),
       cl::desc("Up to five line speedups to predict for (default: 25,50,75)"),
       cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<std::string>
    OnlyLine("line", cl::value_desc("file:line"),
             cl::desc("Plot the curve of one line, of a function as file:name, or of a critical "
                      "section as file:line:lock; a trailing part of the path will do; or "
                      "several that were one target, as fixed_line= had them"),
             cl::sub(ReportCommand), cl::cat(Options));
std::string PointShown;
static PointOption Point(ReportCommand);
unsigned TopLinesShown = 10;
static TopOption Top(ReportCommand);
static cl::opt<std::string> SourceRoot("source-root", cl::value_desc("dir"),
                                       cl::desc("Where to look for source files that have moved"),
                                       cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<Grouping> By("by", cl::init(Grouping::None), cl::desc("Write a separate report per"),
                            cl::values(clEnumValN(Grouping::Host, "host", "machine"),
                                       clEnumValN(Grouping::Build, "build", "build of the program"),
                                       clEnumValN(Grouping::Run, "run", "run"),
                                       clEnumValN(Grouping::Thread, "thread",
                                                  "thread: its routines stand for themselves "
                                                  "(mode=input)")),
                            cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<RunMode>
    OnlyMode("mode", cl::desc("Report on runs of this mode alone (default: on all)"),
             cl::values(clEnumValN(RunMode::Causal, "causal", "what optimising would bring"),
                        clEnumValN(RunMode::CPU, "cpu", "where threads' time goes"),
                        clEnumValN(RunMode::Input, "input", "how cost grows with input")),
             cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<std::string>
    ByInputOf("by-input", cl::value_desc("routine"),
              cl::desc("What to optimise at each input of this routine: each file has causal runs "
                       "and runs of mode=input of one workload"),
              cl::sub(ReportCommand), cl::cat(Options));
static cl::opt<bool>
    NoPhase("no-phase-correction",
            cl::desc("Show effects as measured while the line ran, whatever part of the "
                     "whole run that is"),
            cl::sub(ReportCommand), cl::cat(Options));
bool PerCPUTime;
static PerCPUTimeOption PerCPU(ReportCommand);
static cl::opt<bool>
    NoPerCPUTime("no-per-cpu-time",
                 cl::desc("Compare by time alone, even where units of work differ"),
                 cl::sub(ReportCommand), cl::cat(Options));

ModelOptions modelOptions() {
  ModelOptions Model;
  if (PerCPUTime)
    Model.Work = WorkPrior::Independent;
  return Model;
}

static std::string noteOn(const Profile &P, const PointReport &Point, WorkPrior Prior) {
  bool AnyUnclear = any_of(Point.Curves, [](auto &C) { return C.Says == Verdict::Unclear; });
  std::string Note = describeWork(Point.Summary, Prior, AnyUnclear);
  if (!targetKind(P) || P.points()[Point.Summary.Point].Kind == PointKind::Latency)
    return Note;
  std::vector<const LineCurve *> Apart; // A group has the code of its members.
  for (const LineCurve &C : Point.Curves)
    if (!isGroup(P.lines()[C.Line]))
      Apart.push_back(&C);
  std::string Sum = describeSum(Apart, targetWord(P));
  if (Note.empty() || Sum.empty())
    return Note + Sum;
  Sum.front() = toUpper(Sum.front());
  return Note + ". " + Sum;
}

static Expected<std::vector<PointReport>> reportOnPoints(const Profile &P, unsigned EndedByUs,
                                                         std::vector<std::string> &Warnings) {
  ModelOptions Model = modelOptions();
  if (NoPerCPUTime)
    Model.Work = WorkPrior::NotUsed;
  Model.PhaseCorrection = !NoPhase;
  std::vector<PointReport> Points;
  for (unsigned Point = 0; Point < P.points().size(); ++Point)
    if (PointShown.empty() || isNamed(P.points()[Point], PointShown))
      Points.push_back({summarize(P, Point, Model), {}, ""});
  // Not parallelFor, within which the lines of a point would have one thread.
  DefaultThreadPool Pool;
  Pool.async([&] { Warnings = warningsOn(P, EndedByUs); });
  for (PointReport &Point : Points)
    Pool.async([&] { Point.Curves = rankLines(P, Point.Summary.Point, Model); });
  Pool.wait();
  for (PointReport &Point : Points)
    Point.Note = noteOn(P, Point, Model.Work);
  if (Points.empty() && !PointShown.empty())
    return noSuchPoint(P, PointShown);
  llvm::sort(Points, [&](const PointReport &A, const PointReport &B) {
    unsigned KA = rankOf(P.points()[A.Summary.Point].Kind);
    unsigned KB = rankOf(P.points()[B.Summary.Point].Kind);
    return std::tie(KA, B.Summary.Visits, A.Summary.Point) <
           std::tie(KB, A.Summary.Visits, B.Summary.Point);
  });
  for (size_t I = 1; I < Points.size(); ++I)
    for (size_t J = 0; J < I && !Points[I].SameAs; ++J)
      if (!Points[J].SameAs && areTwins(P, Points[J].Summary.Point, Points[I].Summary.Point))
        Points[I].SameAs = Points[J].Summary.Point;
  return Points;
}

static void writeCausal(const ReportData &R, ReportFormat Format, raw_ostream &OS) {
  switch (Format) {
  case ReportFormat::Text:
    return writeText(R, OS);
  case ReportFormat::JSON:
    return writeJSON(R, OS);
  case ReportFormat::Markdown:
    return writeMarkdown(R, OS);
  case ReportFormat::CSV:
    return writeCSV(R, OS);
  }
}

static void writeReport(const ReportData &R, ReportFormat Format, raw_ostream &OS) {
  if (Format == ReportFormat::JSON || R.HasCausal)
    writeCausal(R, Format, OS);
  if (Format == ReportFormat::JSON)
    return; // One document, with all parts.
  bool First = !R.HasCausal;
  for (const std::unique_ptr<ReportPart> &Part : R.Parts) {
    OS << (First ? "" : "\n");
    First = false;
    Format == ReportFormat::Text       ? Part->writeText(R, OS)
    : Format == ReportFormat::Markdown ? Part->writeMarkdown(R, OS)
                                       : Part->writeCSV(R, OS);
  }
}

/// A report without an answer is a failure.
static Error finish(const ReportData &R) {
  if (R.Empty)
    return createStringError(inconvertibleErrorCode(), R.Empty->Sentence);
  return Error::success();
}

/// A warning if the text beside the lines may not be what ran.
static void warnOfNewerSource(ReportData &R) {
  int64_t Last = 0;
  for (const Run &Each : R.P.runs())
    Last = std::max(Last, Each.Time);
  SmallVector<StringRef> Files;
  for (const PointReport &PR : R.Points)
    for (const LineCurve &C : PR.Curves)
      if (StringRef File = R.P.lines()[C.Line].File; !is_contained(Files, File))
        Files.push_back(File);
  std::vector<StringRef> Newer = R.Source.newerThan(Last, Files);
  if (!Last || Newer.empty())
    return;
  StringMap<std::string> Names = shortNames(Files);
  R.Warnings.push_back(printable(Names[Newer.front()]) +
                       (Newer.size() > 1 ? " and other files are" : " is") +
                       " newer than the last run: where lines have moved, the text "
                       "shown is not what ran. Profile again, or check out what was "
                       "profiled.");
}

/// What the modes but causal have to say of their runs.
static Expected<std::vector<std::unique_ptr<ReportPart>>>
partsOf(const Profile &P, std::vector<std::string> &Warnings) {
  std::vector<std::unique_ptr<ReportPart>> Parts;
  for (RunMode Mode : modesOf(P))
    if (Mode == RunMode::CPU) {
      Parts.push_back(cpu::makeReport(P, Warnings));
    } else if (Mode == RunMode::Input) {
      Expected<std::unique_ptr<ReportPart>> Part = makeInputReport(P, By == Grouping::Thread);
      if (!Part)
        return Part.takeError();
      Parts.push_back(std::move(*Part));
    }
  return Parts;
}

/// Everything but the reading.
static Error reportOnProfile(const Profile &Whole, ArrayRef<unsigned> Speedups, raw_ostream &OS,
                             std::string Group = "", unsigned EndedByUs = 0) {
  std::vector<RunMode> Wanted = {RunMode::Causal, RunMode::CPU, RunMode::Input};
  if (OnlyMode.getNumOccurrences())
    Wanted = {OnlyMode};
  Expected<Profile> All = selectModes(Whole, Wanted, "causal report");
  if (!All)
    return All.takeError();
  std::vector<RunMode> Modes = modesOf(*All);
  if (Format == ReportFormat::CSV && Modes.size() > 1)
    return createStringError(inconvertibleErrorCode(),
                             "--format=csv writes one table, and this profile has " +
                                 describeModes(*All) + ": name one with --mode=");
  bool HasCausal = Modes.empty() || is_contained(Modes, RunMode::Causal);
  if (!HasCausal && (!OnlyLine.empty() || !PointShown.empty()))
    return createStringError(inconvertibleErrorCode(),
                             "--line and --point are for runs of mode=causal, and this profile "
                             "has " +
                                 describeModes(*All));
  Profile P = All->select([](const Run &R) { return R.Mode == RunMode::Causal; });
  std::vector<std::string> Warnings;
  Expected<std::vector<PointReport>> Points = std::vector<PointReport>();
  if (HasCausal)
    Points = reportOnPoints(P, EndedByUs, Warnings);
  if (!Points)
    return Points.takeError();
  Expected<std::vector<std::unique_ptr<ReportPart>>> Parts = partsOf(*All, Warnings);
  if (!Parts)
    return Parts.takeError();
  SourceText Source(SourceRoot);
  bool HasCurve = any_of(*Points, [](const PointReport &PR) { return !PR.Curves.empty(); });
  ReportData R{P,
               totalsOf(P),
               std::move(Warnings),
               HasCurve || !HasCausal ? std::nullopt : whyEmpty(P),
               std::move(*Points),
               Speedups.vec(),
               TopLinesShown,
               outputWidth(),
               Source,
               std::move(Group),
               std::move(*Parts),
               HasCausal,
               &*All};
  warnOfNewerSource(R);

  if (!OnlyLine.empty()) {
    Expected<unsigned> Line = findLine(P, OnlyLine);
    if (!Line)
      return Line.takeError();
    if (Format == ReportFormat::Text && HTML.empty()) {
      writeLine(R, *Line, OS);
      return finish(R);
    }
    R.Top = 0;
    for (PointReport &PR : R.Points)
      erase_if(PR.Curves, [&](const LineCurve &C) { return C.Line != *Line; });
  }
  if (HTML.empty()) {
    writeReport(R, Format, OS);
  } else {
    // The page has room for all lines.
    if (Top.getNumOccurrences() == 0)
      R.Top = 0;
    if (Error E = writeToOutput(HTML, [&](raw_ostream &Page) { return writeHTML(R, Page); }))
      return E;
  }
  return finish(R);
}

static const char *nameOf(Grouping By) {
  return By == Grouping::Host ? "host" : By == Grouping::Build ? "build" : "run";
}

static std::string groupOf(const Profile &P, const Run &R) {
  switch (By) {
  case Grouping::Host:
    return R.Host;
  case Grouping::Build:
    return R.HasHeader ? P.builds()[R.Build].Id : "";
  case Grouping::Run:
    return R.Id;
  case Grouping::Thread:
  case Grouping::None:
    break;
  }
  return "";
}

/// One report after the other, in the order of first appearance. A group without
/// an answer does not keep the others from theirs, unless none has one.
static Error reportByGroup(const Profile &P, ArrayRef<unsigned> Speedups) {
  if (!HTML.empty() || Format == ReportFormat::CSV)
    return createStringError(inconvertibleErrorCode(),
                             "--by writes several reports: as text, markdown or json");
  if (!PointShown.empty() &&
      none_of(P.points(), [](const ProgressPoint &Each) { return isNamed(Each, PointShown); }))
    return noSuchPoint(P, PointShown);
  if (!OnlyLine.empty())
    if (Expected<unsigned> Line = findLine(P, OnlyLine); !Line)
      return Line.takeError();
  std::vector<std::string> Groups;
  for (const Run &R : P.runs())
    if (std::string Group = groupOf(P, R); !is_contained(Groups, Group))
      Groups.push_back(Group);
  bool JSON = Format == ReportFormat::JSON;
  bool First = true, Any = false;
  if (JSON)
    outs() << "[\n";
  for (const std::string &Group : Groups) {
    std::string Name = Group.empty() ? "unknown" : printable(Group);
    if (JSON)
      outs() << (First ? "" : ",\n");
    else
      outs() << (First ? "" : "\n") << (Format == ReportFormat::Markdown ? "# " : "#### ")
             << nameOf(By) << ' ' << Name << "\n\n";
    First = false;
    uint64_t Begin = outs().tell();
    Profile Part = P.select([&](const Run &R) { return groupOf(P, R) == Group; });
    Error E = unifyBuilds(Part);
    if (!E)
      E = reportOnProfile(Part, Speedups, outs(), Name);
    if (!E) {
      Any = true;
      continue;
    }
    std::string Why = toString(std::move(E));
    if (!JSON)
      outs() << Why << '\n';
    else if (outs().tell() == Begin) // Refused before anything was written.
      outs() << json::Value(json::Object{{"group", Name}, {"error", Why}});
  }
  if (JSON)
    outs() << "]\n";
  return Any ? Error::success()
             : createStringError(inconvertibleErrorCode(), "no group has enough experiments");
}

/// With --by-input.
static Error reportByInput(ArrayRef<std::string> Files, ArrayRef<unsigned> Speedups,
                           raw_ostream &OS) {
  if (!HTML.empty() || Format != ReportFormat::Text || By != Grouping::None || !OnlyLine.empty())
    return createStringError(inconvertibleErrorCode(),
                             "--by-input writes a table as text: not with --html, --format, --by "
                             "or --line");
  std::vector<Workload> Workloads;
  std::vector<std::string> Names = Files.vec();
  if (Names.empty())
    Names = {CAUSAL_PROFILE_DEFAULT_NAME};
  for (const std::string &File : Names) {
    Expected<Profile> P = readProfile({File});
    if (!P)
      return P.takeError();
    Workload W;
    W.Name = File;
    if (Error E = measureInput(*P, ByInputOf, W))
      return E;
    W.Causal = P->select([](const Run &R) { return R.Mode == RunMode::Causal; });
    std::vector<std::string> Warnings;
    Expected<std::vector<PointReport>> Points = reportOnPoints(W.Causal, 0, Warnings);
    if (!Points)
      return Points.takeError();
    W.Points = std::move(*Points);
    Workloads.push_back(std::move(W));
  }
  llvm::sort(Workloads, [](auto &A, auto &B) { return A.Input < B.Input; });
  constexpr unsigned Usual = 50;
  return writeByInput(Workloads, ByInputOf, At.empty() ? Usual : Speedups.front(), TopLinesShown,
                      OS);
}

/// Whether there is a profile at Path, which no page is to take the place of.
static bool holdsProfile(StringRef Path) {
  constexpr StringLiteral FirstField = "{\"type\":\"";
  ErrorOr<std::unique_ptr<MemoryBuffer>> Beginning =
      MemoryBuffer::getFileSlice(Path, FirstField.size(), /*Offset=*/0);
  return Beginning && (*Beginning)->getBuffer() == FirstField;
}

Error runReport() {
  if (Inputs.size() == 1 && continuous::isDatabase(Inputs[0]))
    return reportOnDatabase(Inputs[0], HTML, Format == ReportFormat::JSON);
  return reportOn(Inputs);
}

Error reportOn(ArrayRef<std::string> Files, StringRef To, unsigned EndedByUs) {
  std::vector<unsigned> Speedups(At.begin(), At.end());
  if (Speedups.empty())
    Speedups = {25, 50, 75};
  for (unsigned S : Speedups)
    if (S < 1 || S > 100)
      return createStringError(inconvertibleErrorCode(),
                               "--at takes percentages from 1 to 100, not " + Twine(S));
  if (Speedups.size() > 5)
    return createStringError(inconvertibleErrorCode(), "--at takes five percentages at most");

  if (!HTML.empty() && Format.getNumOccurrences())
    return createStringError(inconvertibleErrorCode(),
                             "--html writes a page and --format something "
                             "else: name one of them");

  if (!HTML.empty() && holdsProfile(HTML))
    return createStringError(inconvertibleErrorCode(),
                             "--html takes the page's name first, and " + HTML +
                                 " is a profile: --html page.html " + HTML);

  if (!ByInputOf.empty())
    return writeToOutput(To, [&](raw_ostream &OS) { return reportByInput(Files, Speedups, OS); });
  bool Grouped = By != Grouping::None && By != Grouping::Thread;
  Expected<Profile> P = Grouped ? readBuilds(Files) : readProfile(Files);
  if (!P)
    return P.takeError();
  if (Grouped)
    return reportByGroup(*P, Speedups);
  Error Result = Error::success(); // A report without an answer is written all the same.
  Error Written = writeToOutput(To, [&](raw_ostream &OS) {
    Result = joinErrors(std::move(Result), reportOnProfile(*P, Speedups, OS, "", EndedByUs));
    return Error::success();
  });
  return joinErrors(std::move(Result), std::move(Written));
}

Error reportOnRuns(const Profile &P, StringRef To) {
  Error Result = Error::success();
  Error Written = writeToOutput(To, [&](raw_ostream &OS) {
    Result = joinErrors(std::move(Result), reportOnProfile(P, {}, OS));
    return Error::success();
  });
  return joinErrors(std::move(Result), std::move(Written));
}

} // namespace causal
