//===- PprofExport.h - Samples as a pprof profile ---------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the sample part of a profile, where time is spent, as pprof's
// profile.proto (github.com/google/pprof, proto/profile.proto): one location
// for each source line, no stacks. Experiments have no place in that format.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_PPROFEXPORT_H
#define CAUSAL_ANALYSIS_PPROFEXPORT_H

#include "lib/container/Profile.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace causal {

/// All runs as one, gzipped where zlib is there. Fails if there is no sample;
/// nothing is written then.
llvm::Error exportPprof(const Profile &P, llvm::raw_ostream &OS);

} // namespace causal

#endif // CAUSAL_ANALYSIS_PPROFEXPORT_H
