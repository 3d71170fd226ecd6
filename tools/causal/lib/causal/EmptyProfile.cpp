//===- EmptyProfile.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/EmptyProfile.h"
#include "lib/causal/Diagnosis.h"
#include "lib/causal/SpeedupModel.h"
#include "lib/container/RuntimeOptions.h"
#include "lib/container/SourceText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace causal {

static constexpr double ShortRun = 2e9; // ns
static constexpr int64_t ManySamples = 100;
/// A third of them are baselines, in random order.
static constexpr size_t ManyExperiments = 20;

/// The options may be why there is no experiment.
static bool optionsTell(const Profile &P) {
  return any_of(P.runs(), [](const Run &R) {
    RuntimeOptions Options = readOptions(R.Options);
    return !Options.Complaints.empty() || !Options.FixedLine.empty();
  });
}

/// No experiment in a time that has room for some: what the options have to do with it.
static Emptiness whyNoExperiment(const Profile &P, double Wall) {
  std::string Begin = "No experiment was finished in " + formatTime(Wall);
  for (const Run &R : P.runs()) {
    RuntimeOptions Options = readOptions(R.Options);
    if (!Options.Complaints.empty())
      return {
          "bad-options",
          formatv(
              "{0}, and of CAUSAL_OPTIONS the program said: {1}. Write it as "
              "docs/reference/options.md says, and run the program again. If it is as meant, no "
              "progress point was visited (CAUSAL_PROGRESS, causal.h).",
              Begin, printable(Options.Complaints.front()))};
    if (!Options.FixedLine.empty())
      return {"fixed-line",
              formatv("{0} on fixed_line={1}: no sample fell into it, or no progress point "
                      "was visited. Give a line that code was generated for and that runs, or "
                      "run without fixed_line= to see which lines there are.",
                      Begin, printable(Options.FixedLine))};
  }
  return {"no-progress-point",
          Begin + ": most likely no progress point was visited, or only when the run was "
                  "nearly over (the program says which at its end). Put CAUSAL_PROGRESS "
                  "(causal.h) where one unit of work is done, in code that runs all the time, "
                  "or let causal run --end-to-end time whole runs."};
}

/// Experiments without a visit, nearly all of them.
static std::optional<Emptiness> whyFewVisits(const Profile &P) {
  struct Visited {
    int64_t Visits = 0, First = 0;
  };
  std::vector<Visited> Points(P.points().size());
  for (const Experiment &E : P.experiments())
    for (const Measurement &M : E.Points)
      if (Visited &V = Points[M.Point]; M.Visits) {
        V.First = V.Visits ? std::min(V.First, E.Start) : E.Start;
        V.Visits += M.Visits;
      }
  constexpr StringLiteral Remedy = "Put CAUSAL_PROGRESS (causal.h) where one unit of work is "
                                   "done, in code that runs all the time";
  std::string Seen, Names;
  int64_t Most = 0;
  for (unsigned I = 0; I < Points.size(); ++I) {
    Most = std::max(Most, Points[I].Visits);
    std::string Name = printable(P.points()[I].Name);
    Names += (I ? ", " : " (") + Name;
    if (Points[I].Visits)
      Seen += formatv("{0}{1} {2} time{3}, first in one that began {4} after the start of its "
                      "run",
                      Seen.empty() ? "" : "; ", Name, Points[I].Visits,
                      Points[I].Visits == 1 ? "" : "s", formatTime(double(Points[I].First)));
  }
  size_t All = P.experiments().size();
  if (!Most)
    return Emptiness{"no-progress-point",
                     formatv("No progress point{0} was visited during the {1} experiments. "
                             "{2}.",
                             Names.empty() ? "" : Names + ")", All, Remedy)};
  if (size_t(Most) >= All)
    return std::nullopt;
  return Emptiness{"rarely-visited",
                   formatv("In {0} experiments progress points were visited too rarely to "
                           "tell anything: {1}. {2}, or let causal run --end-to-end time whole "
                           "runs.",
                           All, Seen, Remedy)};
}

static bool onlyBaselines(const Profile &P) {
  return all_of(P.experiments(), [](const Experiment &E) { return E.Speedup == 0; });
}

std::optional<Emptiness> whyEmpty(const Profile &P) {
  Totals T = totalsOf(P);
  if (P.experiments().empty()) {
    bool NoSampler =
        !P.runs().empty() && std::all_of(P.runs().begin(), P.runs().end(),
                                         [](const Run &R) { return R.Sampler == "none"; });
    if (NoSampler)
      return Emptiness{"no-sampler", "The program was not sampled: neither perf events nor "
                                     "timers could be had. Run it with "
                                     "CAUSAL_OPTIONS=verbosity=1 to see why."};
    // Without a snapshot it is not known whether samples fell into lines.
    bool Counted = std::any_of(P.runs().begin(), P.runs().end(),
                               [](const Run &R) { return R.Last.has_value(); });
    if (Counted && T.Samples == 0 && T.Unlocked > 0)
      return Emptiness{"no-sample",
                       formatv("No sample fell into a critical section whose lock is taken in a "
                               "source file in scope ({0:f0} samples without such a lock). Profile "
                               "lines or functions instead, with target= in CAUSAL_OPTIONS.",
                               T.Unlocked)};
    if (Counted && T.Samples == 0 && T.Rewritten)
      return Emptiness{"rewritten",
                       "No sample fell into a source line: the program was rewritten after it was "
                       "linked (llvm-bolt), which its line table does not follow. Profile the "
                       "program that llvm-bolt was given."};
    int64_t Elsewhere = T.Lost.OutOfScope + T.Lost.Unmapped;
    if (Counted && T.Samples == 0 && (T.Wall >= ShortRun || Elsewhere > ManySamples))
      return Emptiness{"no-sample",
                       formatv("No sample fell into a source line in scope ({0} samples out "
                               "of scope, {1} without a line). Build "
                               "the code that does the work with -fcausal-profile, and "
                               "check scope= and exclude= in "
                               "CAUSAL_OPTIONS.",
                               T.Lost.OutOfScope, T.Lost.Unmapped)};
    if (T.Wall < ShortRun && !(T.Samples > ManySamples && optionsTell(P)))
      return Emptiness{"too-short",
                       "The program ran for only " + formatTime(T.Wall) +
                           ", too short for an experiment. Give it more to do, "
                           "or run it many times: profiles "
                           "of one program add up in one file. causal run --end-to-end makes "
                           "each run one experiment."};
    return whyNoExperiment(P, T.Wall);
  }
  for (unsigned Point = 0; Point < P.points().size(); ++Point)
    if (canRank(P, Point))
      return std::nullopt;
  if (std::optional<Emptiness> Rare = whyFewVisits(P))
    return Rare;
  if (size_t All = P.experiments().size(); All >= ManyExperiments && onlyBaselines(P))
    return Emptiness{"only-baselines",
                     formatv("None of the {0} experiments had a speedup, so nothing can be "
                             "predicted: leave max_speedup= and fixed_speedup= out of "
                             "CAUSAL_OPTIONS.",
                             All)};
  return Emptiness{"too-short", formatv("{0} experiments in {1} are too few: no line has "
                                        "both a baseline (speedup 0) and a speedup. "
                                        "Let the program run longer, or run it several "
                                        "times: profiles of one program add up in "
                                        "one file.",
                                        P.experiments().size(), formatTime(T.Wall))};
}

} // namespace causal
