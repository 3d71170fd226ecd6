//===- Diagnosis.h - What is wrong with a profile ---------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Says why a profile has no result, and which losses make a result doubtful;
// every sentence names what to do. Used by the report, in text and in JSON.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_DIAGNOSIS_H
#define CAUSAL_ANALYSIS_DIAGNOSIS_H

#include "lib/container/Profile.h"

namespace causal {

/// Sums over the runs.
struct Totals {
  double Wall = 0, Delay = 0, Effective = 0;
  double Idle = 0;        ///< Nobody was at work.
  double Samples = 0;     ///< In lines in scope.
  double Unlocked = 0;    ///< Outside of critical sections, where these are targets.
  double AllSamples = 0;  ///< Taken, those that count for nothing among them.
  bool Rewritten = false; ///< As in snapshots, of a run.
  Losses Lost;
  unsigned Unfinished = 0; ///< Runs without a final snapshot.
  unsigned Headless = 0;   ///< Runs whose run record is missing.
};
Totals totalsOf(const Profile &P);

/// Sentences on losses that a reader should know of; empty for a clean profile. So many
/// runs as \p EndedByUs need no final snapshot.
std::vector<std::string> warningsOn(const Profile &P, unsigned EndedByUs = 0);

} // namespace causal

#endif // CAUSAL_ANALYSIS_DIAGNOSIS_H
