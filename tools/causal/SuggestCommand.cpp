//===- SuggestCommand.cpp - causal suggest --------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proposes progress points. One run under the sampler says which functions and lines the
// program is in; further runs count, by breakpoints and four places at a time, how often
// and how regularly each is reached. Nothing is experimented on.
//
//===----------------------------------------------------------------------===//
#include "ChildProcess.h"
#include "Commands.h"
#include "Profiling.h"
#include "Terminal.h"
#include "lib/causal/RunTarget.h"
#include "lib/cpu/Account.h"
#include "lib/cpu/FrameNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cmath>

using namespace llvm;

namespace causal {

cl::SubCommand SuggestCommand("suggest", "Propose progress points of a program");
static cl::list<std::string> Program(cl::Positional, cl::OneOrMore,
                                     cl::desc("-- <program> [argument...]"),
                                     cl::sub(SuggestCommand), cl::cat(Options));
static cl::opt<std::string> RunTime("run-time", cl::init("10s"), cl::value_desc("time"),
                                    cl::desc("End each run after this time (default: 10s)"),
                                    cl::sub(SuggestCommand), cl::cat(Options));
static cl::opt<unsigned> Most("top", cl::init(8), cl::value_desc("n"),
                              cl::desc("Places to count (default: 8)"), cl::sub(SuggestCommand),
                              cl::cat(Options));

namespace {

/// Of the processor; more places take more runs.
constexpr unsigned PlacesPerRun = 4;

/// A place that may be a progress point.
struct Candidate {
  std::string Place;  ///< As progress= takes it.
  double Share;       ///< Of the CPU time: with all that it calls.
  double Rate = 0;    ///< Visits a second.
  double Scatter = 0; ///< Of the rate between pieces of the run, relative.
  unsigned Pieces = 0;
};

/// A file that is gone with it.
class TemporaryFile {
public:
  static Expected<TemporaryFile> create() {
    SmallString<128> Path;
    if (std::error_code E = sys::fs::createTemporaryFile("causal-suggest", "causal", Path))
      return createStringError(E, "cannot make a temporary file: " + E.message());
    return TemporaryFile(Path.str().str());
  }
  ~TemporaryFile() {
    if (!Path.empty())
      sys::fs::remove(Path);
  }
  TemporaryFile(TemporaryFile &&Other) : Path(std::move(Other.Path)) { Other.Path.clear(); }
  const std::string &path() const { return Path; }

private:
  explicit TemporaryFile(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
};

/// Runs the program once, with these options, for \p Time nanoseconds at most.
Expected<Profile> profileOnce(std::vector<std::pair<std::string, std::string>> Flags, double Time) {
  Expected<TemporaryFile> File = TemporaryFile::create();
  if (!File)
    return File.takeError();
  Flags.push_back({"output", outputFlag(File->path())});
  Expected<std::string> Text = profilingOptions(Flags);
  if (!Text)
    return Text.takeError();
  SignalGuard Signals;
  Expected<ChildProcess> Child = ChildProcess::start(Program, {{"CAUSAL_OPTIONS", *Text}}, Signals);
  if (!Child)
    return Child.takeError();
  std::optional<int> Status = Child->wait(Time);
  if (!Status) {
    Child->terminate();
    constexpr double Grace = 5e9; // ns
    Child->wait(Grace);
  }
  if (Signals.interrupted())
    return make_error<ExitStatus>(128 + Signals.signal());
  std::optional<Profile> P = peekProfile(File->path());
  if (!P)
    return noProfileError(Program.front());
  return std::move(*P);
}

bool isPlainName(StringRef Name) {
  return !Name.empty() && !isDigit(Name.front()) &&
         all_of(Name, [](char C) { return isAlnum(C) || C == '_'; }) && Name != "main";
}

/// The functions and lines that the program is in for most of its time, the most first.
std::vector<Candidate> candidates(const cpu::CPUProfile &P) {
  // What is in all stacks of a thread most likely runs once; what takes less than this says
  // little of the program's work.
  constexpr double LeastShare = 0.02;
  cpu::Account A = cpu::accountOf(P);
  double All = double(A.In[cpu::State::CPU]);
  std::vector<Candidate> Result;
  StringSet<> Seen;
  auto Add = [&](std::string Place, const cpu::Cost &C) {
    double Share = All ? double(C.Total) / All : 0;
    if (Share >= LeastShare && Seen.insert(Place).second)
      Result.push_back({std::move(Place), Share});
  };
  for (const cpu::Cost &C : A.Functions) {
    const cpu::Place &L = P.Places[C.Place];
    if (!L.File.empty() && !cpu::isSystem(P, L) && isPlainName(L.Function))
      Add(L.Function, C);
  }
  for (const cpu::Cost &C : A.Lines) {
    const cpu::Place &L = P.Places[C.Place];
    if (!L.File.empty() && L.Line && !cpu::isSystem(P, L))
      Add((sys::path::filename(L.File) + ":" + Twine(L.Line)).str(), C);
  }
  llvm::sort(Result, [](const Candidate &X, const Candidate &Y) { return X.Share > Y.Share; });
  return Result;
}

/// What the experiments of \p P, which are all baselines, say of the places.
void countVisits(const Profile &P, MutableArrayRef<Candidate> Places) {
  for (Candidate &C : Places) {
    std::vector<double> Rates;
    for (const Experiment &X : P.experiments())
      for (const Measurement &M : X.Points)
        if (P.points()[M.Point].Name == C.Place && X.effective() > 0)
          Rates.push_back(double(M.Visits) * 1e9 / double(X.effective()));
    double Sum = 0, Squares = 0;
    for (double Rate : Rates)
      Sum += Rate;
    C.Pieces = unsigned(Rates.size());
    C.Rate = Rates.empty() ? 0 : Sum / double(Rates.size());
    for (double Rate : Rates)
      Squares += (Rate - C.Rate) * (Rate - C.Rate);
    C.Scatter =
        C.Rate > 0 && Rates.size() > 1 ? std::sqrt(Squares / double(Rates.size() - 1)) / C.Rate : 0;
  }
}

/// Rates that an experiment of a tenth of a second counts well, and a breakpoint can follow.
constexpr double LeastRate = 50, MostRate = 500;

/// The larger, the better a progress point: it is reached often enough, evenly, and stands for
/// much of the program's work.
double merit(const Candidate &C) {
  if (C.Rate <= 0)
    return 0;
  double Often = std::min(1.0, C.Rate / LeastRate);
  // Samples tell less than visits.
  double Exact = C.Rate > MostRate ? 0.3 : 1;
  return C.Share * Often * Exact / (1 + C.Scatter);
}

void print(ArrayRef<Candidate> Places, raw_ostream &OS) {
  OS << formatv("{0,12} {1,9} {2,7}  {3}\n", "reached/s", "even", "share%", "use");
  for (const Candidate &C : Places) {
    if (C.Rate <= 0)
      continue;
    std::string Even = C.Pieces > 1 ? formatv("±{0:f0} %", 100 * C.Scatter).str() : "?";
    OS << formatv("{0,12:f0} ", C.Rate) << right_justify(Even, 10)
       << formatv(" {0,7:f1}  --progress={1}{2}\n", 100 * C.Share, C.Place,
                  C.Rate > MostRate ? ":sampled" : "");
  }
}

} // namespace

Error runSuggest() {
  std::optional<double> Time = parseTime(RunTime);
  if (!Time || *Time <= 0)
    return createStringError(inconvertibleErrorCode(),
                             "--run-time takes a time, as 10s or 1m, not '" + RunTime + "'");
  if (Expected<std::string> Path = findProgram(Program.front()); !Path)
    return Path.takeError();
  auto Say = [](const Twine &Text) { WithColor::note(errs(), "causal") << Text << '\n'; };
  Say("one run under the sampler");
  Expected<Profile> Samples = profileOnce({{"mode", "cpu"}}, *Time);
  if (!Samples)
    return Samples.takeError();
  auto Warn = [](const Twine &Text) { WithColor::warning(errs(), "causal") << Text << '\n'; };
  cpu::CPUProfile CPU = cpu::readCPU(*Samples, Warn);
  cpu::nameFrames(CPU, Warn);
  std::vector<Candidate> Places = candidates(CPU);
  if (Places.empty())
    return createStringError(inconvertibleErrorCode(),
                             "no function or line of " + Program.front() +
                                 " has 2 % of its CPU time: nothing can be proposed. Build its own "
                                 "code with -fcausal-profile, or give it more to do");
  if (Most && Places.size() > Most)
    Places.resize(Most);
  for (size_t I = 0; I < Places.size(); I += PlacesPerRun) {
    MutableArrayRef<Candidate> Batch = MutableArrayRef<Candidate>(Places).slice(
        I, std::min<size_t>(PlacesPerRun, Places.size() - I));
    std::string List;
    for (const Candidate &C : Batch)
      List += (List.empty() ? "" : ",") + C.Place;
    Say("a run that counts " + Twine(List));
    Expected<Profile> Counted =
        profileOnce({{"mode", "causal"}, {"progress", List}, {"fixed_speedup", "0"}}, *Time);
    if (!Counted)
      return Counted.takeError();
    countVisits(*Counted, Batch);
  }
  llvm::sort(Places, [](const Candidate &X, const Candidate &Y) { return merit(X) > merit(Y); });
  if (Places.front().Rate <= 0)
    return createStringError(
        inconvertibleErrorCode(),
        "none of the places was counted during an experiment: the program runs "
        "too short, or none is reached twice. Use causal run --end-to-end, "
        "which needs no progress point");
  print(Places, outs());
  outs() << "\nA good progress point is reached once for each unit of work. Then:\n  causal run "
            "--progress="
         << Places.front().Place << (Places.front().Rate > MostRate ? ":sampled" : "") << " --";
  for (const std::string &Word : Program)
    outs() << ' ' << Word;
  outs() << '\n';
  return Error::success();
}

} // namespace causal
