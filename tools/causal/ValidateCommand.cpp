//===- ValidateCommand.cpp - causal validate ------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shows on the user's own program whether predictions can be believed: makes
// one line cost more (runtime flag plant_line), predicts what the removal of
// that cost would bring, removes it, and compares. Runs with and without the
// cost take turns, A B B A, so that a drift of the machine falls on both.
//
//===----------------------------------------------------------------------===//

#include "ChildProcess.h"
#include "Commands.h"
#include "Profiling.h"
#include "ProgressLine.h"
#include "Terminal.h"
#include "lib/causal/Comparison.h"
#include "lib/causal/RunTarget.h"
#include "lib/container/SourceText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"

#include <algorithm>
#include <chrono>
#include <cmath>

using namespace llvm;

namespace causal {

cl::SubCommand ValidateCommand("validate", "Plant a known cost, predict its removal, "
                                           "remove it, and compare");

static cl::list<std::string> Program(cl::Positional, cl::OneOrMore,
                                     cl::desc("-- <program> [argument...]"),
                                     cl::sub(ValidateCommand), cl::cat(Options));
static cl::opt<std::string>
    Line("line", cl::value_desc("file:line"),
         cl::desc("Where to plant the cost (default: the line with the most "
                  "samples)"),
         cl::sub(ValidateCommand), cl::cat(Options));
static cl::opt<unsigned> Plant("plant", cl::init(100), cl::value_desc("percent"),
                               cl::desc("Cost to plant, of what the line costs (default: 100)"),
                               cl::sub(ValidateCommand), cl::cat(Options));
static cl::opt<std::string>
    RunTime("run-time", cl::init("10s"), cl::value_desc("time"),
            cl::desc("End a run after this long with SIGTERM; a program that ends by "
                     "itself is repeated as often as it fits in (default: 10s)"),
            cl::sub(ValidateCommand), cl::cat(Options));
static cl::opt<unsigned> Rounds("rounds", cl::init(2), cl::value_desc("n"),
                                cl::desc("Rounds of two runs with the cost and two without "
                                         "(default: 2)"),
                                cl::sub(ValidateCommand), cl::cat(Options));

static PerCPUTimeOption PerCPU(ValidateCommand);

namespace {

using Flags = std::vector<std::pair<std::string, std::string>>;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point Then) {
  return std::chrono::duration<double, std::nano>(Clock::now() - Then).count();
}

/// A directory for the profiles, removed at the end.
class Workspace {
public:
  static Expected<Workspace> create() {
    SmallString<128> Path;
    if (std::error_code EC = sys::fs::createUniqueDirectory("causal-validate", Path))
      return createStringError(EC, "cannot make a directory for temporary "
                                   "files: " +
                                       EC.message() + "; set TMPDIR to one that is writable");
    return Workspace(Path.str().str());
  }
  ~Workspace() {
    if (!Path.empty())
      (void)sys::fs::remove_directories(Path);
  }
  Workspace(Workspace &&Other) : Path(std::move(Other.Path)) { Other.Path.clear(); }
  std::string file(StringRef Name) const { return Path + "/" + Name.str(); }

private:
  explicit Workspace(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
};

class Validation {
public:
  Validation(Workspace Dir, double Limit, unsigned Runs)
      : Dir(std::move(Dir)), Limit(Limit), Runs(Runs) {}

  /// Runs the program until the time for a run is filled.
  Error run(StringRef Profile, Flags With, StringRef What);
  /// None where no run left a record.
  std::optional<Profile> read(StringRef Name) const { return peekProfile(Dir.file(Name)); }

private:
  /// In a run that began at \p Begin.
  Error runOnce(const std::string &Options, Clock::time_point Begin, StringRef What);

  Workspace Dir;
  double Limit;
  unsigned Runs, Run = 0;
  SignalGuard Signals;
  ProgressLine Bar;
};

Error Validation::run(StringRef Name, Flags With, StringRef What) {
  With.push_back({"output", outputFlag(Dir.file(Name))});
  With.push_back({"target", "line"}); // Whatever the user has set.
  Expected<std::string> Text = profilingOptions(With);
  if (!Text)
    return Text.takeError();
  auto Begin = Clock::now();
  // A job that is over sooner is repeated while another one fits in: one that is cut off
  // would not have all of its parts. Without a record there is nothing to add to.
  double Longest = 0;
  do {
    auto Start = Clock::now();
    if (Error E = runOnce(*Text, Begin, What))
      return E;
    Longest = std::max(Longest, since(Start));
  } while (since(Begin) + Longest < Limit && sys::fs::exists(Dir.file(Name)));
  ++Run;
  return Error::success();
}

Error Validation::runOnce(const std::string &Options, Clock::time_point Begin, StringRef What) {
  constexpr double ShowEvery = 250e6; // ns
  Expected<ChildProcess> Child =
      ChildProcess::start(Program, {{"CAUSAL_OPTIONS", Options}}, Signals);
  if (!Child)
    return Child.takeError();
  bool Ended = false;
  std::optional<int> Status;
  while (!(Status = Child->wait(ShowEvery))) {
    double Time = since(Begin);
    Bar.show((Run + std::min(Time / Limit, 1.0)) / Runs,
             formatv("run {0} of {1}, {2}: {3} of {4}", Run + 1, Runs, What, formatClock(Time),
                     formatClock(Limit))
                 .str());
    if (Time >= Limit && !Ended) {
      Child->terminate();
      Ended = true;
    }
  }
  Bar.clear();
  if (Signals.interrupted())
    return make_error<ExitStatus>(128 + Signals.signal(), "interrupted");
  if (*Status && !Ended)
    return make_error<ExitStatus>(
        *Status, formatv("{0} ended with status {1}", Program.front(), *Status).str());
  return Error::success();
}

/// The line with most samples among those with experiments, as file:line.
Expected<std::string> hottestLine(const Profile &P) {
  std::vector<unsigned> Samples(P.lines().size());
  for (const Experiment &E : P.experiments())
    Samples[E.Line] += unsigned(std::min<int64_t>(E.Samples, 1 << 20));
  auto Most = std::max_element(Samples.begin(), Samples.end());
  if (Most == Samples.end() || !*Most)
    return createStringError(inconvertibleErrorCode(),
                             Program.front() + " made no experiment; causal run says why");
  const SourceLine &L = P.lines()[Most - Samples.begin()];
  return L.File + ":" + std::to_string(L.Line);
}

/// The gain of the speedup that stands for the planted cost, against the
/// baseline of the same runs.
std::optional<Estimate> predicted(const Profile &P, unsigned Point, unsigned Speedup) {
  std::vector<LineCurve> Curves = rankLines(P, Point, modelOptions());
  if (Curves.empty())
    return std::nullopt;
  for (const Cell &C : Curves.front().Cells)
    if (C.Speedup == Speedup)
      return Curves.front().gainAt(Speedup);
  return std::nullopt;
}

Error compare(const Profile &With, const Profile &Without, StringRef Where, unsigned Speedup) {
  std::vector<PointChange> Points = comparePoints(With, Without);
  std::optional<unsigned> Main = mainPoint(With);
  for (const PointChange &Point : Points) {
    if (Point.BeforePoint != Main)
      continue;
    std::optional<Estimate> Said = predicted(With, Point.BeforePoint, Speedup);
    if (!Said)
      return createStringError(inconvertibleErrorCode(),
                               "too few experiments on " + Where +
                                   "; give the runs more time (--run-time)");
    if (!Point.Gain)
      return createStringError(inconvertibleErrorCode(), unknownGain(Point.Before, Point.After));
    raw_ostream &OS = outs();
    OS << "Planted in " << printable(Where) << ": " << unsigned(Plant) << " % more than it costs.\n"
       << printable(With.points()[Point.BeforePoint].Name) << ": "
       << formatTime(Point.Before.Period) << " with it, " << formatTime(Point.After.Period)
       << " without\n\n"
       << formatv("predicted for its removal  {0,6:f1} %  ({1})\n", 100 * Said->Value,
                  formatInterval(*Said))
       << formatv("really gained by it        {0,6:f1} %  ({1})\n", 100 * Point.Gain->Value,
                  formatInterval(*Point.Gain))
       << formatv("difference                 {0,6:f1} points\n",
                  100 * (Said->Value - Point.Gain->Value));
    switch (agreementOf(*Said, *Point.Gain)) {
    case Agreement::Agree:
      OS << "\nThey agree within their intervals.\n";
      break;
    case Agreement::Differ:
      OS << "\nThey differ by more than their intervals: see \"the "
            "predictions are wrong\" in docs/user/troubleshooting.md.\n";
      break;
    case Agreement::CannotTell:
      OS << "\nThe intervals are too wide to tell whether they agree. Run longer "
            "(--run-time), more often (--rounds), or plant more (--plant).\n";
      break;
    }
    return Error::success();
  }
  return createStringError(inconvertibleErrorCode(),
                           "no progress point was visited both with and "
                           "without the planted cost; give the runs more time "
                           "(--run-time)");
}

} // namespace

Error runValidate() {
  std::optional<double> Limit = parseTime(RunTime);
  if (!Limit)
    return createStringError(inconvertibleErrorCode(),
                             "--run-time takes a time, as 10s or 1m, not '" + RunTime + "'");
  if (Plant < 1 || Plant > 1000 || Rounds < 1 || Rounds > 1000)
    return createStringError(inconvertibleErrorCode(), "--plant and --rounds take 1 to 1000");
  if (Expected<std::string> Path = findProgram(Program.front()); !Path)
    return Path.takeError();
  // A line that costs 1 + c is back at 1 when it is faster by c / (1 + c).
  auto Speedup = unsigned(std::lround(100.0 * Plant / (100.0 + Plant)));
  std::string Where = Line;
  std::optional<Profile> A, B;
  { // From its end on ^C ends the tool.
    Expected<Workspace> Dir = Workspace::create();
    if (!Dir)
      return Dir.takeError();
    Validation V(std::move(*Dir), *Limit, 4 * Rounds + Line.empty());

    if (Where.empty()) {
      if (Error E = V.run("look", {}, "looking for a line"))
        return E;
      std::optional<Profile> P = V.read("look");
      if (!P)
        return noProfileError(Program.front());
      Expected<std::string> Hottest = hottestLine(*P);
      if (!Hottest)
        return Hottest.takeError();
      Where = *Hottest;
    }
    std::string Step = std::to_string(Speedup);
    Flags With = {
        {"fixed_line", Where},  {"plant_line", Where}, {"plant_percent", std::to_string(Plant)},
        {"speedup_step", Step}, {"max_speedup", Step}, {"baseline_percent", "50"}};
    Flags Without = {{"fixed_line", Where}, {"fixed_speedup", "0"}};
    for (unsigned Round = 0; Round < Rounds; ++Round)
      for (bool Planted : {true, false, false, true})
        if (Error E = Planted ? V.run("with", With, "with the planted cost")
                              : V.run("without", Without, "without it"))
          return E;
    A = V.read("with"), B = V.read("without");
  }
  if (!A && !B)
    if (Expected<std::string> Path = findProgram(Program.front()); Path && isUninstrumented(*Path))
      return noProfileError(Program.front());
  // What was ended before its first experiment has left nothing.
  if (!A || !B || A->experiments().empty() || B->experiments().empty())
    return createStringError(
        inconvertibleErrorCode(),
        "no experiment on " + Where +
            ": name a line that runs all the time, and give the runs more time "
            "(--run-time); causal run says which lines there are");
  return compare(*A, *B, Where, Speedup);
}

} // namespace causal
