//===- CheckTarget.h - Warning about the target -----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A user who builds for a target without a runtime is told so, once a module,
// and gets an ordinary object. The other passes do nothing there.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CHECKTARGET_H
#define CAUSAL_CHECKTARGET_H

#include "llvm/IR/PassManager.h"

namespace causal {

class CheckTargetPass : public llvm::PassInfoMixin<CheckTargetPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace causal

#endif // CAUSAL_CHECKTARGET_H
