//===- ReportText.cpp - The report as a table -----------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Terminal.h"
#include "lib/causal/RunTarget.h"
#include "lib/causal/Sentence.h"
#include "lib/causal/Unmeasured.h"

#include "llvm/ADT/StringExtras.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace llvm;

namespace causal {

namespace {

constexpr unsigned GainWidth = 12;
/// Tables beyond this many need --point: nobody reads them all.
constexpr size_t MaxTables = 3;
/// With less of the samples it is no news that a line has no effect.
constexpr double WorthARow = 0.01;
/// Of the wall time of all runs, before experiments began.
constexpr double LongStart = 0.05;

std::string count(double N, StringRef What) {
  return formatv("{0:f0} {1}{2}", N, What, N == 1 ? "" : "s").str();
}

/// A number in at most eight columns.
std::string inColumn(double N) {
  return N < 1e7    ? formatv("{0:f0}", N).str()
         : N < 1e10 ? formatv("{0:f1}M", N / 1e6).str()
                    : formatv("{0:f1}G", N / 1e9).str();
}

void writeRow(const ReportData &R, PointKind Kind, unsigned Rank, const LineCurve &C,
              const StringMap<std::string> &Names, raw_ostream &OS) {
  const SourceLine &L = R.P.lines()[C.Line];
  std::string Row = formatv("{0,3}  ", Rank).str();
  size_t Verdict = Row.size();
  Row += formatv("{0,-10}", toString(C.Says)).str();
  size_t Numbers = Row.size();
  for (unsigned S : R.At)
    Row += formatGain(C.gainAt(S), GainWidth);
  Row +=
      formatv("{0,7:f1}{1,5}{2,8}  ", 100 * C.SampleShare, C.Experiments, inColumn(C.Visits)).str();
  std::string Notes;
  if (C.Phase.Why == PhaseFactor::Applied)
    Notes += formatv(" [phase x{0:f2}]", C.Phase.Factor).str();
  if (C.RunsApart)
    Notes += " [own baseline]";
  // A gain's plus-minus sign is two bytes and one column.
  size_t Columns = Row.size() - StringRef(Row).count("±");
  std::string Where = placeOf(L, Names.lookup(L.File));
  std::string Function = functionOf(L);
  // What does not fit goes: first the function, then the start of the path; notes go below.
  constexpr size_t LeastRoom = 24;
  size_t Room = std::max(R.Width, Columns + LeastRoom) - Columns;
  bool NotesBelow = !Notes.empty() && Where.size() + Notes.size() > Room;
  if (!NotesBelow)
    Room -= Notes.size();
  if (Where.size() + Function.size() > Room)
    Function = "";
  if (Where.size() > Room && isGroup(L))
    Where = shortenGroup(Where, Room);
  else if (L.Kind == TargetKind::Function && Where.size() > Room)
    Where = shortFunctionName(L.Function);
  OS << Row.substr(0, Verdict);
  WithColor(OS, colorOf(C.Says),
            /*Bold=*/colorOf(C.Says) != raw_ostream::SAVEDCOLOR)
      << StringRef(Row).slice(Verdict, Numbers);
  OS << Row.substr(Numbers) << shortenPath(Where, Room) << Function
     << (NotesBelow ? "\n" + std::string(15, ' ') : "") << Notes << '\n';
  if (std::optional<std::string> Text = R.Source.line(L.File, L.Line); Text && !Text->empty())
    OS << formatv("{0,16} | ", L.Line) << shortenCode(*Text, R.Width - 19) << '\n';
  // The others say no more than their verdict.
  if (C.Says == Verdict::SpeedsUp || C.Says == Verdict::SlowsDown)
    OS << std::string(16, ' ') << " = " << describe(C, Kind) << '\n';
}

void writeSummary(const PointReport &PR, StringRef Target, raw_ostream &OS) {
  std::map<Verdict, unsigned> Number;
  for (const LineCurve &C : PR.Curves)
    ++Number[C.Says];
  OS << count(double(PR.Curves.size()), Target) << " with experiments:";
  const char *Separator = " ";
  for (auto [Says, N] : Number) {
    OS << Separator << toString(Says) << ' ' << N;
    Separator = ", ";
  }
  OS << '\n';
}

void writePoint(const ReportData &R, const PointReport &PR, const StringMap<std::string> &Names,
                raw_ostream &OS) {
  const ProgressPoint &Point = R.P.points()[PR.Summary.Point];
  const Cell &Baseline = PR.Summary.Baseline;
  bool Latency = Point.Kind == PointKind::Latency;
  const PointWords &Words = wordsFor(Point.Kind);
  StringRef Target = targetWord(R.P);
  // A point without a name is called after its place.
  StringRef Name = Point.Name;
  if (Name.starts_with("/"))
    Name = Name.drop_front(Name.rfind('/') + 1);
  OS << "\n== " << printable(Name) << ": " << Words.Title << ", "
     << count(PR.Summary.Visits, Words.Visit);
  if (Baseline.Visits > 0)
    OS << ", " << formatTime(Baseline.Period) << ' ' << Words.Per;
  OS << " ==\n";
  if (std::string Twins = namesOfTwins(R, PR); !Twins.empty())
    OS << "the same for " << Twins << '\n';
  if (PR.Curves.empty()) {
    OS << "No " << Target << " can be ranked: too few visits in the experiments.\n";
    return;
  }
  writeSummary(PR, Target, OS);
  OS << "\n                " << (Latency ? "latency shorter" : "program faster")
     << " by % (± 95 % interval)"
     << " if the " << Target << " is faster by\n";
  OS << "  #  verdict   ";
  for (unsigned S : R.At)
    OS << formatv("{0,10} %", S);
  OS << " share% exps  visits  " << Target << '\n';
  unsigned Rank = 0;
  bool Unclear = false, Own = false, Phase = false;
  for (const LineCurve *C : shownCurves(R, PR)) {
    writeRow(R, Point.Kind, ++Rank, *C, Names, OS);
    Unclear |= C->Says == Verdict::Unclear;
    Own |= C->RunsApart;
    Phase |= C->Phase.Why == PhaseFactor::Applied;
  }
  if (std::string Rest = describeRest(R, PR); !Rest.empty())
    OS << "... " << Rest << "; --top=0 shows all\n";
  if (Unclear)
    OS << "unclear: " << adviceOnUnclear(R, PR) << '\n';
  if (!PR.Note.empty())
    OS << PR.Note << '\n';
  if (Phase)
    OS << "[phase]: the " << Target << " runs only part of the time; effects are scaled to "
       << "the whole run"
       << (Point.Kind == PointKind::Run
               ? "\n"
               : " (of a program that ends, causal run --end-to-end measures the whole run)\n");
  if (Own)
    OS << "[own baseline]: where the " << Target << " runs the program is not as it is "
       << "elsewhere\n";
}

} // namespace

std::string namesOfTwins(const ReportData &R, const PointReport &PR) {
  std::string Names;
  for (const PointReport &Other : R.Points)
    if (Other.SameAs == PR.Summary.Point)
      Names += (Names.empty() ? "" : ", ") + printable(R.P.points()[Other.Summary.Point].Name);
  return Names;
}

std::vector<const LineCurve *> shownCurves(const ReportData &R, const PointReport &PR) {
  auto IsCold = [&](const LineCurve &C) {
    return C.Says == Verdict::NoEffect && R.Sum.Samples > 0 && C.SampleShare < WorthARow;
  };
  std::vector<const LineCurve *> Shown;
  for (const LineCurve &C : PR.Curves)
    if (!R.Top || (Shown.size() < R.Top && (Shown.empty() || !IsCold(C))))
      Shown.push_back(&C);
  return Shown;
}

std::string describeRest(const ReportData &R, const PointReport &PR) {
  auto Shown = shownCurves(R, PR);
  size_t Left = 0;
  bool AnyEffect = false;
  double Most = 0;
  for (const LineCurve &C : PR.Curves) {
    if (is_contained(Shown, &C))
      continue;
    ++Left;
    if (C.Says == Verdict::NoEffect)
      continue;
    AnyEffect = true;
    Most = std::max(Most, C.Possible);
  }
  if (!Left)
    return "";
  std::string Rest = count(double(Left), "more " + targetWord(R.P).str());
  if (!AnyEffect)
    return Rest + " without effect";
  // Of latency it is not known.
  if (R.P.points()[PR.Summary.Point].Kind == PointKind::Latency)
    return Rest;
  const char *Likely = Left == 1 ? "which is not" : "none of which is";
  return formatv("{0}, {1} likely to bring more than {2:f1} %", Rest, Likely, 100 * Most);
}

std::string adviceOnUnclear(const ReportData &R, const PointReport &PR) {
  if (all_of(PR.Curves,
             [](const LineCurve &C) { return C.Says != Verdict::Unclear || C.WithinMethodError; }))
    return "more experiments will not tell: virtual speedups err by as much";
  std::string Advice = "more experiments are needed; run longer, or again: profiles add up";
  if (std::optional<double> Left = timeUntilClear(PR.Curves, KnownWell, R.Sum.Wall);
      Left && *Left > 0)
    Advice += formatv(" (the first ones to ±{0:f0} points in about {1} more)", 100 * KnownWell,
                      formatClock(*Left));
  return Advice;
}

raw_ostream::Colors colorOf(Verdict V) {
  switch (V) {
  case Verdict::SpeedsUp:
    return raw_ostream::GREEN;
  case Verdict::SlowsDown:
    return raw_ostream::RED;
  case Verdict::NoEffect:
  case Verdict::Unclear:
    break;
  }
  return raw_ostream::SAVEDCOLOR;
}

std::string formatGain(std::optional<Estimate> E, unsigned Width) {
  if (!E)
    return std::string(Width - 1, ' ') + "-";
  double Value = 100 * E->Value;
  std::string Text = formatv("{0}{1:f1} ±{2:f1}", Value < -0.05 ? "-" : "+", std::fabs(Value),
                             100 * std::max(E->High - E->Value, E->Value - E->Low))
                         .str();
  size_t Columns = Text.size() - 1;
  return std::string(Columns < Width ? Width - Columns : 1, ' ') + Text;
}

/// How long runs took until an experiment began: before the first visit of a progress point.
double beforeExperiments(const Profile &P) {
  double Sum = 0;
  for (const Run &R : P.runs())
    if (!R.Experiments.empty())
      Sum += double(P.experiments()[R.Experiments.begin()->second].Start);
  return Sum;
}

void writeHeader(const ReportData &R, raw_ostream &OS) {
  std::set<std::string> Programs, Samplers;
  std::set<unsigned> Lines;
  for (const Run &Each : R.P.runs()) {
    if (!Each.HasHeader)
      continue;
    Programs.insert(printable(Each.Exe));
    Samplers.insert(printable(Each.Sampler) + " every " + formatTime(double(Each.Period)));
  }
  for (const Experiment &E : R.P.experiments())
    Lines.insert(E.Line);
  OS << "Causal profile of " << (Programs.empty() ? "an unknown program" : join(Programs, ", "))
     << '\n';
  OS << count(double(R.P.runs().size()), "run") << ", " << formatTime(R.Sum.Wall);
  SmallVector<std::string, 2> Parts;
  if (double Before = beforeExperiments(R.P); Before > LongStart * R.Sum.Wall)
    Parts.push_back(formatTime(Before) + " before the first experiment");
  if (R.Sum.Delay > 0)
    Parts.push_back(formatTime(R.Sum.Delay) + " of it inserted delays");
  if (!Parts.empty())
    OS << " (" << join(Parts, ", ") << ")";
  OS << ", " << count(double(R.P.experiments().size()), "experiment") << " on "
     << count(double(Lines.size()), targetWord(R.P));
  if (R.Sum.Samples > 0)
    OS << ", " << count(R.Sum.Samples, "sample");
  if (!Samplers.empty())
    OS << " (" << join(Samplers, ", ") << ")";
  OS << '\n';
  for (const std::string &W : R.Warnings)
    OS << "Warning: " << W << '\n';
}

void writeText(const ReportData &R, raw_ostream &OS) {
  writeHeader(R, OS);
  if (R.Empty)
    return;
  std::vector<StringRef> Files;
  for (const PointReport &PR : R.Points)
    for (const LineCurve &C : PR.Curves)
      Files.push_back(R.P.lines()[C.Line].File);
  StringMap<std::string> Names = shortNames(Files);
  std::vector<const PointReport *> Tables;
  for (const PointReport &PR : R.Points)
    if (!PR.SameAs)
      Tables.push_back(&PR);
  for (size_t I = 0; I < std::min(Tables.size(), MaxTables); ++I)
    writePoint(R, *Tables[I], Names, OS);
  if (Tables.size() > MaxTables) {
    OS << "\n" << Tables.size() - MaxTables << " more progress points, shown with --point=:";
    for (size_t I = MaxTables; I < Tables.size(); ++I)
      OS << ' ' << printable(R.P.points()[Tables[I]->Summary.Point].Name);
    OS << '\n';
  }
  std::optional<TargetKind> Kind = targetKind(R.P);
  OS << '\n';
  if (std::string Rest = describeUnmeasured(R.P); !Rest.empty())
    OS << Rest << '\n';
  if (!Kind || *Kind == TargetKind::Section)
    OS << "LINE:lock is all that is done with the lock held that is taken in that line.\n";
  OS << "Plot one " << targetWord(R.P) << " with: causal report --line=FILE:"
     << (!Kind                           ? "LINE|FUNCTION|LINE:lock"
         : *Kind == TargetKind::Section  ? "LINE:lock"
         : *Kind == TargetKind::Function ? "FUNCTION"
                                         : "LINE")
     << '\n';
}

} // namespace causal
