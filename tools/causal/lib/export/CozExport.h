//===- CozExport.h - A profile in Coz's text format -------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes Coz's tab-separated grammar (docs/reference/formats.md), for its viewer and for
// programs that read it. Readers pool experiments by line and speedup, and
// those that correct for phases (eq. 8 of the paper) compute (duration /
// selected-samples) * (count / runtime) over all experiments of a line. Taken
// from a raw profile that is biased by the speedups themselves, so "samples"
// and "runtime" are scaled such that it comes to the correction of our own
// model.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_COZEXPORT_H
#define CAUSAL_ANALYSIS_COZEXPORT_H

#include "lib/causal/SpeedupModel.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace causal {

/// All runs as one. Leaves out points without a visit in a whole cell (a line
/// at a speedup), which readers would divide by, and experiments without any
/// point left. Fails if no experiment remains; nothing is written then.
llvm::Error exportCoz(const Profile &P, const ModelOptions &Options, llvm::raw_ostream &OS);

} // namespace causal

#endif // CAUSAL_ANALYSIS_COZEXPORT_H
