//===- RunCommand.cpp - causal run ----------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a program under the profiler, again and again, until the answer is as
// precise as asked or time is up, then reports. A program that still runs by
// then is told to make no more experiments and left alone.
//
//===----------------------------------------------------------------------===//

#include "ChildProcess.h"
#include "Commands.h"
#include "Profiling.h"
#include "ProgressLine.h"
#include "Terminal.h"
#include "causal/ProfileFormat.h"
#include "lib/causal/Diagnosis.h"
#include "lib/causal/EndToEndPlan.h"
#include "lib/causal/RunTarget.h"
#include "lib/container/RunModes.h"
#include "lib/container/RuntimeOptions.h"
#include "lib/container/SourceText.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>

using namespace llvm;

namespace causal {

cl::SubCommand RunCommand("run", "Run a program under the profiler until "
                                 "enough is known, and report");

static cl::list<std::string> Program(cl::Positional, cl::OneOrMore,
                                     cl::desc("-- <program> [argument...]"), cl::sub(RunCommand),
                                     cl::cat(Options));
static cl::opt<std::string>
    Until("until", cl::init("2%"), cl::value_desc("percent"),
          cl::desc("Stop when the 95 % intervals of the top lines, by the scatter of "
                   "experiments, are within plus or minus this much (default: 2%)"),
          cl::sub(RunCommand), cl::cat(Options));
static cl::opt<std::string> MaxTime("max-time", cl::init("5m"), cl::value_desc("time"),
                                    cl::desc("Stop after this long: 90s, 5m, 1h (default: 5m)"),
                                    cl::sub(RunCommand), cl::cat(Options));
static cl::opt<unsigned> Runs("runs", cl::init(0), cl::value_desc("n"),
                              cl::desc("Run the program this often, unless --max-time is "
                                       "up before (default: until enough is known)"),
                              cl::sub(RunCommand), cl::cat(Options));
static cl::opt<std::string>
    Output("output", cl::init(CAUSAL_PROFILE_DEFAULT_NAME), cl::value_desc("file"),
           cl::desc("Profile to add to (default: " CAUSAL_PROFILE_DEFAULT_NAME ")"),
           cl::sub(RunCommand), cl::cat(Options));
static cl::alias OutputShort("o", cl::desc("Alias for --output"), cl::aliasopt(Output),
                             cl::NotHidden);
static cl::opt<bool>
    EndToEnd("end-to-end",
             cl::desc("Treat each whole run as one experiment: for programs that do one job "
                      "and exit. No progress point is needed"),
             cl::sub(RunCommand), cl::cat(Options));
static PerCPUTimeOption PerCPU(RunCommand);
static TopOption Top(RunCommand);
static PointOption Point(RunCommand);
static cl::opt<std::string>
    Report("report", cl::init("-"), cl::value_desc("file"),
           cl::desc("Where to write the report; - is standard output, which the program may "
                    "write to as well (default: -)"),
           cl::sub(RunCommand), cl::cat(Options));
static cl::opt<bool> Terminate("terminate",
                               cl::desc("Send SIGTERM to a program that still runs then, "
                                        "instead of letting it go on undisturbed"),
                               cl::sub(RunCommand), cl::cat(Options));

// What CAUSAL_OPTIONS says of what to profile, as options.
static cl::opt<std::string> Mode("mode", cl::value_desc("mode"),
                                 cl::desc("What to measure: causal, cpu, input, continuous"),
                                 cl::sub(RunCommand), cl::cat(Options));
static cl::opt<std::string> TargetKindName("target", cl::value_desc("kind"),
                                           cl::desc("What to make faster: line, function, section"),
                                           cl::sub(RunCommand), cl::cat(Options));
static cl::opt<std::string> Scope("scope", cl::value_desc("globs"),
                                  cl::desc("Sources to experiment on: src/,*.h"),
                                  cl::sub(RunCommand), cl::cat(Options));
static cl::opt<std::string> Exclude("exclude", cl::value_desc("globs"),
                                    cl::desc("Sources of these to leave out"), cl::sub(RunCommand),
                                    cl::cat(Options));
static cl::opt<std::string> FixedLine("line", cl::value_desc("file:line"),
                                      cl::desc("Experiment on this line alone, or file:function"),
                                      cl::sub(RunCommand), cl::cat(Options));
static cl::opt<std::string>
    Progress("progress", cl::value_desc("places"),
             cl::desc("Progress points: file.c:123 or a function, counted by breakpoints; with "
                      ":sampled behind it by samples"),
             cl::sub(RunCommand), cl::cat(Options));
static cl::list<std::string>
    Set("set", cl::value_desc("name=value"),
        cl::desc("Any other option of CAUSAL_OPTIONS (docs/reference/options.md); may be repeated"),
        cl::sub(RunCommand), cl::cat(Options));

namespace {

/// The one in which there is something to be made more precise.
constexpr char DefaultMode[] = "causal";

using Clock = std::chrono::steady_clock;

double since(Clock::time_point Then) {
  return std::chrono::duration<double, std::nano>(Clock::now() - Then).count();
}

/// Why there are no further experiments.
enum class Ending { None, Known, TimeUp, Interrupted, Failed, Enough, Empty };

class Session {
public:
  Session(double Target, double Limit, bool MakesExperiments, ControlFile &Control);

  /// Runs the program once; its exit status.
  Expected<int> runOnce(ArrayRef<std::pair<std::string, std::string>> Env, SignalGuard &Signals);
  /// After a run: whether there is to be another.
  Expected<bool> goesOn(int Status, const SignalGuard &Signals);
  void explainEnding();
  /// The program was ended by us.
  bool hasTerminated() const { return Terminated; }
  /// Runs of this session that have no final snapshot.
  unsigned unfinished() const;
  /// What the file has of builds that have run in this session; none before one has. A build
  /// of an earlier one says nothing of this one.
  std::optional<Profile> ours();

private:
  void look(bool AtOnce);
  bool enoughIsKnown() const;
  void show();
  void sayBackground(pid_t Id);

  double Target, Limit;
  bool MakesExperiments; ///< mode=causal.
  ControlFile &Control;
  Ending Why = Ending::None;
  Precision Now;
  unsigned Run = 0, WithoutExperiment = 0;
  StringSet<> Earlier;         ///< Ids of runs that the file had in the beginning.
  unsigned RunsWithRecord = 0; ///< Of this session.
  unsigned Experiments = 0;    ///< Made by them.
  bool Terminated = false, SaidBackground = false;
  std::string Leader;
  double Profiled = 0; ///< Time that the profile's runs took.
  Clock::time_point Begin = Clock::now(), NextLook = Begin;
  ProgressLine Line;
};

Session::Session(double Target, double Limit, bool MakesExperiments, ControlFile &Control)
    : Target(Target), Limit(Limit), MakesExperiments(MakesExperiments), Control(Control) {
  if (std::optional<Profile> P = peekProfile(Output))
    for (const causal::Run &R : P->runs())
      Earlier.insert(R.Id);
}

std::optional<Profile> Session::ours() {
  std::optional<Profile> P = peekProfile(Output);
  if (!P)
    return std::nullopt;
  RunsWithRecord = Experiments = 0;
  BitVector Builds(unsigned(P->builds().size()));
  auto IsNew = [&](const causal::Run &R) { return !Earlier.contains(R.Id); };
  for (const causal::Run &R : P->runs())
    if (IsNew(R)) {
      ++RunsWithRecord;
      Experiments += unsigned(R.Experiments.size());
      if (R.HasHeader)
        Builds.set(R.Build);
    }
  if (!RunsWithRecord)
    return std::nullopt;
  return P->select(
      [&](const causal::Run &R) { return IsNew(R) || (R.HasHeader && Builds[R.Build]); });
}

unsigned Session::unfinished() const {
  std::optional<Profile> P = peekProfile(Output);
  return P ? unsigned(count_if(P->runs(),
                               [&](const causal::Run &R) {
                                 return !Earlier.contains(R.Id) && (!R.Last || !R.Last->Final);
                               }))
           : 0;
}

/// Reads the profile, but spends little of the time with it.
void Session::look(bool AtOnce) {
  constexpr double Share = 0.05;
  if (!AtOnce && Clock::now() < NextLook)
    return;
  Clock::time_point Start = Clock::now();
  if (std::optional<Profile> P = ours()) {
    Now = precisionOf(*P, modelOptions());
    Profiled = totalsOf(*P).Wall;
    if (Now.Leader) {
      const SourceLine &L = P->lines()[*Now.Leader];
      Leader = placeOf(L, sys::path::filename(L.File));
    }
  }
  NextLook = Clock::now() + std::chrono::nanoseconds(int64_t(std::max(1e9, since(Start) / Share)));
}

bool Session::enoughIsKnown() const {
  // Of a few runs it is not known how much they differ, nor most lines.
  constexpr unsigned FewestTrials = 30;
  return Run >= Runs && Now.HalfWidth && *Now.HalfWidth <= Target &&
         (!EndToEnd || Now.Experiments >= FewestTrials);
}

void Session::show() {
  if (!Line.visible())
    return;
  std::string Text;
  raw_string_ostream OS(Text);
  OS << formatv("run {0}, {1} of {2}", Run, formatClock(since(Begin)), formatClock(Limit));
  if (MakesExperiments)
    OS << formatv(", {0} experiments on {1} {2}s", Now.Experiments, Now.Lines, Now.Word);
  if (Now.Leader)
    OS << formatv(", leader {0} {1:f1} %, ±{2:f1} by scatter", Leader, 100 * Now.LeaderGain.Value,
                  100 * *Now.HalfWidth);
  double Done = since(Begin) / Limit;
  if (std::optional<double> Left = timeLeft(Now, Target, Profiled)) {
    OS << ", about " << formatClock(*Left) << " to go";
    Done = std::max(Done, Profiled / (Profiled + *Left));
  }
  if (Why != Ending::None)
    Text = "done, no further experiments; waiting for the program to end "
           "(causal report " +
           Output + " shows what is known, ^C ends the program)";
  Line.show(Why == Ending::None ? Done : 1, Text);
}

void Session::sayBackground(pid_t Id) {
  Line.clear();
  if (!std::exchange(SaidBackground, true))
    WithColor::note(errs(), "causal")
        << formatv("{0} went into the background, as process {1}: waiting for that to end (^C "
                   "ends it)\n",
                   Program.front(), Id);
}

Expected<int> Session::runOnce(ArrayRef<std::pair<std::string, std::string>> Env,
                               SignalGuard &Signals) {
  constexpr double LookEvery = 250e6; // ns
  Expected<ChildProcess> Child = ChildProcess::start(Program, Env, Signals);
  if (!Child)
    return Child.takeError();
  ++Run;
  while (true) {
    show();
    if (std::optional<int> Status = Child->wait(LookEvery)) {
      if (!*Status && Child->followIntoBackground()) {
        sayBackground(Child->id());
        continue;
      }
      look(/*AtOnce=*/true);
      return *Status;
    }
    if (Why != Ending::None || Signals.interrupted())
      continue;
    look(/*AtOnce=*/false);
    if (enoughIsKnown())
      Why = Ending::Known;
    else if (since(Begin) >= Limit)
      Why = Ending::TimeUp;
    if (Why == Ending::None)
      continue;
    Control.stop();
    if (!Terminate)
      continue;
    // Time for the experiment that runs, and for the last snapshot.
    constexpr double Settle = 500e6; // ns
    if (std::optional<int> Status = Child->wait(Settle))
      return *Status;
    Child->terminate();
    Terminated = true;
  }
}

Expected<bool> Session::goesOn(int Status, const SignalGuard &Signals) {
  // Short runs add up to nothing if none of them has room for an experiment.
  constexpr unsigned MaxWithoutExperiment = 3;
  Line.clear();
  if (!RunsWithRecord)
    return Signals.interrupted() || Status ? Expected<bool>(false)
                                           : Expected<bool>(noProfileError(Program.front()));
  if (Signals.interrupted())
    Why = Ending::Interrupted;
  else if (Why != Ending::None) // The program saw it before it ended.
    return false;
  else if (Status)
    Why = Ending::Failed;
  else if (enoughIsKnown())
    Why = Ending::Known;
  else if (since(Begin) >= Limit)
    Why = Ending::TimeUp;
  else if (Runs && Run >= Runs)
    Why = Ending::Enough;
  else if (MakesExperiments && !Experiments && ++WithoutExperiment == MaxWithoutExperiment)
    Why = Ending::Empty;
  return Why == Ending::None;
}

void Session::explainEnding() {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << formatv("{0} run{1}", Run, Run == 1 ? "" : "s");
  if (MakesExperiments)
    OS << formatv(", {0} experiments", Experiments);
  OS << formatv(" in {0}: ", formatClock(since(Begin)));
  switch (Why) {
  case Ending::Known:
    OS << "enough is known";
    break;
  case Ending::TimeUp:
    OS << "time is up (--max-time)";
    break;
  case Ending::Interrupted:
    OS << "interrupted";
    break;
  case Ending::Failed:
    OS << "the program failed";
    break;
  case Ending::Enough:
    OS << "no more runs (--runs)";
    break;
  case Ending::Empty:
    OS << "no experiment in any run";
    break;
  case Ending::None:
    OS << "the program ended";
    break;
  }
  if (Why == Ending::Known && !Now.HalfWidth) // The last snapshot has told more.
    OS << formatv(", but with the last samples no {0} is sure to help", Now.Word);
  if (Now.HalfWidth)
    OS << formatv(". The top {0}s are known to ±{1:f1} points by scatter", Now.Word,
                  100 * *Now.HalfWidth);
  if (std::optional<double> Left = timeLeft(Now, Target, Profiled); Left && *Left > 0)
    OS << formatv("; ±{0:f1} would take about {1} more", 100 * Target, formatClock(*Left));
  WithColor::note(errs(), "causal") << Text << '\n';
  if (!Earlier.empty())
    WithColor::note(errs(), "causal")
        << Output
        << formatv(" had {0} run{1} before, which the report adds up with these; ", Earlier.size(),
                   Earlier.size() == 1 ? "" : "s")
        << "--output takes a new file\n";
}

using Flags = std::vector<std::pair<std::string, std::string>>;

/// What the next run is to try, end to end. The first one only looks where time goes.
void addTrial(Flags &To, EndToEndPlan &Plan, const std::optional<Profile> &P) {
  To.push_back({"end_to_end", "1"});
  std::optional<Trial> Next = P ? Plan.next(*P) : std::nullopt;
  To.push_back({"fixed_speedup", std::to_string(Next ? Next->Speedup : 0)});
  if (Next)
    To.push_back({"fixed_line", Next->Where});
}

/// What our options say, for CAUSAL_OPTIONS; they win over what it has.
Expected<Flags> flagsOfOptions() {
  const std::pair<const char *, const cl::opt<std::string> &> Named[] = {
      {"mode", Mode},       {"target", TargetKindName}, {"scope", Scope},
      {"exclude", Exclude}, {"fixed_line", FixedLine},  {"progress", Progress},
  };
  Flags Result;
  for (const auto &[Name, Option] : Named)
    if (Option.getNumOccurrences())
      Result.push_back({Name, Option});
  for (const std::string &Each : Set) {
    auto [Name, Value] = StringRef(Each).split('=');
    if (Name.empty() || Name.size() == Each.size())
      return createStringError(inconvertibleErrorCode(),
                               "--set takes name=value, as seed=7, not '" + Each + "'");
    for (const char *Ours : {"output", "control"})
      if (Name == Ours)
        return createStringError(inconvertibleErrorCode(),
                                 "--set cannot have " + Name + ": causal run gives it itself" +
                                     (Name == "output" ? " (--output)" : ""));
    Result.push_back({Name.str(), Value.str()});
  }
  return Result;
}

/// CAUSAL_OPTIONS with \p Ours behind it. What is wrong with ours is an error: the program would
/// say it, and run with something else.
Expected<RuntimeOptions> checkedOptions(const Flags &Ours) {
  Expected<std::string> Text = profilingOptions(Ours);
  if (!Text)
    return Text.takeError();
  RuntimeOptions All = readOptions(*Text);
  std::string Theirs = sys::Process::GetEnv("CAUSAL_OPTIONS").value_or("");
  std::vector<std::string> Known = readOptions(Theirs).Complaints;
  for (const std::string &Complaint : All.Complaints)
    if (!is_contained(Known, Complaint))
      return createStringError(inconvertibleErrorCode(), Complaint);
  std::vector<std::string> Modes = knownModes();
  if (Mode.getNumOccurrences() && !is_contained(Modes, All.Mode))
    return createStringError(inconvertibleErrorCode(),
                             "--mode takes " + join(Modes, ", ") + ", not '" + All.Mode + "'");
  if (EndToEnd && All.Mode != DefaultMode)
    return createStringError(inconvertibleErrorCode(),
                             "--end-to-end makes experiments, which is mode=causal; without it "
                             "the program runs once in mode=" +
                                 All.Mode);
  return All;
}

} // namespace

Error runRun() {
  std::optional<double> Target = parsePercent(Until, 50);
  if (!Target)
    return createStringError(inconvertibleErrorCode(),
                             "--until takes a percentage up to 50, as 2%, not "
                             "'" +
                                 Until + "'");
  std::optional<double> Limit = parseTime(MaxTime);
  if (!Limit)
    return createStringError(inconvertibleErrorCode(),
                             "--max-time takes a time, as 90s, 5m or 1h, not "
                             "'" +
                                 MaxTime + "'");
  if (Output == "-")
    return createStringError(inconvertibleErrorCode(),
                             "--output takes a file, since runs add to it; causal merge writes "
                             "it to standard output");
  Expected<Flags> Ours = flagsOfOptions();
  if (!Ours)
    return Ours.takeError();
  Expected<RuntimeOptions> Runtime = checkedOptions(*Ours);
  if (!Runtime)
    return Runtime.takeError();
  // More runs make other answers no more precise.
  if (Runtime->Mode != DefaultMode && !Runs)
    Runs = 1;
  if (Expected<std::string> Path = findProgram(Program.front()); !Path)
    return Path.takeError();
  int Status = 0;
  bool Interrupted = false, Terminated = false;
  unsigned EndedByUs = 0;
  std::optional<Profile> MeasuredRuns; ///< Of another mode than causal.
  {                                    // A second ^C, at the report, ends the tool.
    Expected<ControlFile> Control = ControlFile::create();
    if (!Control)
      return Control.takeError();
    EndToEndPlan Plan(std::random_device{}(), Runtime->FixedLine);
    SignalGuard Signals;
    Session S(*Target, *Limit, Runtime->Mode == DefaultMode, *Control);
    while (true) {
      Flags Each = *Ours;
      Each.push_back({"output", outputFlag(Output)});
      Each.push_back({"control", Control->path().str()});
      if (EndToEnd)
        addTrial(Each, Plan, S.ours());
      Expected<std::string> Text = profilingOptions(Each);
      if (!Text)
        return Text.takeError();
      Expected<int> Ended = S.runOnce({{"CAUSAL_OPTIONS", *Text}}, Signals);
      if (!Ended)
        return Ended.takeError();
      Status = *Ended;
      Expected<bool> Again = S.goesOn(Status, Signals);
      if (!Again)
        return Again.takeError();
      if (!*Again)
        break;
    }
    S.explainEnding();
    Interrupted = Signals.interrupted();
    Terminated = S.hasTerminated();
    EndedByUs = Terminated ? S.unfinished() : 0;
    // The file may have runs of other modes, and of programs before a change.
    if (RunMode Kind = modeNamed(Runtime->Mode); Kind != RunMode::Causal)
      if (std::optional<Profile> P = S.ours())
        MeasuredRuns = P->select([&](const causal::Run &R) { return R.Mode == Kind; });
  }
  Error E =
      MeasuredRuns ? reportOnRuns(*MeasuredRuns, Report) : reportOn({Output}, Report, EndedByUs);
  // We asked for that end.
  if (Terminated && !Interrupted && Status == 128 + SIGTERM)
    Status = 0;
  if (!Status)
    return E;
  if (E)
    WithColor::error(errs(), "causal") << toString(std::move(E)) << '\n';
  return make_error<ExitStatus>(
      Status,
      Interrupted ? "" : formatv("{0} ended with status {1}", Program.front(), Status).str());
}

} // namespace causal
