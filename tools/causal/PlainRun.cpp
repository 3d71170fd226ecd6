//===- PlainRun.cpp -------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlainRun.h"
#include "ChildProcess.h"
#include "Commands.h"
#include "Profiling.h"
#include "lib/container/ProfileReader.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

#include <chrono>
#include <csignal>
#include <set>

using namespace llvm;

namespace causal {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point Then) {
  return std::chrono::duration<double, std::nano>(Clock::now() - Then).count();
}

/// How the last run ended.
struct Ending {
  int Status = 0;
  bool Interrupted = false, Terminated = false;
};

Expected<Ending> runOften(const RunPlan &Plan) {
  constexpr double LookEvery = 250e6; // ns
  std::vector<std::pair<std::string, std::string>> Flags = Plan.Flags;
  Flags.push_back({"output", outputFlag(Plan.Output)});
  Expected<std::string> Options = profilingOptions(Flags);
  if (!Options)
    return Options.takeError();
  Ending E;
  SignalGuard Signals;
  Clock::time_point Begin = Clock::now();
  for (unsigned Run = 0; Run < Plan.Runs && (Run == 0 || since(Begin) < Plan.Limit); ++Run) {
    Expected<ChildProcess> Child =
        ChildProcess::start(Plan.Program, {{"CAUSAL_OPTIONS", *Options}}, Signals);
    if (!Child)
      return Child.takeError();
    std::optional<int> Status;
    while (!(Status = Child->wait(LookEvery)))
      if (Plan.Terminate && !E.Terminated && since(Begin) >= Plan.Limit) {
        Child->terminate();
        E.Terminated = true;
      }
    E.Status = *Status;
    E.Interrupted = Signals.interrupted();
    if (E.Status || E.Interrupted || E.Terminated)
      break;
  }
  return E;
}

/// Runs that were not there before, and others of the same builds.
std::optional<Profile> newRuns(StringRef Output, RunMode Mode, const StringSet<> &Earlier) {
  std::optional<Profile> P = peekProfile(Output);
  if (!P)
    return std::nullopt;
  std::set<unsigned> Builds;
  auto Fits = [&](const Run &R) { return R.Mode == Mode && R.HasHeader; };
  for (const Run &R : P->runs())
    if (Fits(R) && !Earlier.contains(R.Id))
      Builds.insert(R.Build);
  if (Builds.empty())
    return std::nullopt;
  return P->select([&](const Run &R) { return Fits(R) && Builds.count(R.Build); });
}

} // namespace

Error runPlainly(const RunPlan &Plan) {
  StringSet<> Earlier;
  if (std::optional<Profile> P = peekProfile(Plan.Output))
    for (const Run &R : P->runs())
      Earlier.insert(R.Id);
  Expected<Ending> Ended = runOften(Plan);
  if (!Ended)
    return Ended.takeError();
  std::optional<Profile> P = newRuns(Plan.Output, Plan.Mode, Earlier);
  Error E = P ? reportOnRuns(*P, Plan.Report) : noProfileError(Plan.Program.front());
  int Status = Ended->Status;
  if (Ended->Terminated && !Ended->Interrupted && Status == 128 + SIGTERM) // As we asked.
    Status = 0;
  if (!Status)
    return E;
  if (E)
    WithColor::error(errs(), "causal") << toString(std::move(E)) << '\n';
  return make_error<ExitStatus>(
      Status, Ended->Interrupted
                  ? ""
                  : formatv("{0} ended with status {1}", Plan.Program.front(), Status).str());
}

} // namespace causal
