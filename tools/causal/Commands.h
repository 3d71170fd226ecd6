//===- Commands.h - The subcommands of causal -------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each command is one file that owns its options; causal.cpp picks one and
// turns its Error into a message and an exit status. Commands write their
// result to stdout (or -o) and warnings to stderr.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_COMMANDS_H
#define CAUSAL_TOOL_COMMANDS_H

#include "lib/container/Profile.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace causal {

struct Baseline;
struct Estimate;
struct ModelOptions;

extern llvm::cl::OptionCategory Options;
extern llvm::cl::SubCommand AnnotateCommand, CheckCommand, DiffCommand, ExportCommand, MergeCommand,
    ReportCommand, RunCommand, SuggestCommand, ValidateCommand;

/// --per-cpu-time of a command that predicts.
extern bool PerCPUTime;
struct PerCPUTimeOption : llvm::cl::opt<bool, /*ExternalStorage=*/true> {
  explicit PerCPUTimeOption(llvm::cl::SubCommand &Command)
      : opt("per-cpu-time", llvm::cl::location(PerCPUTime),
            llvm::cl::desc("Assume threads do not compete for caches or memory: narrows the "
                           "intervals when units of work vary in size"),
            llvm::cl::sub(Command), llvm::cl::cat(Options)) {}
};
/// What it and the defaults say.
ModelOptions modelOptions();

llvm::Error runAnnotate();
llvm::Error runCheck();
llvm::Error runDiff();
llvm::Error runReport();
llvm::Error runRun();
llvm::Error runSuggest();
llvm::Error runValidate();
llvm::Error runExport();
llvm::Error runMerge();

/// Of `causal report`, and of `causal run`, which ends with one.
extern unsigned TopLinesShown;
struct TopOption : llvm::cl::opt<unsigned, /*ExternalStorage=*/true> {
  explicit TopOption(llvm::cl::SubCommand &Command)
      : opt("top", llvm::cl::location(TopLinesShown), llvm::cl::init(10u),
            llvm::cl::value_desc("n"),
            llvm::cl::desc("Lines to show for a progress point (default: 10; 0: all)"),
            llvm::cl::sub(Command), llvm::cl::cat(Options)) {}
};
extern std::string PointShown;
struct PointOption : llvm::cl::opt<std::string, /*ExternalStorage=*/true> {
  explicit PointOption(llvm::cl::SubCommand &Command)
      : opt("point", llvm::cl::location(PointShown), llvm::cl::value_desc("name"),
            llvm::cl::desc("Report on this progress point alone"), llvm::cl::sub(Command),
            llvm::cl::cat(Options)) {}
};
/// The text report on \p Files, with these options, to the file \p To or, if that is "-", to
/// stdout. \p EndedByUs: see warningsOn().
llvm::Error reportOn(llvm::ArrayRef<std::string> Files, llvm::StringRef To = "-",
                     unsigned EndedByUs = 0);

/// The same on a profile that is read already.
llvm::Error reportOnRuns(const Profile &P, llvm::StringRef To);

/// "95 %: 1.2 to 3.4".
std::string formatInterval(const Estimate &E);
/// Why two baselines cannot be compared; one of them has no Freedom.
std::string unknownGain(const Baseline &Before, const Baseline &After);

/// A failure with an exit status other than 1. Without a message nothing is
/// printed: the command has said it all.
class ExitStatus : public llvm::ErrorInfo<ExitStatus> {
public:
  static char ID;
  explicit ExitStatus(int Status, std::string Message = "")
      : Status(Status), Message(std::move(Message)) {}
  void log(llvm::raw_ostream &OS) const override { OS << Message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  const int Status;
  const std::string Message;
};

/// Reads \p Files, or default.causal if there are none. What had to be skipped
/// goes to stderr. Builds are made one, or refused (BuildMatch.h).
llvm::Expected<Profile> readProfile(llvm::ArrayRef<std::string> Files);
/// The same, with runs of \p Modes alone; an error if there are none. \p Command says who asks.
llvm::Expected<Profile> readRuns(llvm::ArrayRef<std::string> Files, llvm::ArrayRef<RunMode> Modes,
                                 llvm::StringRef Command);
/// As readProfile(), with builds left apart. Experiments go to \p TakeExperiment, if it is given,
/// and not into the profile.
llvm::Expected<Profile>
readBuilds(llvm::ArrayRef<std::string> Files,
           std::function<void(const Experiment &)> TakeExperiment = nullptr);

} // namespace causal

#endif // CAUSAL_TOOL_COMMANDS_H
