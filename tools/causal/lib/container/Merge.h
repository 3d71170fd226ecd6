//===- Merge.h - Puts profiles into one -------------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes every record as it was read, run by run in order of first appearance:
// the run record, its experiments by index, and its last snapshot with the lines
// that it closes. Superseded snapshots are left out; records of other modes stay as
// they are, in the order in which they were read. Because a Profile is a
// union, merging is associative, and merging a file with itself changes nothing.
// Of an experiment only its place in the mapped file is kept: 24 bytes.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_MERGE_H
#define CAUSAL_ANALYSIS_MERGE_H

#include "lib/container/Profile.h"

#include "llvm/Support/raw_ostream.h"

namespace causal {

class Merger {
public:
  /// For ProfileReader::divertExperiments(); the text must stay.
  void take(const Experiment &E);
  /// \p P: what the reader read besides.
  void write(const Profile &P, llvm::raw_ostream &OS);

private:
  struct Place {
    int64_t Index;
    bool IsVoid;  ///< Left out by the reader, which takes one that is not.
    size_t Order; ///< In which they were read.
    llvm::StringRef Text;
  };
  std::vector<std::vector<Place>> ByRun;
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_MERGE_H
