//===- MemoryInstrumentation.h - Input-sensitive profiling ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tells the input runtime when routines begin and end, what they read and write, and what
// they cost. Runs last, at compile time: a routine is what inlining leaves as a function.
// A routine of straight-line code that touches no memory and calls nothing is left alone.
//
// Does nothing to a module that it has been through, so that a link-time optimiser may run
// it again.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_MEMORYINSTRUMENTATION_H
#define CAUSAL_MEMORYINSTRUMENTATION_H

#include "llvm/IR/PassManager.h"

namespace causal {

struct MemoryOptions {
  unsigned CellSize = 4;
  /// Leave out checks that can change no profile.
  bool Eliminate = true;
  /// What a routine costs is counted in basic blocks rather than in instructions.
  bool CountBlocks = false;
};

class MemoryInstrumentationPass : public llvm::PassInfoMixin<MemoryInstrumentationPass> {
public:
  explicit MemoryInstrumentationPass(MemoryOptions Options) : Options(Options) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  MemoryOptions Options;
};

/// Calls of libc functions that have a model go to the runtime.
void retargetModels(llvm::Module &M);

} // namespace causal

#endif // CAUSAL_MEMORYINSTRUMENTATION_H
