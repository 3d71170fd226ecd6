//===- DiffCommand.cpp - causal diff --------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Did the predicted gain arrive? The program before and after a change, the
// lines that became cheaper or dearer, and what the first profile had said.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Report.h"
#include "Terminal.h"
#include "cpu/CPUDiff.h"
#include "input/InputCommands.h"
#include "lib/causal/Comparison.h"
#include "lib/container/RunModes.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <cmath>

using namespace llvm;

namespace causal {

cl::SubCommand DiffCommand("diff", "Compare a program before and after a "
                                   "change with what was predicted");

static cl::opt<std::string> BeforeFile(cl::Positional, cl::Required, cl::desc("<before>"),
                                       cl::sub(DiffCommand), cl::cat(Options));
static cl::opt<std::string> AfterFile(cl::Positional, cl::Required, cl::desc("<after>"),
                                      cl::sub(DiffCommand), cl::cat(Options));
static cl::opt<unsigned> Top("top", cl::init(10), cl::value_desc("n"),
                             cl::desc("Changed lines to show (default: 10; 0: all)"),
                             cl::sub(DiffCommand), cl::cat(Options));
static cl::opt<std::string>
    BeforeRoot("before-root", cl::value_desc("dir"),
               cl::desc("Source as it was before: lines are then known by their text"),
               cl::sub(DiffCommand), cl::cat(Options));
static cl::opt<std::string>
    AfterRoot("after-root", cl::value_desc("dir"),
              cl::desc("Source as it is after (default: where the profile says)"),
              cl::sub(DiffCommand), cl::cat(Options));
static cl::opt<std::string>
    PageFile("html", cl::value_desc("file"),
             cl::desc("Write a page with a flame graph of the difference (mode=cpu)"),
             cl::sub(DiffCommand), cl::cat(Options));
static PerCPUTimeOption PerCPU(DiffCommand);

std::string formatInterval(const Estimate &E) {
  return formatv("95 %: {0:f1} to {1:f1}", 100 * E.Low, 100 * E.High).str();
}

/// Of a change whose direction has been told, unless the interval has both.
std::string formatChange(const Estimate &Gain) {
  auto Bound = [](double Value) { return formatv("{0:f1}", 100 * std::fabs(Value)).str(); };
  if (Gain.Low < 0 && Gain.High > 0)
    return "95 %: " + Bound(Gain.Low) + " slower to " + Bound(Gain.High) + " faster";
  return Gain.High <= 0 ? "95 %: " + Bound(Gain.High) + " to " + Bound(Gain.Low)
                        : formatInterval(Gain);
}

std::string describeBaseline(const Baseline &B) {
  return formatv("{0} baseline experiments in {1} run{2}", B.Experiments, B.Runs,
                 B.Runs == 1 ? "" : "s")
      .str();
}

std::string unknownGain(const Baseline &Before, const Baseline &After) {
  return "cannot be compared: " + describeBaseline(!Before.Freedom ? Before : After) +
         (!Before.Freedom ? " before" : " after") +
         ", two with visits are the least; run that program longer";
}

static void writeLines(ArrayRef<LineChange> Changes, const Profile &Before, const Profile &After,
                       raw_ostream &OS) {
  std::vector<StringRef> Files;
  for (const LineChange &C : Changes)
    Files.push_back(C.Before ? Before.lines()[*C.Before].File : After.lines()[*C.After].File);
  StringMap<std::string> Names = shortNames(Files);
  OS << "  CPU time per visit       line faster   predicted gain  line\n";
  size_t Shown = 0;
  for (const LineChange &C : Changes) {
    if (Top && Shown++ == Top) {
      OS << "  ... " << Changes.size() - Top << " more; --top=0 shows all\n";
      break;
    }
    const SourceLine &L = C.Before ? Before.lines()[*C.Before] : After.lines()[*C.After];
    auto Cost = [](double Time) { return Time > 0 ? formatTime(Time) : std::string("-"); };
    OS << formatv("  {0,9} -> {1,-9}", Cost(C.CostBefore), Cost(C.CostAfter));
    if (C.Faster > 0)
      OS << formatv("{0,10:f0} %", 100 * C.Faster);
    else
      OS << formatv("{0,12}", C.CostBefore > 0 ? "slower" : "-");
    std::string Gain = formatGain(C.Predicted, 16);
    OS << Gain << "  " << placeOf(L, Names.lookup(L.File)) << functionOf(L);
    if (C.How == LineChange::Moved)
      OS << " [now line " << After.lines()[*C.After].Line << ']';
    else if (C.How != LineChange::Same)
      OS << " [" << toString(C.How) << ']';
    OS << '\n';
  }
}

static void judge(const Estimate &Predicted, const Estimate &Arrived, raw_ostream &OS) {
  double Difference = Arrived.Value - Predicted.Value;
  double Below = std::hypot(Arrived.Value - Arrived.Low, Predicted.High - Predicted.Value);
  double Above = std::hypot(Arrived.High - Arrived.Value, Predicted.Value - Predicted.Low);
  OS << formatv("Predicted for these lines together: {0:f1} % ({1}). ", 100 * Predicted.Value,
                formatInterval(Predicted));
  if (Difference - Below > 0)
    OS << "More arrived: something else became faster as well, or the machine did.\n";
  else if (Difference + Above < 0)
    OS << "Less arrived: something else became slower, or stands in the way "
          "now.\n";
  else if (Predicted.Low > 0 && Arrived.Low <= 0)
    OS << "Whether it arrived cannot be told: it may be nothing as well. More experiments on "
          "both sides make the intervals narrower.\n";
  else
    OS << "It arrived, as far as the intervals tell.\n";
}

static Error diffCausal(Expected<Profile> Before, Expected<Profile> After) {
  if (!Before) {
    if (!After) // For the same reason.
      consumeError(After.takeError());
    return Before.takeError();
  }
  if (!After)
    return After.takeError();
  std::vector<PointChange> Points = comparePoints(*Before, *After);
  if (Points.empty())
    return createStringError(inconvertibleErrorCode(),
                             BeforeFile + " and " + AfterFile +
                                 " share no progress point; causal report lists those of each");

  SourceText Old(BeforeRoot), New(AfterRoot);
  LineText OldText = [&](const SourceLine &L) -> std::optional<std::string> {
    // Where the profile was made there may be the changed source by now.
    return BeforeRoot.empty() ? std::nullopt : Old.line(L.File, L.Line);
  };
  LineText NewText = [&](const SourceLine &L) { return New.line(L.File, L.Line); };
  raw_ostream &OS = outs();
  bool FewRuns = false;
  for (const PointChange &Point : Points) {
    const ProgressPoint &P = Before->points()[Point.BeforePoint];
    OS << "== " << printable(P.Name) << ": " << wordsFor(P.Kind).Title << " ==\n";
    if (!Point.Gain) {
      OS << unknownGain(Point.Before, Point.After) << "\n\n";
      continue;
    }
    OS << formatTime(Point.Before.Period) << " -> " << formatTime(Point.After.Period) << ' '
       << wordsFor(P.Kind).Per << ": ";
    raw_ostream::Colors Color = Point.Gain->Low > 0    ? raw_ostream::GREEN
                                : Point.Gain->High < 0 ? raw_ostream::RED
                                                       : raw_ostream::SAVEDCOLOR;
    WithColor(OS, Color) << formatv("{0:f1} % {1}", 100 * std::fabs(Point.Gain->Value),
                                    Point.Gain->Value < 0 ? "slower" : "faster");
    OS << " (" << formatChange(*Point.Gain) << "; " << describeBaseline(Point.Before) << " before, "
       << describeBaseline(Point.After) << " after)\n";
    FewRuns |= Point.Before.Runs < 3 || Point.After.Runs < 3;
    std::vector<LineChange> Changes =
        compareLines(*Before, OldText, *After, NewText, Point, modelOptions());
    if (Changes.empty()) {
      OS << "No line surely became cheaper or dearer.\n\n";
      continue;
    }
    OS << '\n';
    writeLines(Changes, *Before, *After, OS);
    if (std::optional<Estimate> Sum = sumOfPredictions(Changes))
      judge(*Sum, *Point.Gain, OS);
    else
      OS << "Nothing was predicted for these lines.\n";
    OS << '\n';
  }
  for (unsigned Point : vanishedPoints(*Before, *After))
    OS << "== " << printable(Before->points()[Point].Name)
       << " ==\nVisited before, and never after.\n\n";
  if (FewRuns)
    OS << "Fewer than three runs on a side: how runs differ is not in the "
          "intervals. causal run --runs=5 makes more.\n";
  return Error::success();
}

/// The flame graph of two profiles of where threads' time goes.
static Error writeCPUPage(const Profile &Before, const Profile &After) {
  Expected<Profile> Old = selectModes(Before, {RunMode::CPU}, "causal diff --html");
  if (!Old)
    return Old.takeError();
  Expected<Profile> New = selectModes(After, {RunMode::CPU}, "causal diff --html");
  if (!New)
    return New.takeError();
  SourceText Source(AfterRoot);
  return writeToOutput(PageFile,
                       [&](raw_ostream &OS) { return cpu::diffPage(*Old, *New, Source, OS); });
}

Error runDiff() {
  Expected<Profile> Before = readProfile({BeforeFile});
  if (!Before)
    return Before.takeError();
  Expected<Profile> After = readProfile({AfterFile});
  if (!After)
    return After.takeError();
  auto Both = [&](RunMode Mode) {
    return is_contained(modesOf(*Before), Mode) && is_contained(modesOf(*After), Mode);
  };
  if (!PageFile.empty())
    return writeCPUPage(*Before, *After);
  bool Any = false;
  for (RunMode Mode : {RunMode::Input, RunMode::CPU}) {
    if (!Both(Mode))
      continue;
    outs() << (Any ? "\n" : "");
    Any = true;
    Error E = Mode == RunMode::Input ? writeGrowthDiff(*Before, *After, Top, outs())
                                     : cpu::diffText(*Before, *After, Top, outs());
    if (E)
      return E;
  }
  if (Any && !Both(RunMode::Causal))
    return Error::success();
  outs() << (Any ? "\n" : "");
  return diffCausal(selectModes(*Before, {RunMode::Causal}, "causal diff"),
                    selectModes(*After, {RunMode::Causal}, "causal diff"));
}

} // namespace causal
