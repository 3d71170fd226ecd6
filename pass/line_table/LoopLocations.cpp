//===- LoopLocations.cpp - Source locations of loops ----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "line_table/LoopLocations.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Loop without its locations: itself if it has none, null if nothing else is
/// left.
static MDNode *withoutLocations(MDNode *Loop) {
  // The first operand of a loop's node is the node: it makes it distinct.
  SmallVector<Metadata *, 4> Kept{nullptr};
  for (const MDOperand &Operand : drop_begin(Loop->operands()))
    if (!isa_and_nonnull<DILocation>(Operand.get()))
      Kept.push_back(Operand.get());
  if (Kept.size() == Loop->getNumOperands())
    return Loop;
  if (Kept.size() == 1)
    return nullptr;
  MDNode *New = MDNode::getDistinct(Loop->getContext(), Kept);
  New->replaceOperandWith(0, New);
  return New;
}

PreservedAnalyses causal::StripLoopLocationsPass::run(Module &M, ModuleAnalysisManager &) {
  // Several latches may share one node, and shall share its replacement.
  DenseMap<MDNode *, MDNode *> Replacement;
  for (Function &F : M)
    for (BasicBlock &BB : F) {
      Instruction *Terminator = BB.getTerminator();
      MDNode *Loop = Terminator->getMetadata(LLVMContext::MD_loop);
      if (!Loop)
        continue;
      auto [It, Inserted] = Replacement.try_emplace(Loop, nullptr);
      if (Inserted)
        It->second = withoutLocations(Loop);
      if (It->second != Loop)
        Terminator->setMetadata(LLVMContext::MD_loop, It->second);
    }
  return PreservedAnalyses::all();
}
