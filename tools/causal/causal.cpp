//===- causal.cpp - Reads, reports and converts causal profiles -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line: chooses a subcommand, reports its failure. No analysis
// here.
//
//===----------------------------------------------------------------------===//

#include "CommandHelp.h"
#include "Commands.h"
#include "ProgressLine.h"
#include "Terminal.h"
#include "causal/ProfileFormat.h"
#include "db/DatabaseCommands.h"
#include "lib/container/BuildMatch.h"
#include "lib/container/ProfileReader.h"
#include "lib/container/RunModes.h"
#include "lib/container/SourceText.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace llvm;

namespace causal {

cl::OptionCategory Options("Options");

char ExitStatus::ID;

// A pipe has no size, but may have something to say.
static bool isBlank(const std::string &File) {
  sys::fs::file_status Status;
  return !sys::fs::status(File, Status) && sys::fs::is_regular_file(Status) && !Status.getSize();
}

Expected<Profile> readProfile(ArrayRef<std::string> Files) {
  Expected<Profile> P = readBuilds(Files);
  if (P)
    if (Error E = unifyBuilds(*P))
      return std::move(E);
  return P;
}

Expected<Profile> readRuns(ArrayRef<std::string> Files, ArrayRef<RunMode> Modes,
                           StringRef Command) {
  Expected<Profile> P = readProfile(Files);
  return P ? selectModes(std::move(*P), Modes, Command) : std::move(P);
}

Expected<Profile> readBuilds(ArrayRef<std::string> Files,
                             std::function<void(const Experiment &)> TakeExperiment) {
  ProgressLine Line;
  ProfileReader Reader([&](const Twine &Message) {
    Line.clear();
    WithColor::warning(errs(), "causal") << Message << '\n';
  });
  auto Begin = std::chrono::steady_clock::now();
  Reader.reportProgress([&](StringRef File, double Done) {
    // What is quick needs no bar.
    if (std::chrono::steady_clock::now() - Begin > std::chrono::seconds(1))
      Line.show(Done, ("reading " + File).str());
  });
  if (TakeExperiment)
    Reader.divertExperiments(std::move(TakeExperiment));
  if (Files.empty()) {
    if (Error E = Reader.addFile(CAUSAL_PROFILE_DEFAULT_NAME))
      return std::move(E);
  }
  // Of many processes one may have left nothing; that is no reason to read none.
  bool AllBlank = all_of(Files, isBlank);
  for (const std::string &File : Files) {
    if (isBlank(File) && !AllBlank) {
      WithColor::warning(errs(), "causal") << printable(File) << " is empty\n";
      continue;
    }
    if (Error E = Reader.addFile(File))
      return std::move(E);
  }
  return Reader.take();
}

} // namespace causal

using causal::Command, causal::CommandGroup;

static const Command Commands[] = {
    {causal::RunCommand, causal::runRun, CommandGroup::Measure,
     "Run a program until enough is known, and report",
     "causal run --end-to-end -- ./convert in.png out.png"},
    {causal::SuggestCommand, causal::runSuggest, CommandGroup::Measure,
     "Propose progress points of a program", "causal suggest -- ./server --bench"},
    {causal::ReportCommand, causal::runReport, CommandGroup::Understand,
     "Say what to make faster, and where time goes", "causal report --html=report.html"},
    {causal::AnnotateCommand, causal::runAnnotate, CommandGroup::Understand,
     "Show a source file beside its numbers", "causal annotate src/parser.cpp"},
    {causal::DiffCommand, causal::runDiff, CommandGroup::Compare,
     "Show what a change brought, and what was predicted",
     "causal diff before.causal after.causal"},
    {causal::CheckCommand, causal::runCheck, CommandGroup::Compare,
     "Fail if a program has become slower", "causal check --baseline=main.causal new.causal"},
    {causal::ValidateCommand, causal::runValidate, CommandGroup::Compare,
     "Try a prediction: make the line slower, and measure",
     "causal validate --line=parser.cpp:42 -- ./server"},
    {causal::MergeCommand, causal::runMerge, CommandGroup::Exchange,
     "Put several profiles into one file", "causal merge -o all.causal *.causal"},
    {causal::ExportCommand, causal::runExport, CommandGroup::Exchange,
     "Convert a profile for another tool", "causal export --format=pprof -o profile.pb.gz"},
};

static Error noCommandError() {
  std::string Names;
  for (const Command &C : Commands)
    Names += (Names.empty() ? "" : ", ") + C.Sub.getName().str();
  for (const causal::DatabaseCommand &C : causal::databaseCommands())
    Names += ", " + C.Sub.getName().str();
  return createStringError(inconvertibleErrorCode(),
                           "name a command: " + Names + "; causal help says more");
}

static Error runCommand() {
  for (const Command &C : Commands)
    if (C.Sub)
      return C.Run();
  for (const causal::DatabaseCommand &C : causal::databaseCommands())
    if (C.Sub)
      return C.Run();
  return noCommandError();
}

/// "causal db prof" runs the command "db prof".
static std::vector<const char *> joinDatabaseCommand(std::vector<const char *> Joined) {
  static std::string Name;
  if (Joined.size() < 3 || StringRef(Joined[1]) != "db")
    return Joined;
  Name = std::string("db ") + Joined[2];
  if (any_of(causal::databaseCommands(),
             [](const causal::DatabaseCommand &C) { return C.Sub.getName() == Name; })) {
    Joined[1] = Name.c_str();
    Joined.erase(Joined.begin() + 2);
  }
  return Joined;
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(causal::Options);
  for (const Command &C : Commands)
    cl::HideUnrelatedOptions(causal::Options, C.Sub);
  for (const causal::DatabaseCommand &C : causal::databaseCommands())
    cl::HideUnrelatedOptions(causal::Options, C.Sub);
  cl::SetVersionPrinter([](raw_ostream &OS) {
    OS << "causal " << CAUSAL_VERSION << " (profile format " << CAUSAL_PROFILE_VERSION << ")\n";
  });
  WithColor::setAutoDetectFunction(causal::wantsColor);
  std::vector<const char *> Arguments =
      causal::withHelpSpelledOut(ArrayRef<const char *>(argv, argc), Commands);
  Arguments = joinDatabaseCommand(std::move(Arguments));
  StringRef First = Arguments.size() > 1 ? Arguments[1] : "";
  if (First == "help" || First == "--help" || First == "-help" || First == "-h") {
    causal::printOverview(Commands, outs());
    outs() << "\nAsk a database of always-on profiles:\n";
    for (const causal::DatabaseCommand &C : causal::databaseCommands())
      outs() << formatv("  {0,-14}{1}\n", C.Sub.getName(), C.Sub.getDescription());
    return 0;
  }
  // Of `causal check` 1 is an answer.
  int Failure = First == causal::CheckCommand.getName() ? 2 : 1;
  if (!cl::ParseCommandLineOptions(int(Arguments.size()), Arguments.data(),
                                   "Says which code to make faster, and what it brings\n", &errs()))
    return Failure;

  Error E = runCommand();
  outs().flush();
  if (outs().has_error())
    E = joinErrors(std::move(E), createStringError(outs().error(), "cannot write the result: " +
                                                                       outs().error().message()));
  outs().clear_error();
  int Status = 0;
  handleAllErrors(
      std::move(E),
      [&](const causal::ExitStatus &Exit) {
        Status = Exit.Status;
        if (!Exit.Message.empty())
          WithColor::error(errs(), "causal") << Exit.Message << '\n';
      },
      [&](const ErrorInfoBase &Other) {
        Status = Failure;
        WithColor::error(errs(), "causal") << Other.message() << '\n';
      });
  return Status;
}
