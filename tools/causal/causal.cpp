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

#include "Commands.h"
#include "causal/ProfileFormat.h"
#include "lib/ProfileReader.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace causal {

cl::OptionCategory Options("Options");

Expected<Profile> readProfile(ArrayRef<std::string> Files) {
  ProfileReader Reader([](const Twine &Message) {
    WithColor::warning(errs(), "causal") << Message << '\n';
  });
  if (Files.empty()) {
    if (Error E = Reader.addFile(CAUSAL_PROFILE_DEFAULT_NAME))
      return std::move(E);
  }
  for (const std::string &File : Files)
    if (Error E = Reader.addFile(File))
      return std::move(E);
  return Reader.take();
}

} // namespace causal

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(causal::Options);
  for (cl::SubCommand *Sub :
       {&causal::ReportCommand, &causal::ExportCommand, &causal::MergeCommand})
    cl::HideUnrelatedOptions(causal::Options, *Sub);
  cl::SetVersionPrinter([](raw_ostream &OS) {
    OS << "causal " << CAUSAL_VERSION << " (profile format "
       << CAUSAL_PROFILE_VERSION << ")\n";
  });
  cl::ParseCommandLineOptions(argc, argv,
                              "Reads causal profiles: which source lines to "
                              "optimise, and what it brings\n");

  Error E = causal::ReportCommand   ? causal::runReport()
            : causal::ExportCommand ? causal::runExport()
            : causal::MergeCommand
                ? causal::runMerge()
                : createStringError(inconvertibleErrorCode(),
                                    "name a command: report, export or merge; "
                                    "causal --help says more");
  outs().flush();
  if (!E && outs().has_error())
    E = createStringError(outs().error(), "cannot write the result: " +
                                              outs().error().message());
  outs().clear_error();
  if (!E)
    return 0;
  WithColor::error(errs(), "causal") << toString(std::move(E)) << '\n';
  return 1;
}
