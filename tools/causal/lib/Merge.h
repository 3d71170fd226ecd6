//===- Merge.h - Writes a profile back as one file ---------------*- C++
//-*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_MERGE_H
#define CAUSAL_ANALYSIS_MERGE_H

#include "Profile.h"

#include "llvm/Support/raw_ostream.h"

namespace causal {

/// Writes every record as it was read, run by run in order of first appearance:
/// the run record, its experiments by index, and its last snapshot with the
/// lines that it closes. Superseded snapshots are left out. Because a Profile
/// is a union, merging is associative, and merging a file with itself changes
/// nothing.
void writeProfile(const Profile &P, llvm::raw_ostream &OS);

} // namespace causal

#endif // CAUSAL_ANALYSIS_MERGE_H
