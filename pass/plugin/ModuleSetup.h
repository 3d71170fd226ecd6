//===- ModuleSetup.h - Constructor of an image ------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Adds the constructor that registers the image's line table with the runtime,
// and the destructor that takes it back. They are hidden and in COMDAT groups:
// however many modules an image has, it keeps one of each. Runs once, at
// compile time; a link-time optimiser merges what it finds.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_MODULESETUP_H
#define CAUSAL_MODULESETUP_H

#include "llvm/IR/PassManager.h"

namespace causal {

class ModuleSetupPass : public llvm::PassInfoMixin<ModuleSetupPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Adds an empty constructor to \p M that runs before the program's own. The linker keeps
/// one of a name in each image, so what is put into it has to be the same in all modules.
/// \p Name contains versionSuffix().
llvm::Function *addImageConstructor(llvm::Module &M, llvm::StringRef Name);

/// Leaves word in the module that no line table is wanted for it. It survives
/// until code generation, which may happen in a linker.
class NoLineTablePass : public llvm::PassInfoMixin<NoLineTablePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

/// Whether NoLineTablePass ran on the module.
bool hasNoLineTable(const llvm::Module &M);

} // namespace causal

#endif // CAUSAL_MODULESETUP_H
