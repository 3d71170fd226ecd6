//===- CheckCommand.cpp - causal check ------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The comparison with a baseline as an exit status, for CI.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Terminal.h"
#include "input/InputCommands.h"
#include "lib/causal/Comparison.h"
#include "lib/container/RunModes.h"
#include "lib/container/SourceText.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace causal {

cl::SubCommand CheckCommand("check", "Fail if a program has become slower, or grows faster with "
                                     "its input than allowed. Status 0: "
                                     "it has not; 1: it surely has; 2: "
                                     "cannot say, or an error");

static cl::opt<std::string> Input(cl::Positional, cl::Required, cl::desc("<profile>"),
                                  cl::sub(CheckCommand), cl::cat(Options));
static cl::opt<std::string> BaselineFile("baseline", cl::init("baseline.causal"),
                                         cl::value_desc("file"),
                                         cl::desc("Profile to compare with (default: "
                                                  "baseline.causal)"),
                                         cl::sub(CheckCommand), cl::cat(Options));
static cl::opt<std::string> MaxRegression("max-regression", cl::init("3%"),
                                          cl::value_desc("percent"),
                                          cl::desc("Slowdown that is allowed (default: 3%)"),
                                          cl::sub(CheckCommand), cl::cat(Options));
static cl::opt<std::string> OnlyPoint("point", cl::value_desc("name"),
                                      cl::desc("Check this progress point alone"),
                                      cl::sub(CheckCommand), cl::cat(Options));

static cl::list<std::string>
    Complexity("complexity", cl::value_desc("routine<=class"),
               cl::desc("Check how a routine's cost grows (mode=input), as 'parse<=n log n'; may "
                        "be given again"),
               cl::sub(CheckCommand), cl::cat(Options));
static cl::opt<std::string> ComplexityFile("complexity-file", cl::value_desc("file"),
                                           cl::desc("The same, one in each line"),
                                           cl::sub(CheckCommand), cl::cat(Options));

namespace {

enum Status { Fine = 0, Slower = 1, Unknown = 2 };

Status check(const PointChange &Point, double Allowed, StringRef Name, PointKind Kind,
             raw_ostream &OS) {
  if (!Point.Gain) {
    OS << "unknown: " << Name << ' ' << unknownGain(Point.Before, Point.After) << '\n';
    return Unknown;
  }
  // As users say it: how much longer a unit of work takes.
  double Ratio = 1 - Point.Gain->Value, Least = 1 - Point.Gain->High, Most = 1 - Point.Gain->Low;
  Status Is = Least > 1 + Allowed ? Slower : Most <= 1 + Allowed ? Fine : Unknown;
  WithColor(OS, Is == Fine     ? raw_ostream::GREEN
                : Is == Slower ? raw_ostream::RED
                               : raw_ostream::YELLOW)
      << (Is == Fine     ? "fine"
          : Is == Slower ? "slower"
                         : "unknown");
  OS << formatv(": {0} takes {1} {8}, was {2}: {3:f1} % {4} (95 %: "
                "{5:f1} to {6:f1}), {7:f1} % is allowed\n",
                Name, formatTime(Point.After.Period), formatTime(Point.Before.Period),
                100 * std::fabs(Ratio - 1), Ratio > 1 ? "more" : "less", 100 * (Least - 1),
                100 * (Most - 1), 100 * Allowed, wordsFor(Kind).Per);
  if (Is == Unknown)
    OS << "  more runs of both make it sure: causal run --runs=5\n";
  return Is;
}

Expected<int> checkAll() {
  std::optional<double> Allowed = parsePercent(MaxRegression, 1000);
  if (!Allowed)
    return createStringError(inconvertibleErrorCode(),
                             "--max-regression takes a percentage above 0 and up to 1000, "
                             "as 3%, not '" +
                                 MaxRegression + "'");
  Expected<Profile> Before = readRuns({BaselineFile}, {RunMode::Causal}, "causal check");
  if (!Before)
    return Before.takeError();
  Expected<Profile> After = readRuns({Input}, {RunMode::Causal}, "causal check");
  if (!After)
    return After.takeError();
  int Worst = -1;
  for (unsigned Point : vanishedPoints(*Before, *After)) {
    const ProgressPoint &P = Before->points()[Point];
    if (!OnlyPoint.empty() && !isNamed(P, OnlyPoint))
      continue;
    outs() << "unknown: " << printable(P.Name)
           << " was visited before and never after: it was renamed or removed, or what it "
              "counts is not done any more\n";
    Worst = Unknown;
  }
  for (const PointChange &Point : comparePoints(*Before, *After)) {
    const ProgressPoint &P = Before->points()[Point.BeforePoint];
    std::string Name = printable(P.Name);
    if (!OnlyPoint.empty() && !isNamed(P, OnlyPoint))
      continue;
    Status Is = check(Point, *Allowed, Name, P.Kind, outs());
    // What is sure to be slower stands before what is not known.
    Worst = Worst == Slower || Is == Slower ? Slower : std::max<int>(Worst, Is);
  }
  if (Worst >= 0)
    return Worst;
  if (!OnlyPoint.empty())
    return noSuchPoint(*Before, OnlyPoint);
  return createStringError(inconvertibleErrorCode(),
                           BaselineFile + " and " + Input +
                               " share no progress point; causal report lists those of each");
}

} // namespace

/// Whether contracts are asked for, or else in the profile, which has nothing to compare.
static Expected<bool> asksForContracts() {
  if (!Complexity.empty() || !ComplexityFile.empty())
    return true;
  if (BaselineFile.getNumOccurrences())
    return false;
  Expected<Profile> P = readProfile({Input});
  if (!P)
    return P.takeError();
  return !is_contained(modesOf(*P), RunMode::Causal) && hasAnnotatedContracts(*P);
}

static Expected<int> checkComplexity() {
  Expected<Profile> P = readRuns({Input}, {RunMode::Input}, "causal check --complexity");
  if (!P)
    return P.takeError();
  return checkContracts(*P, Complexity, ComplexityFile, outs());
}

static Expected<int> checkWhatIsAsked() {
  Expected<bool> Contracts = asksForContracts();
  if (!Contracts)
    return Contracts.takeError();
  if (!*Contracts)
    return checkAll();
  Expected<int> Grows = checkComplexity();
  if (!Grows || !BaselineFile.getNumOccurrences())
    return Grows;
  Expected<int> Slow = checkAll();
  if (!Slow)
    return Slow;
  return *Grows == Slower || *Slow == Slower ? Slower : std::max(*Grows, *Slow);
}

Error runCheck() {
  Expected<int> Status = checkWhatIsAsked();
  if (!Status)
    return make_error<ExitStatus>(Unknown, toString(Status.takeError()));
  if (*Status == Fine)
    return Error::success();
  return make_error<ExitStatus>(*Status);
}

} // namespace causal
