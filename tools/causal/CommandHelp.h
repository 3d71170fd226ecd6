//===- CommandHelp.h - causal help ------------------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The overview of all commands by what they are for, each with an example, and what
// the command line says of one. Called by main() before it parses options.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_COMMANDHELP_H
#define CAUSAL_TOOL_COMMANDHELP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace causal {

/// In the order in which the overview shows them.
enum class CommandGroup { Measure, Understand, Compare, Exchange };

struct Command {
  llvm::cl::SubCommand &Sub;
  llvm::Error (*Run)();
  CommandGroup Group = CommandGroup::Exchange;
  llvm::StringRef Summary = ""; ///< A few words; --help of the command says more.
  llvm::StringRef Example = ""; ///< With its arguments.
};

/// Of `causal help`, and of `causal --help`.
void printOverview(llvm::ArrayRef<Command> Commands, llvm::raw_ostream &OS);

/// The arguments as the parser is to have them: `help X` is `X --help`, and -h is --help. So
/// LLVM's own -h is not needed, which takes --html for -h with something behind it.
/// Examples of the command are added to what its --help prints.
std::vector<const char *> withHelpSpelledOut(llvm::ArrayRef<const char *> Arguments,
                                             llvm::ArrayRef<Command> Commands);

} // namespace causal

#endif // CAUSAL_TOOL_COMMANDHELP_H
