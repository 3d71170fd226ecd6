//===- ProgressPoints.cpp - Progress points without editing source --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "progress/ProgressPoints.h"

#include "causal/causal.h"
#include "plugin/ModuleSetup.h"
#include "plugin/Remarks.h"
#include "plugin/RuntimeInterface.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <cstdlib>

using namespace llvm;

namespace causal {
namespace {

/// "ns::Class::f" of a mangled name, without parameters; a C name as it is.
std::string sourceName(StringRef Mangled) {
  ItaniumPartialDemangler D;
  std::string Name = Mangled.str();
  if (D.partialDemangle(Name.c_str()) || !D.isFunction())
    return Name;
  char *Text = D.getFunctionName(nullptr, nullptr);
  if (Text)
    Name = Text;
  std::free(Text);
  return Name;
}

/// Without template arguments, ABI tags and modules: "ns::Queue<int>::push[abi:cxx11]@m" is
/// "ns::Queue::push". The signs of operators stay.
std::string plainName(StringRef Name) {
  std::string Plain;
  unsigned Depth = 0;
  for (size_t I = 0; I < Name.size(); ++I) {
    char C = Name[I];
    bool OfOperator =
        !Depth && StringRef(Plain).substr(Plain.rfind(':') + 1).starts_with("operator");
    if (C == '<' && !OfOperator)
      ++Depth;
    else if (C == '>' && Depth)
      --Depth;
    else if (Depth)
      continue;
    else if (C == '[' && Name.substr(I).starts_with("[abi:"))
      I = std::min(Name.find(']', I), Name.size());
    else if (C == '@')
      I = std::min(Name.find("::", I), Name.size()) - 1;
    else
      Plain += C;
  }
  return Plain;
}

/// With all of its scopes, or only the innermost ones.
bool endsWith(StringRef Function, StringRef Name) {
  return Function == Name || (Function.consume_back(Name) && Function.ends_with("::"));
}
bool isCalled(StringRef Function, StringRef Name) {
  return endsWith(Function, Name) || endsWith(plainName(Function), Name);
}

/// Of constructors and destructors there are several, of which one may call another one, as
/// that which deletes.
bool leavesItToATwin(const Function &F) {
  ItaniumPartialDemangler D;
  std::string Name = F.getName().str();
  if (D.partialDemangle(Name.c_str()) || !D.isCtorOrDtor())
    return false;
  std::string Declared = demangle(Name);
  return any_of(instructions(F), [&](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Function *To = Call ? Call->getCalledFunction() : nullptr;
    return To && To != &F && demangle(To->getName()) == Declared;
  });
}

GlobalVariable *zero(Module &M, Type *T, const Twine &Name) {
  return new GlobalVariable(M, T, /*isConstant=*/false, GlobalValue::InternalLinkage,
                            Constant::getNullValue(T), Name);
}

CallInst *askForCounter(IRBuilder<> &Builder, StringRef Point, unsigned Kind) {
  Module &M = *Builder.GetInsertBlock()->getModule();
  return Builder.CreateCall(declareEntry(M, Entry::__causal_get_counter),
                            {Builder.getInt32(Kind), Builder.CreateGlobalStringPtr(Point)});
}

/// Makes the point at start-up, visited or not, and tells whether the file has such a function.
void announce(Module &M, StringRef Point, bool HasFunction) {
  StringRef Constructor =
      HasFunction ? "__causal_progress_function_ctor" : "__causal_progress_ctor";
  std::string Name = (Constructor + versionSuffix() + "." + Point).str();
  if (M.getNamedValue(Name))
    return;
  IRBuilder<> Builder(&addImageConstructor(M, Name)->getEntryBlock().front());
  askForCounter(Builder, Point, HasFunction ? CAUSAL_FUNCTION_ : CAUSAL_THROUGHPUT);
}

/// What the macro CAUSAL_VISIT_ does, at the start of F. A runtime without room for
/// the point gives no counter: then visits are counted where nobody looks.
void countVisits(Function &F, StringRef Point) {
  Module &M = *F.getParent();
  LLVMContext &C = M.getContext();
  Type *Pointer = PointerType::getUnqual(C), *Size = IntegerType::get(C, 64);
  Type *Counter = ArrayType::get(Size, sizeof(causal_counter) / sizeof(size_t));
  GlobalVariable *Site = zero(M, Pointer, "causal.progress");
  GlobalVariable *Nowhere =
      zero(M, ArrayType::get(Counter, CAUSAL_COUNTERS_ * CAUSAL_COUNTER_STEP_),
           "causal.progress.nowhere");

  BasicBlock &Entry = F.getEntryBlock();
  Instruction *At = &*Entry.getFirstNonPHIOrDbgOrAlloca();
  // Those behind are to stay in the first block, or they are no longer static.
  for (Instruction &I : make_early_inc_range(make_range(At->getIterator(), Entry.end())))
    if (auto *Alloca = dyn_cast<AllocaInst>(&I); Alloca && Alloca->isStaticAlloca())
      Alloca->moveBefore(At);

  IRBuilder<> Builder(At);
  if (DISubprogram *SP = F.getSubprogram())
    Builder.SetCurrentDebugLocation(DILocation::get(C, SP->getScopeLine(), 0, SP));
  Align Aligned(8);
  auto *Known = Builder.CreateLoad(Pointer, Site);
  Known->setAtomic(AtomicOrdering::Monotonic);
  Known->setAlignment(Aligned);
  Instruction *First =
      SplitBlockAndInsertIfThen(Builder.CreateIsNull(Known), At, /*Unreachable=*/false,
                                MDBuilder(C).createUnlikelyBranchWeights());
  BasicBlock *Before = Known->getParent();

  Builder.SetInsertPoint(First);
  Value *Asked = askForCounter(Builder, Point, CAUSAL_THROUGHPUT);
  Value *Found = Builder.CreateSelect(Builder.CreateIsNull(Asked), Nowhere, Asked);
  StoreInst *Keep = Builder.CreateStore(Found, Site);
  Keep->setAtomic(AtomicOrdering::Monotonic);
  Keep->setAlignment(Aligned);

  Builder.SetInsertPoint(&At->getParent()->front());
  PHINode *Counters = Builder.CreatePHI(Pointer, 2);
  Counters->addIncoming(Known, Before);
  Counters->addIncoming(Found, First->getParent());
  GlobalVariable *Own = declareThreadLocal(M, ThreadLocal::__causal_own_counter);
  Value *Index = Builder.CreateLoad(Size, Builder.CreateThreadLocalAddress(Own));
  Builder.CreateAtomicRMW(AtomicRMWInst::Add, Builder.CreateGEP(Counter, Counters, Index),
                          ConstantInt::get(Size, 1), Aligned, AtomicOrdering::Monotonic);
}

} // namespace

PreservedAnalyses ProgressPointsPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isSupported(Triple(M.getTargetTriple())))
    return PreservedAnalyses::all();
  StringSet<> Found;
  for (Function &F : M) {
    if (F.isDeclaration() || F.hasAvailableExternallyLinkage() ||
        F.hasFnAttribute(Attribute::Naked))
      continue;
    std::string Called = sourceName(F.getName());
    for (StringRef Name : Names)
      if (F.getName() == Name || (isCalled(Called, Name) && !leavesItToATwin(F))) {
        countVisits(F, Name);
        Found.insert(Name);
        remarkProgress(F);
        break;
      }
  }
  for (StringRef Name : Names)
    announce(M, Name, Found.contains(Name));
  return PreservedAnalyses::none();
}

} // namespace causal
