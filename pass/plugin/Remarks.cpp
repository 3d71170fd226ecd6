//===- Remarks.cpp - What was wrapped and what was not --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "plugin/Remarks.h"

#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

static constexpr const char *PassName = "causal";

bool causal::areRemarksEnabled(const Function &F) {
  LLVMContext &C = F.getContext();
  return C.getLLVMRemarkStreamer() || C.getDiagHandlerPtr()->isAnyRemarkEnabled(PassName);
}

/// A remark at each call of F. The name is written without the byte that keeps
/// LLVM from mangling it.
template <class Remark> static void remarkCalls(const Function &F, StringRef Kind, StringRef Text) {
  if (!causal::areRemarksEnabled(F))
    return;
  for (const User *U : F.users())
    if (const auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == &F)
      OptimizationRemarkEmitter(Call->getFunction()).emit([&] {
        return Remark(PassName, Kind, Call)
               << ore::NV("Function", GlobalValue::dropLLVMManglingEscape(F.getName())) << Text;
      });
}

void causal::remarkWrapped(const Function &F) {
  remarkCalls<OptimizationRemark>(F, "Wrapped", " is called through the runtime");
}

void causal::remarkOtherType(const Function &F) {
  remarkCalls<OptimizationRemarkMissed>(
      F, "OtherType", " is not wrapped: it is not declared as the C library declares it");
}

/// A remark at the definition of F.
template <class Remark>
static void remarkDefinition(const Function &F, StringRef Kind, StringRef Text) {
  if (!causal::areRemarksEnabled(F))
    return;
  OptimizationRemarkEmitter(&F).emit([&] {
    return Remark(PassName, Kind, DiagnosticLocation(F.getSubprogram()), &F.getEntryBlock())
           << ore::NV("Function", GlobalValue::dropLLVMManglingEscape(F.getName())) << Text;
  });
}

void causal::remarkProgress(const Function &F) {
  remarkDefinition<OptimizationRemark>(F, "Progress", " is a progress point");
}

void causal::remarkOwnDefinition(const Function &F) {
  remarkDefinition<OptimizationRemarkMissed>(F, "OwnDefinition",
                                             " is not wrapped: this file defines it");
}

void causal::remarkSpins(const Loop &L, bool Waits) {
  const BasicBlock &Header = *L.getHeader();
  OptimizationRemarkEmitter Emitter(Header.getParent());
  if (Waits)
    Emitter.emit([&] {
      return OptimizationRemark(PassName, "Waits", L.getStartLoc(), &Header)
             << "loop waits for other threads";
    });
  else
    Emitter.emit([&] {
      return OptimizationRemarkMissed(PassName, "Works", L.getStartLoc(), &Header)
             << "loop looks at what other threads may change, and does more than to wait: it "
                "is taken for work";
    });
}
