//===- BuildMatch.h - The same line in another build ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs of one build add up line by line. Runs of another build add up only where
// its lines are the same code. A profile has no source text, so a function is
// known by its file, its name and the pattern of its lines: an edit above it
// moves all of them by the same number. Called by all commands that read profiles; only
// `causal merge` writes builds as they are.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_BUILDMATCH_H
#define CAUSAL_ANALYSIS_BUILDMATCH_H

#include "lib/container/Profile.h"

#include "llvm/Support/Error.h"

namespace causal {

struct BuildMatch {
  unsigned Build;       ///< Index into Profile::builds(); matched to build 0.
  unsigned Matched = 0; ///< Lines that are the same code as one of build 0.
  /// From lines of this build to the lines of build 0 where numbers differ.
  llvm::DenseMap<unsigned, unsigned> Moved;
  /// Lines that are other code than build 0 has under their number.
  std::vector<unsigned> Different;

  /// Programs that share no line do not disturb each other.
  bool addsUp() const { return Different.size() <= Matched; }
};

/// One for every build but the first.
std::vector<BuildMatch> matchBuilds(const Profile &P);

/// Why the builds of \p P do not add up, if they do not.
llvm::Error checkBuilds(const Profile &P);

/// Moves what was recorded of other builds to the lines of the first, and what is
/// other code to lines of its own. Error as in checkBuilds(); then nothing is
/// changed.
llvm::Error unifyBuilds(Profile &P);

} // namespace causal

#endif // CAUSAL_ANALYSIS_BUILDMATCH_H
