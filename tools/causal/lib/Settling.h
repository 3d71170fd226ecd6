//===- Settling.h - Whether experiments saw a program that changes -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program takes a while to get used to a virtual speedup: a queue that was full runs
// empty, and as long as it lasts the stage behind it is faster than the one before it
// lets it be. The first fifth of an experiment is left out for that; here it is found
// out whether that was enough.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_SETTLING_H
#define CAUSAL_ANALYSIS_SETTLING_H

#include "Profile.h"

namespace causal {

/// Whether a point was visited faster or slower late in experiments than in the whole of
/// them, by how much they speed a line up, beyond what chance explains (an analysis of
/// variance). What all experiments have in common, the baselines too, is none of it. The
/// runtime makes experiments longer by the same test (causal_settling.h).
bool settlesLate(const Profile &P, unsigned Point);

} // namespace causal

#endif // CAUSAL_ANALYSIS_SETTLING_H
