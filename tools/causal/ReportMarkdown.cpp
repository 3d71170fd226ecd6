//===- ReportMarkdown.cpp - The report for a pull request -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GitHub's Markdown: what comes out of a profile stands in code spans, so that
// no name or source line can be markup.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "lib/causal/Unmeasured.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace causal {

std::string markdownCode(StringRef Text) {
  std::string Inner = printable(Text);
  size_t Longest = 0, Here = 0;
  for (char C : Inner) {
    Here = C == '`' ? Here + 1 : 0;
    Longest = std::max(Longest, Here);
  }
  std::string Fence(Longest + 1, '`'), Out = Fence;
  if (Longest || Inner.empty())
    Out += ' ';
  for (char C : Inner) {
    if (C == '|') // Tables split at it, even in code.
      Out += '\\';
    Out += C;
  }
  if (Longest)
    Out += ' ';
  return Out + Fence;
}

std::string markdownText(StringRef Text) {
  std::string Out;
  for (char C : Text)
    Out += C == '<' ? "&lt;" : std::string(1, C);
  return Out;
}

namespace {

constexpr size_t CodeWidth = 80;

std::string code(StringRef Text) { return markdownCode(Text); }
std::string plain(StringRef Text) { return markdownText(Text); }

std::string gain(std::optional<Estimate> E) { return StringRef(formatGain(E, 2)).trim().str(); }

void writePoint(const ReportData &R, const PointReport &PR, const StringMap<std::string> &Names,
                raw_ostream &OS) {
  const ProgressPoint &Point = R.P.points()[PR.Summary.Point];
  bool Latency = Point.Kind == PointKind::Latency;
  OS << "\n#### " << code(Point.Name) << ": " << wordsFor(Point.Kind).Title;
  if (PR.Summary.Baseline.Visits > 0)
    OS << ", " << formatTime(PR.Summary.Baseline.Period) << ' ' << wordsFor(Point.Kind).Per;
  OS << "\n\n";
  if (std::string Twins = namesOfTwins(R, PR); !Twins.empty())
    OS << "The same for " << plain(Twins) << ".\n\n";
  if (PR.Curves.empty()) {
    OS << "No " << targetWord(R.P) << " can be ranked: too few visits in the experiments.\n";
    return;
  }
  OS << (Latency ? "Latency shorter" : "Program faster") << " by % if the " << targetWord(R.P)
     << " is faster by:\n\n| # | " << targetWord(R.P) << " | verdict |";
  for (unsigned S : R.At)
    OS << ' ' << S << " % |";
  OS << " samples | experiments | code |\n|--:|:--|:--|";
  for (size_t I = 0; I < R.At.size() + 2; ++I)
    OS << "--:|";
  OS << ":--|\n";
  unsigned Rank = 0;
  bool Unclear = false;
  for (const LineCurve *Shown : shownCurves(R, PR)) {
    const LineCurve &C = *Shown;
    const SourceLine &L = R.P.lines()[C.Line];
    OS << "| " << ++Rank << " | " << code(placeOf(L, Names.lookup(L.File)));
    if (std::string Function = functionOf(L, ""); !Function.empty())
      OS << ' ' << code(Function);
    OS << " | " << toString(C.Says) << " |";
    Unclear |= C.Says == Verdict::Unclear;
    for (unsigned S : R.At)
      OS << ' ' << gain(C.gainAt(S)) << " |";
    OS << formatv(" {0:f1} % | {1} | ", 100 * C.SampleShare, C.Experiments);
    if (std::optional<std::string> Text = R.Source.line(L.File, L.Line); Text && !Text->empty())
      OS << code(shortenCode(*Text, CodeWidth));
    OS << " |\n";
  }
  if (std::string Rest = describeRest(R, PR); !Rest.empty())
    OS << "\nNot shown: " << Rest << ".\n";
  if (Unclear)
    OS << "\n*Unclear*: " << adviceOnUnclear(R, PR) << ".\n";
  if (!PR.Note.empty())
    OS << "\n*Note*: " << PR.Note << ".\n";
}

} // namespace

void writeMarkdown(const ReportData &R, raw_ostream &OS) {
  std::set<StringRef> Programs;
  std::set<unsigned> Lines;
  std::vector<StringRef> Files;
  for (const Run &Each : R.P.runs())
    if (Each.HasHeader)
      Programs.insert(sys::path::filename(Each.Exe));
  for (const Experiment &E : R.P.experiments())
    Lines.insert(E.Line);
  OS << "### Causal profile of ";
  const char *Separator = "";
  for (StringRef Program : Programs) {
    OS << Separator << code(Program);
    Separator = ", ";
  }
  if (Programs.empty())
    OS << "an unknown program";
  OS << formatv("\n\n{0} run{1} of {2} in all, {3} experiments on {4} {5}s.\n", R.P.runs().size(),
                R.P.runs().size() == 1 ? "" : "s", formatTime(R.Sum.Wall), R.P.experiments().size(),
                Lines.size(), targetWord(R.P));
  for (const std::string &W : R.Warnings)
    OS << "\n> **Warning:** " << plain(W) << '\n';
  if (R.Empty) {
    OS << "\n**No result:** " << R.Empty->Sentence << '\n';
    return;
  }
  for (const PointReport &PR : R.Points)
    for (const LineCurve &C : PR.Curves)
      Files.push_back(R.P.lines()[C.Line].File);
  StringMap<std::string> Names = shortNames(Files);
  for (const PointReport &PR : R.Points)
    if (!PR.SameAs)
      writePoint(R, PR, Names, OS);
  if (std::string Rest = describeUnmeasured(R.P); !Rest.empty())
    OS << "\n*Note*: " << plain(Rest) << ".\n";
}

} // namespace causal
