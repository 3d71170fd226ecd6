//===- Collector.h - Brings segments into the database ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One round, which may be killed anywhere, and then the next one takes it up:
//
//   1. folds halves of segments into one delta file: from its rename on they are counted
//   2. empties those halves, removes segments of processes that have ended
//   3. brings the delta into the image files, each of which notes its number
//   4. removes the delta
//
// A round begins with 2 to 4 for deltas that it finds. Thinning goes the same way: a delta
// that claims epochs replaces them. Each user's collector sees to that user's files alone, one
// at a time.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_COLLECTOR_H
#define CAUSAL_CONTINUOUS_COLLECTOR_H

#include "lib/continuous/Delta.h"

#include <functional>

namespace causal::continuous {

struct CollectOptions {
  std::string HostName;                  ///< Of this machine.
  uint64_t Now = 0;                      ///< Seconds since 1970.
  uint64_t MaxBytes = uint64_t(1) << 30; ///< Of what is collected here; segments not among it.
  unsigned KeepDays = 30;
  /// Told of what is left out, and why.
  std::function<void(const llvm::Twine &)> Warn = [](const llvm::Twine &) {};
  /// Tests end the process in here.
  std::function<void()> OnStep = [] {};
};

struct Collected {
  unsigned Segments = 0, Ended = 0;
  uint64_t Samples = 0, Dropped = 0, Unmapped = 0, Torn = 0;
};

/// Makes \p Path a database if it is none, with directories for its owner alone, or, if \p
/// Shared, for all users.
llvm::Error makeDatabase(const std::string &Path, bool Shared = false);

/// One round, of the segments of the user who runs this, and of what \p More brings, in units
/// that no segment has.
llvm::Expected<Collected> collect(const std::string &Path, const CollectOptions &Options,
                                  const Delta *More = nullptr);

/// The name of this machine, fit for a file's name.
std::string hostName();
/// Owners of segments in the spool of \p Path: whose rounds a collector for all is to run.
std::vector<std::pair<uid_t, gid_t>> segmentOwners(const std::string &Path);

/// How many segments there are in the spool of \p Path.
size_t segmentsWaiting(const std::string &Path);

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_COLLECTOR_H
