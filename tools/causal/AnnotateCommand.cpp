//===- AnnotateCommand.cpp - causal annotate ------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A source file beside the numbers of its lines. The source is read from where
// the profile says it was, or from --source-root, or from the path given.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Report.h"
#include "Terminal.h"
#include "cpu/CPUAnnotate.h"
#include "lib/container/RunModes.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace causal {

cl::SubCommand AnnotateCommand("annotate", "Show a source file beside its numbers");

static cl::opt<std::string> File(cl::Positional, cl::Required, cl::desc("<source file>"),
                                 cl::sub(AnnotateCommand), cl::cat(Options));
static cl::list<std::string> Inputs(cl::Positional, cl::desc("[profile...]"),
                                    cl::sub(AnnotateCommand), cl::cat(Options));
static cl::opt<unsigned> At("at", cl::init(50), cl::value_desc("percent"),
                            cl::desc("Line speedup to predict for (default: "
                                     "50)"),
                            cl::sub(AnnotateCommand), cl::cat(Options));
static cl::opt<unsigned> Context("context", cl::init(3), cl::value_desc("n"),
                                 cl::desc("Lines to show around each with numbers (default: 3)"),
                                 cl::sub(AnnotateCommand), cl::cat(Options));
static cl::opt<bool> WholeFile("all", cl::desc("Show the whole file"), cl::sub(AnnotateCommand),
                               cl::cat(Options));
static cl::opt<std::string>
    OnlyPoint("point", cl::value_desc("name"),
              cl::desc("Predict for this progress point (default: the whole run "
                       "if that is one, else the most visited throughput point)"),
              cl::sub(AnnotateCommand), cl::cat(Options));
static cl::opt<std::string> SourceRoot("source-root", cl::value_desc("dir"),
                                       cl::desc("Where to look for source files that have moved"),
                                       cl::sub(AnnotateCommand), cl::cat(Options));

static cl::opt<RunMode> OnlyMode("mode", cl::init(RunMode::Causal),
                                 cl::desc("Which runs to show, if there are several kinds"),
                                 cl::values(clEnumValN(RunMode::Causal, "causal",
                                                       "what optimising would bring (default)"),
                                            clEnumValN(RunMode::CPU, "cpu", "CPU time")),
                                 cl::sub(AnnotateCommand), cl::cat(Options));

static PerCPUTimeOption PerCPU(AnnotateCommand);

namespace {

/// What is known of one line of the file.
struct Annotation {
  double Share = 0;
  const LineCurve *Curve = nullptr;
};

Expected<std::string> findFile(const Profile &P, StringRef Spec) {
  std::set<std::string> Known;
  for (const SourceLine &L : P.lines())
    Known.insert(L.File);
  return chooseFile(Known, Spec);
}

} // namespace

Expected<std::string> chooseFile(const std::set<std::string> &Known, StringRef Spec) {
  std::set<std::string> Found;
  SmallString<256> Absolute(Spec);
  (void)sys::fs::make_absolute(Absolute);
  for (const std::string &Name : Known) {
    if (Name == Spec || Name == Absolute)
      return Name;
    if (StringRef(Name).ends_with(("/" + Spec.ltrim("./")).str()))
      Found.insert(Name);
  }
  if (Found.size() == 1)
    return *Found.begin();
  std::string Message = Found.empty()
                            ? ("the profile has no sample in '" + Spec + "'; its files are:").str()
                            : ("'" + Spec + "' names several files:").str();
  for (const std::string &Name : Found.empty() ? Known : Found)
    Message += "\n  " + printable(Name);
  return createStringError(inconvertibleErrorCode(), Message);
}

namespace {

void writeLineOf(unsigned Number, StringRef Text, const Annotation *A, size_t Width,
                 raw_ostream &OS) {
  std::string Left;
  if (A && A->Share > 0)
    Left = formatv("{0,6:f1}", 100 * A->Share).str();
  Left.resize(6, ' ');
  std::string Gain(14, ' ');
  std::string Says(12, ' ');
  size_t Columns = 6 + 14 + 12;
  if (A && A->Curve) {
    Gain = formatGain(A->Curve->gainAt(At), 14);
    Says = formatv("  {0,-10}", toString(A->Curve->Says)).str();
    Columns = Left.size() + Gain.size() - StringRef(Gain).count("±") + Says.size();
    WithColor(OS, colorOf(A->Curve->Says),
              /*Bold=*/A->Curve->Says != Verdict::Unclear)
        << Left << Gain << Says;
  } else {
    OS << Left << Gain << Says;
  }
  std::string Expanded;
  for (char C : Text.rtrim("\r")) {
    if (C == '\t')
      Expanded.append(4 - Expanded.size() % 4, ' ');
    else
      Expanded += C;
  }
  size_t Room = Width > Columns + 28 ? Width - Columns - 8 : 20;
  OS << formatv("{0,5} |", Number);
  if (!Expanded.empty())
    OS << ' ' << shortenCode(printable(Expanded), Room);
  OS << '\n';
}

Expected<unsigned> choosePoint(const Profile &P) {
  std::optional<unsigned> Best;
  double Most = -1;
  for (unsigned I = 0; I < P.points().size(); ++I) {
    const ProgressPoint &Point = P.points()[I];
    if (!OnlyPoint.empty()) {
      if (isNamed(Point, OnlyPoint))
        return I;
      continue;
    }
    double Visits = summarize(P, I).Visits + 1e18 * (2 - rankOf(Point.Kind));
    if (Visits > Most) {
      Most = Visits;
      Best = I;
    }
  }
  if (Best)
    return *Best;
  return noSuchPoint(P, OnlyPoint);
}

} // namespace

Error runAnnotate() {
  if (At < 1 || At > 100)
    return createStringError(inconvertibleErrorCode(),
                             "--at takes a percentage from 1 to 100, not " + Twine(At));
  Expected<Profile> All = readProfile(Inputs);
  if (!All)
    return All.takeError();
  RunMode Mode = OnlyMode;
  if (!OnlyMode.getNumOccurrences() && modesOf(*All) == std::vector{RunMode::CPU})
    Mode = RunMode::CPU;
  Expected<Profile> P = selectModes(std::move(*All), {Mode}, "causal annotate");
  if (!P)
    return P.takeError();
  if (Mode == RunMode::CPU) {
    SourceText Source(SourceRoot);
    return cpu::annotate(*P, File, Source, {Context, WholeFile}, outs());
  }
  Expected<std::string> Name = findFile(*P, File);
  if (!Name)
    return Name.takeError();
  // Without experiments there are still samples to show.
  std::vector<LineCurve> Curves;
  unsigned Point = 0;
  if (!P->points().empty()) {
    Expected<unsigned> Chosen = choosePoint(*P);
    if (!Chosen)
      return Chosen.takeError();
    Point = *Chosen;
    Curves = rankLines(*P, Point, modelOptions());
  }

  std::map<unsigned, Annotation> Lines;
  std::vector<double> Shares = sampleShares(*P);
  for (unsigned I = 0; I < Shares.size(); ++I)
    if (Shares[I] > 0 && P->lines()[I].File == *Name && P->lines()[I].Kind == TargetKind::Line)
      Lines[P->lines()[I].Line].Share = Shares[I];
  for (const LineCurve &C : Curves)
    if (P->lines()[C.Line].File == *Name && P->lines()[C.Line].Kind == TargetKind::Line)
      Lines[P->lines()[C.Line].Line].Curve = &C;

  if (Lines.empty())
    return createStringError(inconvertibleErrorCode(),
                             "nothing is known of single lines of " + printable(*Name) +
                                 ": the profile is of functions or critical sections "
                                 "(target=line makes one of lines), or too short");

  SourceText Source(SourceRoot);
  std::optional<StringRef> Text = Source.text(*Name);
  if (!Text)
    Text = Source.text(File);
  if (!Text)
    return createStringError(inconvertibleErrorCode(),
                             "cannot find " + printable(*Name) +
                                 ", where the profile says the source was; name its directory with "
                                 "--source-root=");

  raw_ostream &OS = outs();
  OS << printable(*Name) << '\n';
  if (!Curves.empty()) {
    const ProgressPoint &PP = P->points()[Point];
    OS << "gain: " << (PP.Kind == PointKind::Run ? "the " : "") << printable(PP.Name)
       << (PP.Kind == PointKind::Latency ? " takes less time" : " is faster")
       << formatv(" by % if the line is faster by {0} %\n", unsigned(At));
  }
  OS << "share%          gain  verdict     line\n";
  size_t Width = outputWidth();
  unsigned Number = 0, Last = 0;
  for (StringRef Rest = *Text; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    ++Number;
    auto Near = Lines.lower_bound(Number > Context ? Number - Context : 1);
    if (!WholeFile && (Near == Lines.end() || Near->first > Number + Context))
      continue;
    if (Number > Last + 1)
      OS << std::string(35, ' ') << "...\n";
    Last = Number;
    auto Here = Lines.find(Number);
    writeLineOf(Number, Line, Here == Lines.end() ? nullptr : &Here->second, Width, OS);
  }
  if (!Lines.empty() && Lines.rbegin()->first > Number)
    return createStringError(inconvertibleErrorCode(),
                             "the profile has line " + Twine(Lines.rbegin()->first) + " of " +
                                 *Name + ", which has only " + Twine(Number) +
                                 ": the source has changed since; check out what was profiled");
  return Error::success();
}

} // namespace causal
