//===- ProgressPoints.h - Progress points without editing source -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -fcausal-progress=f: each call of f is one unit of work, as if f began with
// CAUSAL_PROGRESS_NAMED("f"). A function is named as in the source, with as many
// of its scopes as are needed, or as the linker knows it. A constructor tells the
// runtime each name, once in an image, so that one that no function has is missed.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PROGRESSPOINTS_H
#define CAUSAL_PROGRESSPOINTS_H

#include "llvm/IR/PassManager.h"
#include <string>
#include <vector>

namespace causal {

class ProgressPointsPass : public llvm::PassInfoMixin<ProgressPointsPass> {
  std::vector<std::string> Names;

public:
  explicit ProgressPointsPass(std::vector<std::string> Names) : Names(std::move(Names)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace causal

#endif // CAUSAL_PROGRESSPOINTS_H
