//===- LoopLocations.h - Source locations of loops --------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang attaches the source range of a loop to its !llvm.loop metadata whenever
// it tracks locations. The mere presence of the node changes what some passes
// do. The front-end plugin, which made clang track locations, schedules this
// pass to take the ranges away again, so that the generated code is that of a
// build without.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_LOOPLOCATIONS_H
#define CAUSAL_LOOPLOCATIONS_H

#include "llvm/IR/PassManager.h"

namespace causal {

class StripLoopLocationsPass : public llvm::PassInfoMixin<StripLoopLocationsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace causal

#endif // CAUSAL_LOOPLOCATIONS_H
