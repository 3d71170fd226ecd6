//===- JobDispatch.cpp ----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "sync/JobDispatch.h"

#include "plugin/RuntimeInterface.h"
#include "sync/SyncInstrumentation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace causal {
namespace {

/// The functions of the runtime by which threads meet.
const StringSet<> &meetings() {
  static const StringSet<> Names = [] {
    StringSet<> Result;
    for (const SyncFunction &Sync : syncFunctions())
      Result.insert(Sync.Wrapper);
    for (Entry Which :
         {Entry::__causal_before_wake, Entry::__causal_before_wait, Entry::__causal_spin,
          Entry::__causal_before_store, Entry::__causal_before_update})
      Result.insert(nameOf(Which));
    return Result;
  }();
  return Names;
}

} // namespace

PreservedAnalyses JobDispatchPass::run(Function &F, FunctionAnalysisManager &) {
  if (!mayMeet(F, MarkedOnly))
    return PreservedAnalyses::all();
  bool Meets = false, MeetsBelow = false;
  SmallVector<CallBase *, 4> Indirect;
  for (Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    if (const Function *Callee = Call->getCalledFunction()) {
      Meets |= meetings().contains(Callee->getName());
      MeetsBelow |= Callee->hasFnAttribute(JobDispatchPass::Meets);
    } else if (Call->isIndirectCall() &&
               !isCallOf(I.getPrevNonDebugInstruction(), Entry::__causal_before_dispatch)) {
      Indirect.push_back(Call);
    }
  }
  if (Meets)
    F.addFnAttr(JobDispatchPass::Meets);
  if (Indirect.empty() || !(Meets || MeetsBelow))
    return PreservedAnalyses::all();
  for (CallBase *Call : Indirect) {
    IRBuilder<> Builder(Call);
    CallInst *Told = Builder.CreateCall(
        declareEntry(*F.getParent(), Entry::__causal_before_dispatch), {Call->getCalledOperand()});
    Told->setDoesNotThrow();
  }
  PreservedAnalyses Preserved;
  Preserved.preserveSet<CFGAnalyses>();
  return Preserved;
}

} // namespace causal
