//===- Profiling.h - What run and validate share ----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options for a program that is run under the profiler, the file by which it is
// told to make no more experiments, and a look at its growing profile.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_PROFILING_H
#define CAUSAL_TOOL_PROFILING_H

#include "lib/container/Profile.h"

#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace causal {

/// CAUSAL_OPTIONS: the user's own, then \p Flags, of which a later mention
/// wins. Fails for a value that cannot be quoted.
llvm::Expected<std::string>
profilingOptions(llvm::ArrayRef<std::pair<std::string, std::string>> Flags);

/// \p Path as an output= flag: absolute, with its percent signs kept.
std::string outputFlag(llvm::StringRef Path);

/// The control file (causal/ProfileFormat.h) of the programs that we start;
/// removed at the end.
class ControlFile {
public:
  static llvm::Expected<ControlFile> create();
  ~ControlFile();
  ControlFile(ControlFile &&Other) : Path(std::move(Other.Path)) { Other.Path.clear(); }
  llvm::StringRef path() const { return Path; }
  /// No experiment begins from here on.
  void stop();

private:
  explicit ControlFile(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
};

/// The profile as far as it is written; none while there is none. Says nothing
/// of what is damaged: the report will.
std::optional<Profile> peekProfile(llvm::StringRef Path);

/// What to say when \p Program ended and left no record.
llvm::Error noProfileError(llvm::StringRef Program);

} // namespace causal

#endif // CAUSAL_TOOL_PROFILING_H
