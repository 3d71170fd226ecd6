//===- Remarks.h - What was wrapped and what was not ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Optimisation remarks under the name "causal": -Rpass=causal and
// -Rpass-missed=causal of clang show them. They cost nothing unless asked for.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_REMARKS_H
#define CAUSAL_REMARKS_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace causal {

/// Whether remarks on F are asked for.
bool areRemarksEnabled(const llvm::Function &F);

/// The calls of F, a declaration, now go to the runtime.
void remarkWrapped(const llvm::Function &F);

/// Each call of F is a unit of work.
void remarkProgress(const llvm::Function &F);

/// F has a name that is wrapped, but the module defines it.
void remarkOwnDefinition(const llvm::Function &F);

/// F, a declaration, has a name that is wrapped but another type.
void remarkOtherType(const llvm::Function &F);

/// L waits for other threads; or it looks at what they may change, and is taken for work.
/// To be called if they are enabled.
void remarkSpins(const llvm::Loop &L, bool Waits);

} // namespace causal

#endif // CAUSAL_REMARKS_H
