//===- CommandLine.h - Arguments in, arguments out --------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole of what the wrapper does, as a function: the command line of
// causal-clang becomes that of clang. Called by Main.cpp and by the unit tests.
// It reads response files, and what is linked, through the given file system and nothing else:
// not the environment, so that a command line means the same wherever it is run.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_WRAPPER_COMMANDLINE_H
#define CAUSAL_WRAPPER_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace causal {

/// Where things are; see InstallPaths.h.
struct Installation {
  std::string Clang;      ///< The real clang 19; empty when none was found.
  std::string LibDir;     ///< Plugins and runtime.
  std::string IncludeDir; ///< Has causal/causal.h.
};

struct Command {
  enum class Kind { Run, PrintCommand, PrintFlags, Help };
  Kind What = Kind::Run;
  std::string Program;            ///< The file to execute.
  std::vector<std::string> Args;  ///< Its argv, argv[0] included.
  std::vector<std::string> Added; ///< Those of Args that the wrapper put there.
  bool NeedsInstallation = false; ///< Added names files under LibDir.
};

/// What to run for \p Argv (argv[0] included, which selects the driver mode as
/// it does for clang). Without one of our options in it, and with nothing to link that was built
/// with them, Args is Argv.
llvm::Expected<Command> buildCommand(llvm::ArrayRef<const char *> Argv, const Installation &Install,
                                     llvm::vfs::FileSystem &FS);

/// \p Args as one line for a POSIX shell.
std::string quoteForShell(llvm::ArrayRef<std::string> Args);

/// The text of --causal-help.
llvm::StringRef helpText();

} // namespace causal

#endif // CAUSAL_WRAPPER_COMMANDLINE_H
