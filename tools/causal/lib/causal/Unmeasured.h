//===- Unmeasured.h - What has samples and no experiment ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Targets that the report has no row for, since no experiment was made on them.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_UNMEASURED_H
#define CAUSAL_ANALYSIS_UNMEASURED_H

#include "lib/container/Profile.h"

namespace causal {

struct Unmeasured {
  unsigned Number = 0;  ///< Of targets; if it is 0 the rest says nothing.
  double Share = 0;     ///< Of the samples, as sampleShares() has it, all together.
  unsigned Hottest = 0; ///< Index into Profile::lines().
  double HottestShare = 0;
};
Unmeasured unmeasuredTargets(const Profile &P);

/// "not measured: 3 functions with 4.0 % of the samples, the hottest f (2.5 %)"; empty where
/// there is none, or all runs were of one line only.
std::string describeUnmeasured(const Profile &P);

} // namespace causal

#endif // CAUSAL_ANALYSIS_UNMEASURED_H
