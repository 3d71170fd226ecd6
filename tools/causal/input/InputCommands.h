//===- InputCommands.h - check and diff of runs of mode=input ---*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `causal check` and `causal diff` do with runs of mode=input. The commands own the
// options and the exit status.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_INPUT_INPUTCOMMANDS_H
#define CAUSAL_TOOL_INPUT_INPUTCOMMANDS_H

#include "lib/input/Contract.h"

#include "llvm/Support/raw_ostream.h"

namespace causal {

/// Judges contracts, from \p Texts, from \p File unless it is empty, and from annotations.
/// Writes a line for each. 0: all hold; 1: one is surely broken; 2: cannot say.
llvm::Expected<int> checkContracts(const Profile &P, llvm::ArrayRef<std::string> Texts,
                                   llvm::StringRef File, llvm::raw_ostream &OS);

/// Whether an annotation in the source makes a contract.
bool hasAnnotatedContracts(const Profile &P);

/// Growth, and cost at equal input. \p Top: rows; 0: all.
llvm::Error writeGrowthDiff(const Profile &Before, const Profile &After, unsigned Top,
                            llvm::raw_ostream &OS);

} // namespace causal

#endif // CAUSAL_TOOL_INPUT_INPUTCOMMANDS_H
