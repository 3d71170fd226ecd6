//===- ExactCounts.h - Counts of a counting build ---------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A build with -fcausal-profile=count has the code of one with -fcausal-profile=cpi and a
// counter in each basic block. `causal db count` runs it and writes what it counted, one
// procedure a line. A procedure of another build takes counts only if the shape of its
// control flow is the same.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPI_EXACTCOUNTS_H
#define CAUSAL_CPI_EXACTCOUNTS_H

#include "lib/continuous/cpi/Image.h"

#include "llvm/Support/raw_ostream.h"

#include <map>

namespace causal::cpi {

/// Where a counting build has the counters of a function (pass/counters).
struct CounterRecord {
  uint64_t Function = 0, Counters = 0; ///< Addresses.
  std::vector<unsigned> Blocks;        ///< The block that each counts.
};
/// What the section causal_cntmap of \p I says; fails if it has none.
llvm::Expected<std::vector<CounterRecord>> counterRecords(const Image &I);

struct ProcedureCounts {
  std::string Name;
  uint64_t Hash = 0;
  std::map<unsigned, uint64_t> Blocks; ///< By the compiler's number.
};

class ExactCounts {
public:
  static llvm::Expected<ExactCounts> read(llvm::StringRef Path);
  void write(llvm::raw_ostream &OS) const;

  /// Counts in the order of \p P's blocks, -1 where there is none; nothing if this procedure
  /// was not counted with this control flow. \p Number: of procedures with this name, by
  /// address, which one it is.
  std::optional<std::vector<double>> countsFor(const Procedure &P, unsigned Number = 0) const;
  /// The name is known with another control flow.
  bool isStale(const Procedure &P) const;

  std::string Path; ///< Of the program that counted.
  std::vector<ProcedureCounts> Procedures;
};

} // namespace causal::cpi

#endif // CAUSAL_CPI_EXACTCOUNTS_H
