//===- ModuleSetup.cpp - Constructor of an image --------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/ModuleSetup.h"

#include "causal/Features.h"
#include "causal/LineMapFormat.h"
#include "plugin/RuntimeInterface.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace causal {
namespace {

constexpr char NoLineTableFlag[] = "causal-no-line-table";

/// Before every constructor that a program can write (they start at 101), and
/// therefore after every destructor.
constexpr int Priority = 1;

/// The linker's symbol for one end of the records. Weak: without a record in
/// the image there is none, and the address is null.
Constant *bound(Module &M, const char *Name) {
  auto *G = M.getGlobalVariable(Name);
  if (!G) {
    G = new GlobalVariable(M, Type::getInt8Ty(M.getContext()),
                           /*isConstant=*/true, GlobalValue::ExternalWeakLinkage, nullptr, Name);
    G->setVisibility(GlobalValue::HiddenVisibility);
  }
  return G;
}

/// An empty function, one copy of which is kept in each image. The version in
/// its name keeps copies of different versions apart, so that each one's check
/// reaches the linker.
Function *createHook(Module &M, StringRef Name) {
  LLVMContext &C = M.getContext();
  auto *F = Function::createWithDefaultAttr(FunctionType::get(Type::getVoidTy(C), false),
                                            GlobalValue::LinkOnceODRLinkage,
                                            M.getDataLayout().getProgramAddressSpace(), Name, &M);
  F->setVisibility(GlobalValue::HiddenVisibility);
  F->setComdat(M.getOrInsertComdat(F->getName()));
  F->addFnAttr(Attribute::NoUnwind);
  // A user's profile and sanitizers see the user's code alone.
  F->addFnAttr(Attribute::NoProfile);
  F->addFnAttr(Attribute::DisableSanitizerInstrumentation);
  ReturnInst::Create(C, BasicBlock::Create(C, "entry", F));
  return F;
}

} // namespace

Function *addImageConstructor(Module &M, StringRef Name) {
  Function *Ctor = createHook(M, Name);
  appendToGlobalCtors(M, Ctor, Priority, Ctor);
  return Ctor;
}

PreservedAnalyses ModuleSetupPass::run(Module &M, ModuleAnalysisManager &) {
  std::string CtorName = ("__causal_module_ctor" + versionSuffix()).str();
  std::string DtorName = ("__causal_module_dtor" + versionSuffix()).str();
  if (!isSupported(Triple(M.getTargetTriple())) || M.getNamedValue(CtorName))
    return PreservedAnalyses::all();

  Constant *Begin = bound(M, "__start_" CAUSAL_LINEMAP_FUNCTIONS);
  Constant *End = bound(M, "__stop_" CAUSAL_LINEMAP_FUNCTIONS);

  Function *Ctor = addImageConstructor(M, CtorName);
  IRBuilder<> Builder(&Ctor->getEntryBlock().front());
  Builder.CreateCall(declareEntry(M, Entry::__causal_version_mismatch_check_v2));
  Builder.CreateCall(declareEntry(M, Entry::__causal_register_image),
                     {Begin, End, Builder.getInt32(FeatureLines | FeatureSync)});

  Function *Dtor = createHook(M, DtorName);
  Builder.SetInsertPoint(&Dtor->getEntryBlock().front());
  Builder.CreateCall(declareEntry(M, Entry::__causal_unregister_image), {Begin});
  appendToGlobalDtors(M, Dtor, Priority, Dtor);
  return PreservedAnalyses::none();
}

PreservedAnalyses NoLineTablePass::run(Module &M, ModuleAnalysisManager &) {
  if (!hasNoLineTable(M))
    M.addModuleFlag(Module::Max, NoLineTableFlag, 1);
  return PreservedAnalyses::all();
}

bool hasNoLineTable(const Module &M) { return M.getModuleFlag(NoLineTableFlag) != nullptr; }

} // namespace causal
