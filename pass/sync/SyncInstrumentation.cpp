//===- SyncInstrumentation.cpp - Calls of synchronisation functions -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "sync/SyncInstrumentation.h"

#include "plugin/Remarks.h"
#include "plugin/RuntimeInterface.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace causal {
namespace {

/// glibc's second names for some of the functions; code that was preprocessed
/// with old headers, or that avoids the public names, has them.
constexpr std::pair<StringLiteral, StringLiteral> Aliases[] = {
    {"__pthread_mutex_lock", "pthread_mutex_lock"},
    {"__pthread_mutex_trylock", "pthread_mutex_trylock"},
    {"__pthread_mutex_unlock", "pthread_mutex_unlock"},
    {"__pthread_once", "pthread_once"},
    {"__pthread_rwlock_rdlock", "pthread_rwlock_rdlock"},
    {"__pthread_rwlock_tryrdlock", "pthread_rwlock_tryrdlock"},
    {"__pthread_rwlock_trywrlock", "pthread_rwlock_trywrlock"},
    {"__pthread_rwlock_unlock", "pthread_rwlock_unlock"},
    {"__pthread_rwlock_wrlock", "pthread_rwlock_wrlock"},
    {"__sigsuspend", "sigsuspend"},
};

/// Makes Wrapper of F, or merges F into the one that is there.
void retarget(Function &F, StringRef WrapperName) {
  Module &M = *F.getParent();
  auto *Wrapper = M.getNamedValue(WrapperName);
  if (!Wrapper) {
    // The declaration stays what it is: attributes, metadata, weak linkage.
    F.setName(WrapperName);
    return;
  }
  // One strong reference makes the symbol strong.
  if (Wrapper->hasExternalWeakLinkage() && !F.hasExternalWeakLinkage())
    Wrapper->setLinkage(GlobalValue::ExternalLinkage);
  F.replaceAllUsesWith(Wrapper);
  F.eraseFromParent();
}

bool instrument(Module &M, StringRef Name, const SyncFunction &Sync) {
  auto *F = dyn_cast_or_null<Function>(M.getNamedValue(Name));
  if (!F)
    return false;
  if (!F->isDeclaration()) {
    // A static function only happens to have the name.
    if (!F->hasLocalLinkage())
      remarkOwnDefinition(*F);
    return false;
  }
  if (!Sync.Matches(*F->getFunctionType())) {
    remarkOtherType(*F);
    return false;
  }
  remarkWrapped(*F);
  retarget(*F, Sync.Wrapper);
  return true;
}

/// It runs before the program is relocated, and in a static one before there are variables
/// of threads.
bool isResolver(const Function &F) {
  return any_of(F.getParent()->ifuncs(),
                [&](const GlobalIFunc &G) { return G.getResolverFunction() == &F; });
}

} // namespace

bool mayMeet(const Function &F, bool MarkedOnly) {
  return isSupported(Triple(F.getParent()->getTargetTriple())) && !isResolver(F) &&
         (!MarkedOnly || F.hasFnAttribute(SyncInstrumentationPass::Mark));
}

PreservedAnalyses SyncInstrumentationPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isSupported(Triple(M.getTargetTriple())))
    return PreservedAnalyses::all();
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration() || F.getName().starts_with("__causal_"))
      continue;
    F.addFnAttr(Mark);
    Changed = true;
  }
  for (const SyncFunction &Sync : syncFunctions()) {
    Changed |= instrument(M, Sync.Name, Sync);
    // The name of a declaration with an asm label starts with this byte.
    Changed |= instrument(M, ("\01" + Sync.Name).str(), Sync);
    for (auto &[Alias, Name] : Aliases)
      if (Name == Sync.Name)
        Changed |= instrument(M, Alias, Sync);
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace causal
