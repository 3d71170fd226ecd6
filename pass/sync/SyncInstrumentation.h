//===- SyncInstrumentation.h - Calls of synchronisation functions -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Retargets every use of the libc functions of RuntimeABI.def to the runtime's
// wrappers: calls, invokes, taken addresses, initialisers. Runs first in the
// pipeline, at every optimisation level, before a call is inlined or
// specialised. What this module did not compile (inline assembly, dlsym, other
// libraries) is left to the runtime's interposition.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SYNCINSTRUMENTATION_H
#define CAUSAL_SYNCINSTRUMENTATION_H

#include "llvm/IR/PassManager.h"

namespace causal {

class SyncInstrumentationPass : public llvm::PassInfoMixin<SyncInstrumentationPass> {
public:
  /// Attribute of the functions that it has seen.
  static constexpr llvm::StringLiteral Mark = "causal-sync";
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Whether calls of the runtime may be put into F. \p MarkedOnly: functions that
/// SyncInstrumentationPass has seen. A link-time optimiser has others as well, of modules that
/// are to stay as they are.
bool mayMeet(const llvm::Function &F, bool MarkedOnly);

} // namespace causal

#endif // CAUSAL_SYNCINSTRUMENTATION_H
