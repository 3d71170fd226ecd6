//===- Action.h - What clang will do with a command line --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers, from arguments parsed with clang's own option table, the few
// questions that decide what the wrapper adds. Called by CommandLine.cpp. Never
// looks at the file system: clang itself decides by names and options alone.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_WRAPPER_ACTION_H
#define CAUSAL_WRAPPER_ACTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace causal {

enum class Output { Nothing, Executable, StaticExecutable, SharedObject };
enum class Linker { Default, LLD, Gold, Other };

struct Action {
  bool PreprocessesC = false; ///< Some input runs through the C preprocessor.
  bool GeneratesCode = false; ///< Some input becomes machine code or bitcode.
  Output Links = Output::Nothing;
  bool Relocates = false; ///< Links to an object (`-r`).
  Linker With = Linker::Default;
  bool LinkTimeOptimises = false;   ///< The link runs LLVM over bitcode.
  bool RejectsUndefined = false;    ///< `-z defs` in any of its spellings.
  std::vector<std::string> Objects; ///< What is linked as it is.
  bool LinksLibc = true;            ///< No -nostdlib, -nodefaultlibs or -nolibc.
};

/// What clang, started under the name \p ProgramName, does with \p Args. Fails
/// when the result would run anywhere but on x86_64 Linux.
llvm::Expected<Action> classify(const llvm::opt::InputArgList &Args, llvm::StringRef ProgramName);

} // namespace causal

#endif // CAUSAL_WRAPPER_ACTION_H
