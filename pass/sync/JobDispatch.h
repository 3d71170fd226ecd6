//===- JobDispatch.h - Calls that hand a thread its job --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The threads of a pool take jobs of all kinds at one place and call them through a
// pointer. So the runtime is told, by __causal_before_dispatch(), before each indirect call
// of a function that meets other threads, by itself or in a function that it calls; what the
// thread does is told apart by what is called then (law 11).
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_JOBDISPATCH_H
#define CAUSAL_JOBDISPATCH_H

#include "llvm/IR/PassManager.h"

namespace causal {

/// After SpinLoopsPass, whose calls are meetings, too. Functions that are called should have
/// been looked at before.
class JobDispatchPass : public llvm::PassInfoMixin<JobDispatchPass> {
public:
  /// Attribute of the functions that meet other threads themselves.
  static constexpr llvm::StringLiteral Meets = "causal-meets";
  /// \p MarkedOnly: as mayMeet() says.
  explicit JobDispatchPass(bool MarkedOnly) : MarkedOnly(MarkedOnly) {}
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  bool MarkedOnly;
};

} // namespace causal

#endif // CAUSAL_JOBDISPATCH_H
