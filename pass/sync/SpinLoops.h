//===- SpinLoops.h - Waits by spinning on atomics ----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop that does nothing until another thread changes an atomic (or volatile)
// variable is a wait that no function call shows. Calls __causal_before_spin() before it,
// __causal_spin() in every round of it and __causal_spun() behind it; and
// __causal_before_store() before atomic stores that release, which may end such a wait, or
// __causal_before_update() if they are read, changed and stored in one step.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SPINLOOPS_H
#define CAUSAL_SPINLOOPS_H

#include "llvm/IR/PassManager.h"

namespace causal {

class SpinLoopsPass : public llvm::PassInfoMixin<SpinLoopsPass> {
public:
  /// \p MarkedOnly: as mayMeet() says.
  explicit SpinLoopsPass(bool MarkedOnly) : MarkedOnly(MarkedOnly) {}
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  bool MarkedOnly;
};

} // namespace causal

#endif // CAUSAL_SPINLOOPS_H
