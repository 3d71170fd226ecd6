//===- CPUAnnotate.h - A source file beside its CPU time --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `causal annotate` of runs of mode=cpu.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_CPU_CPUANNOTATE_H
#define CAUSAL_TOOL_CPU_CPUANNOTATE_H

#include "lib/container/Profile.h"
#include "lib/container/SourceText.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <set>

namespace causal {

/// That of the names \p Known which \p Spec, a trailing part of its path or a path on this
/// machine, means.
llvm::Expected<std::string> chooseFile(const std::set<std::string> &Known, llvm::StringRef Spec);

namespace cpu {

struct SourceLines {
  unsigned Context; ///< To show around each with time.
  bool All;
};

llvm::Error annotate(const causal::Profile &P, llvm::StringRef File, SourceText &Source,
                     SourceLines Shown, llvm::raw_ostream &OS);

} // namespace cpu
} // namespace causal

#endif // CAUSAL_TOOL_CPU_CPUANNOTATE_H
