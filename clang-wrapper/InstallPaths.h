//===- InstallPaths.h - Where our files and the real clang are --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Called by Main.cpp, before and after the command line is built. Costs a
// handful of stat calls and no process in the ordinary case, since every
// compilation pays for it.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_WRAPPER_INSTALLPATHS_H
#define CAUSAL_WRAPPER_INSTALLPATHS_H

#include "CommandLine.h"

namespace causal {

/// Our files beside the running executable (links to it followed, so that they
/// may be anywhere), and clang as findClang() finds it.
Installation findInstallation(const char *Argv0);

/// \p Configured, the clang found when we were configured, if it is there; else
/// the first clang-19 or clang in \p Path that is not \p Self under another
/// name. Empty when there is none.
std::string findClang(llvm::StringRef Configured, llvm::StringRef Path, llvm::StringRef Self);

/// Fails, with what to do about it, unless \p Cmd's program is clang 19 and the
/// files that it names are there.
llvm::Error checkInstallation(const Command &Cmd, const Installation &Install);

} // namespace causal

#endif // CAUSAL_WRAPPER_INSTALLPATHS_H
