//===- InputModel.cpp -----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/input/InputModel.h"
#include "lib/container/SourceText.h"
#include "lib/input/InputRecords.h"
#include "lib/input/RoutineName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace llvm;

namespace causal {

void InputPoint::add(const InputPoint &Other) {
  Input = Other.Input;
  Self = !Calls               ? Other.Self
         : Self && Other.Self ? std::optional(*Self + *Other.Self)
                              : std::nullopt;
  Calls += Other.Calls;
  Min = std::min(Min, Other.Min);
  Max = std::max(Max, Other.Max);
  Sum += Other.Sum;
  SumSquares += Other.SumSquares;
  ThreadInput += Other.ThreadInput;
  ExternalInput += Other.ExternalInput;
}

double InputRoutine::input() const {
  double Sum = 0;
  for (const InputPoint &P : Points)
    Sum += double(P.Input) * double(P.Calls);
  return Sum;
}

bool InputModel::hasSelf() const {
  return all_of(Routines, [](const InputRoutine &R) {
    return all_of(R.Points, [](const InputPoint &P) { return P.Self.has_value(); });
  });
}

namespace {

/// Builds the model of one metric, run by run.
class Builder {
public:
  Builder(InputModel &M, const InputOptions &Options) : M(M), Options(Options) {}

  void add(const InputRecords &R) {
    ++M.Runs;
    M.CutRuns += !R.Final;
    M.Threads += R.Threads;
    M.Lost += R.Lost;
    for (const std::string &Library : R.Uninstrumented)
      if (!is_contained(M.Uninstrumented, Library))
        M.Uninstrumented.push_back(Library);
    M.Pending += R.Pending;
    if (R.Skipped)
      M.Warnings.push_back(
          (Twine(R.Skipped) + " records were skipped; the first: " + R.FirstSkipped).str());
    for (const auto &[Key, Point] : R.Points)
      points(routine(R, Key.Routine, Key.Thread))[Point.Input].add(Point);
    for (const auto &[Ends, Call] : R.Calls) {
      // Of threads together: who called whom is not known by thread.
      auto [It, New] = Calls.try_emplace({routine(R, Ends.first), routine(R, Ends.second)});
      It->second.Calls += Call.Calls;
      It->second.Cost += Call.Cost;
    }
    for (const auto &[Id, Total] : R.Totals) {
      if (Options.ThreadsApart)
        continue;
      InputRoutine &Each = M.Routines[routine(R, Id)];
      Each.Calls += Total.Calls;
      Each.Self += Total.Self;
      Each.Inclusive += Total.Inclusive;
    }
  }

  void finish() {
    for (auto [Routine, Points] : zip(M.Routines, AllPoints)) {
      int64_t Calls = 0;
      double Sum = 0, Self = 0;
      for (auto &[Input, P] : Points) {
        Routine.Points.push_back(P);
        Calls += P.Calls;
        Sum += P.Sum;
        Self += P.Self.value_or(0);
      }
      // A run that was cut has no totals.
      Routine.Calls = std::max(Routine.Calls, Calls);
      if (Routine.Inclusive == 0)
        Routine.Inclusive = Sum;
      if (Routine.Self == 0)
        Routine.Self = Self;
      M.Total += Routine.Self;
    }
    for (const auto &[Ends, Call] : Calls)
      M.Calls.push_back({Ends.first, Ends.second, Call.Calls, Call.Cost});
    if (M.Total == 0) // Then the routine that holds all others stands for it.
      for (const InputRoutine &R : M.Routines)
        M.Total = std::max(M.Total, R.Inclusive);
    warn();
  }

private:
  std::map<int64_t, InputPoint> &points(unsigned Routine) { return AllPoints[Routine]; }

  unsigned routine(const InputRecords &R, int64_t Id, int64_t Thread = -1) {
    auto It = R.Routines.find(Id);
    RoutineRecord Named = It != R.Routines.end() ? It->second : RoutineRecord();
    if (Named.Name.empty())
      Named.Name = ("routine " + Twine(Id)).str();
    std::optional<int64_t> Apart;
    if (Options.ThreadsApart && Thread >= 0)
      Apart = Thread;
    auto [Known, New] = Index.try_emplace(
        std::make_tuple(Named.Name, Named.File, Named.Line, Apart), unsigned(M.Routines.size()));
    if (New) {
      InputRoutine Each;
      Each.Name = demangledName(Named.Name);
      Each.File = Named.File;
      Each.Line = Named.Line;
      Each.Contract = Named.Contract;
      Each.Thread = Apart;
      M.Routines.push_back(std::move(Each));
      AllPoints.emplace_back();
    }
    return Known->second;
  }

  void warn() {
    if (M.CutRuns)
      M.Warnings.push_back((Twine(M.CutRuns) + (M.CutRuns == 1 ? " run has" : " runs have") +
                            " no end: the program was killed or still runs, and what it did since "
                            "the last record is missing")
                               .str());
    if (M.Pending)
      M.Warnings.push_back((Twine(M.Pending) + " activations of other threads had not ended when "
                                               "the program did, and are missing")
                               .str());
    if (M.Lost)
      M.Warnings.push_back((Twine(M.Lost) + " activations were lost for want of memory: sums are "
                                            "too low by them. Profile a smaller workload.")
                               .str());
  }

  struct CallSum {
    int64_t Calls = 0;
    double Cost = 0;
  };
  InputModel &M;
  const InputOptions &Options;
  std::map<std::tuple<std::string, std::string, unsigned, std::optional<int64_t>>, unsigned> Index;
  std::vector<std::map<int64_t, InputPoint>> AllPoints;
  std::map<std::pair<unsigned, unsigned>, CallSum> Calls;
};

/// trms, then rms, then whatever there is.
unsigned rankOfMetric(StringRef Metric) { return Metric == "trms" ? 0 : Metric == "rms" ? 1 : 2; }

Error refuse(const Twine &What, const Twine &Why) {
  return createStringError(inconvertibleErrorCode(),
                           "these input profiles do not add up: " + What + "; " + Why +
                               ". Report them one by one, or record them all the same way.");
}

Error checkAlike(ArrayRef<InputRecords> All) {
  for (const InputRecords &R : All) {
    const InputRecords &First = All.front();
    if (R.Cell != First.Cell)
      return refuse("one has cells of " + Twine(First.Cell) + " bytes and another of " +
                        Twine(R.Cell),
                    "an input of n cells is not as large in both");
    if (R.Unit != First.Unit)
      return refuse("one counts cost in " + First.Unit + " and another in " + R.Unit,
                    "their numbers are no sums");
  }
  return Error::success();
}

std::vector<GrowthPoint> costs(const InputRoutine &R, bool Worst) {
  // How much repetition of one input varies, relatively: those of one call borrow it.
  double Squares = 0, Freedom = 0;
  auto Own = [](const InputPoint &P) {
    double N = double(P.Calls), Mean = P.mean();
    double Around = std::max(0.0, P.SumSquares / N - Mean * Mean) * N;
    return Mean > 0 ? Around / (Mean * Mean) : 0;
  };
  for (const InputPoint &P : R.Points) {
    Squares += Own(P);
    Freedom += double(P.Calls - 1);
  }
  double Pooled = Freedom > 0 ? Squares / Freedom : 0;
  std::vector<GrowthPoint> Points;
  for (const InputPoint &P : R.Points) {
    if (P.Input < 1 || P.Calls < 1)
      continue;
    double N = double(P.Calls);
    double OfOne = (Own(P) + 4 * Pooled) / (N + 3);
    Points.push_back({double(P.Input), Worst ? double(P.Max) : P.mean(), Worst ? 0 : OfOne / N});
  }
  return Points;
}

} // namespace

std::vector<GrowthPoint> meanCosts(const InputRoutine &R) { return costs(R, false); }
std::vector<GrowthPoint> worstCosts(const InputRoutine &R) { return costs(R, true); }

Error checkInputRuns(const Profile &P) { return checkAlike(readInputRecords(P)); }

Expected<std::vector<InputModel>> readInputModels(const Profile &P, const InputOptions &Options) {
  std::vector<InputRecords> All = readInputRecords(P);
  if (Error E = checkAlike(All))
    return std::move(E);
  std::map<std::pair<unsigned, std::string>, std::vector<const InputRecords *>> ByMetric;
  for (const InputRecords &R : All)
    ByMetric[{rankOfMetric(R.Metric), R.Metric}].push_back(&R);
  std::vector<InputModel> Models;
  for (const auto &[Metric, Runs] : ByMetric) {
    InputModel &M = Models.emplace_back();
    M.Metric = Metric.second;
    M.Unit = Runs.front()->Unit;
    M.Cell = Runs.front()->Cell;
    Builder Build(M, Options);
    for (const InputRecords *R : Runs)
      Build.add(*R);
    Build.finish();
  }
  return Models;
}

std::vector<unsigned> findRoutines(const InputModel &M, StringRef Spec) {
  std::vector<unsigned> Found, Exact;
  Spec = Spec.trim();
  for (unsigned I = 0; I < M.Routines.size(); ++I) {
    StringRef Name = M.Routines[I].Name;
    std::string Short = shortRoutineName(Name);
    StringRef Bare = Short;
    StringRef File, Of = Spec;
    // "file:name", but not the "::" of a name.
    if (size_t At = Spec.find(':'); At != StringRef::npos && !Spec.substr(At).starts_with("::"))
      std::tie(File, Of) = Spec.split(':');
    if (!File.empty() && !(StringRef(M.Routines[I].File) == File ||
                           StringRef(M.Routines[I].File).ends_with(("/" + File).str())))
      continue;
    if (Name == Of || Bare == Of)
      Exact.push_back(I);
    else if (Bare.ends_with(("::" + Of).str()))
      Found.push_back(I);
  }
  return Exact.empty() ? Found : Exact;
}

} // namespace causal
