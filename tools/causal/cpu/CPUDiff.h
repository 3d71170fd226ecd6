//===- CPUDiff.h - Two CPU profiles, before and after -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `causal diff` of runs of mode=cpu: what the program, its functions and its waits
// take on average of the runs, before and after. As text, or as the report's page with
// a flame graph that is coloured by the difference.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_CPU_CPUDIFF_H
#define CAUSAL_TOOL_CPU_CPUDIFF_H

#include "lib/container/Profile.h"
#include "lib/container/SourceText.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace causal::cpu {

/// \p Top: rows of a table; 0: all.
llvm::Error diffText(const causal::Profile &Before, const causal::Profile &After, unsigned Top,
                     llvm::raw_ostream &OS);
/// The page of \p After, which is compared with \p Before.
llvm::Error diffPage(const causal::Profile &Before, const causal::Profile &After,
                     SourceText &Source, llvm::raw_ostream &OS);

} // namespace causal::cpu

#endif // CAUSAL_TOOL_CPU_CPUDIFF_H
