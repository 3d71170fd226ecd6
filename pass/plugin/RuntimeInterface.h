//===- RuntimeInterface.h - What emitted code may refer to ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry points and the synchronisation functions of RuntimeABI.def as IR.
// No other file of the plugin spells a symbol of the runtime.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_RUNTIMEINTERFACE_H
#define CAUSAL_RUNTIMEINTERFACE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace causal {

enum class Entry {
#define CAUSAL_ENTRY(Return, Name, Params) Name,
#include "causal/RuntimeABI.def"
};

llvm::StringRef nameOf(Entry Which);

/// Declares the entry point in M.
llvm::FunctionCallee declareEntry(llvm::Module &M, Entry Which);

enum class ThreadLocal {
#define CAUSAL_THREAD_LOCAL(Type, Name) Name,
#include "causal/RuntimeABI.def"
};

/// Declares the variable in M. It is the executable's, so its place is known at start-up.
llvm::GlobalVariable *declareThreadLocal(llvm::Module &M, ThreadLocal Which);

/// I may be null.
bool isCallOf(const llvm::Instruction *I, Entry Which);

/// "_v<N>": the version of the interface, as the check's name ends.
llvm::StringRef versionSuffix();

struct SyncFunction {
  llvm::StringLiteral Name;
  /// The name of the runtime's function that takes its place.
  llvm::StringLiteral Wrapper;
  /// Whether the type is that of the libc function, or its unprototyped
  /// declaration in C. A function of another type is not libc's.
  bool (*Matches)(const llvm::FunctionType &);
};

llvm::ArrayRef<SyncFunction> syncFunctions();

/// Whether there is a runtime, and a line table, for the target.
inline bool isSupported(const llvm::Triple &Target) {
  return Target.getArch() == llvm::Triple::x86_64 && !Target.isX32() && Target.isOSLinux() &&
         Target.isOSBinFormatELF();
}

} // namespace causal

#endif // CAUSAL_RUNTIMEINTERFACE_H
