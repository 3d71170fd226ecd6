//===- CommandHelp.cpp - causal help --------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandHelp.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

using namespace llvm;

namespace causal {

// There is an option h already, so LLVM adds none.
static cl::opt<bool> ShortHelp("h", cl::desc("Same as --help"), cl::ReallyHidden,
                               cl::sub(cl::SubCommand::getAll()));

void printOverview(ArrayRef<Command> Commands, raw_ostream &OS) {
  struct Heading {
    CommandGroup Group;
    const char *Title;
  };
  constexpr Heading Headings[] = {
      {CommandGroup::Measure,
       "Measure a program that was built with causal-clang -fcausal-profile"},
      {CommandGroup::Understand, "See what the profile says"},
      {CommandGroup::Compare, "Compare two versions of a program"},
      {CommandGroup::Exchange, "Put profiles together, hand them on"},
  };
  OS << "causal says which code to make faster, and what it brings.\n\n"
        "USAGE: causal COMMAND [options]\n";
  for (const Heading &H : Headings) {
    OS << "\n" << H.Title << ":\n";
    for (const Command &C : Commands)
      if (C.Group == H.Group)
        OS << formatv("  {0,-14}{1}\n                {2}\n", C.Sub.getName(), C.Summary, C.Example);
  }
  OS << "\ncausal help COMMAND lists its options; causal --version says which version this is.\n"
        "CAUSAL_OPTIONS=help=1 ./program lists what a profiled program can be told.\n";
}

std::vector<const char *> withHelpSpelledOut(ArrayRef<const char *> Arguments,
                                             ArrayRef<Command> Commands) {
  std::vector<const char *> Result(Arguments.begin(), Arguments.end());
  if (Result.size() > 2 && StringRef(Result[1]) == "help") {
    Result.erase(Result.begin() + 1);
    // Of what is no command the parser says so.
    if (StringRef(Result[1]) == "db" || StringRef(Result[1]) == "daemon" ||
        any_of(Commands, [&](const Command &C) { return C.Sub.getName() == Result[1]; }))
      Result.push_back("--help");
  }
  for (size_t I = 2; I < Result.size() && StringRef(Result[I]) != "--"; ++I)
    if (StringRef(Result[I]) == "-h")
      Result[I] = "--help";
  for (const Command &C : Commands)
    if (Result.size() > 1 && C.Sub.getName() == Result[1] && !C.Example.empty()) {
      static std::string Text;
      Text = ("\nExample:\n\n  " + C.Example + "\n").str();
      static cl::extrahelp Example(Text);
    }
  return Result;
}

} // namespace causal
