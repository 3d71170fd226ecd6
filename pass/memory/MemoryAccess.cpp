//===- MemoryAccess.cpp - The accesses of a function ----------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See MemoryAccess.h.
//
//===----------------------------------------------------------------------===//
#include "memory/MemoryAccess.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace causal {

static constexpr char OwnKind[] = "causal.own";

void markOwn(Instruction &I) { I.setMetadata(OwnKind, MDNode::get(I.getContext(), {})); }
bool isOwn(const Instruction &I) { return I.hasMetadata(OwnKind); }

bool PrivateLocals::isPrivate(const AllocaInst &A) const {
  // A local that shares a cell with another one is seen where that one is.
  const DataLayout &DL = A.getModule()->getDataLayout();
  std::optional<TypeSize> Size = A.getAllocationSize(DL);
  if (!Size || Size->isScalable() || Size->getFixedValue() % CellSize ||
      A.getAlign().value() < CellSize)
    return false;
  SmallVector<const Value *, 16> Work{&A};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (const User *U : V->users()) {
      if (isa<GetElementPtrInst>(U) || isa<BitCastInst>(U))
        Work.push_back(U);
      else if (const auto *L = dyn_cast<LoadInst>(U)) {
        if (L->isAtomic() || L->isVolatile())
          return false;
      } else if (const auto *S = dyn_cast<StoreInst>(U)) {
        if (S->getValueOperand() == V || S->isAtomic() || S->isVolatile())
          return false;
      } else if (isa<LifetimeIntrinsic>(U) || isa<DbgInfoIntrinsic>(U) || isa<MemSetInst>(U)) {
        continue;
      } else {
        // A copy of it may take padding that nobody wrote: it is looked at as a whole.
        return false;
      }
    }
  }
  return true;
}

bool PrivateLocals::contains(const Value *Pointer) {
  const auto *A = dyn_cast<AllocaInst>(getUnderlyingObject(Pointer, /*MaxLookup=*/0));
  if (!A)
    return false;
  auto [It, New] = Known.try_emplace(A, false);
  if (New)
    It->second = isPrivate(*A);
  return It->second;
}

bool maySynchronise(const Instruction &I) {
  if (const auto *CB = dyn_cast<CallBase>(&I)) {
    if (isa<DbgInfoIntrinsic>(CB) || isa<LifetimeIntrinsic>(CB) || isa<MemIntrinsic>(CB))
      return false;
    if (const auto *II = dyn_cast<IntrinsicInst>(CB))
      return !(II->doesNotAccessMemory() || II->onlyAccessesInaccessibleMemory() ||
               II->hasFnAttr(Attribute::NoSync));
    return CB->isInlineAsm() || !CB->doesNotAccessMemory();
  }
  if (isa<FenceInst>(I) || isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
    return true;
  if (const auto *L = dyn_cast<LoadInst>(&I))
    return L->isVolatile() || L->isAtomic();
  if (const auto *S = dyn_cast<StoreInst>(&I))
    return S->isVolatile() || S->isAtomic();
  return false;
}

bool isMaskedOrVariadic(const IntrinsicInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_expandload:
  case Intrinsic::masked_compressstore:
  case Intrinsic::vastart:
  case Intrinsic::vacopy:
    return true;
  default:
    return false;
  }
}

FunctionAccesses findAccesses(Function &F, PrivateLocals &Locals, bool SkipPrivate) {
  FunctionAccesses Found;
  const DataLayout &DL = F.getParent()->getDataLayout();
  for (Instruction &I : instructions(F)) {
    if (isOwn(I))
      continue;
    auto Take = [&](Value *Pointer, Type *T, Align Al, AccessKind Kind, bool Atomic) {
      TypeSize Size = DL.getTypeStoreSize(T);
      if (Size.isScalable() || Size.getFixedValue() == 0)
        return;
      if (SkipPrivate && Locals.contains(Pointer))
        ++Found.PrivateLocals;
      else
        Found.Simple.push_back({&I, Pointer, Size.getFixedValue(), Al, Kind, Atomic});
    };
    if (auto *L = dyn_cast<LoadInst>(&I))
      Take(L->getPointerOperand(), L->getType(), L->getAlign(), AccessKind::Read, L->isAtomic());
    else if (auto *S = dyn_cast<StoreInst>(&I))
      Take(S->getPointerOperand(), S->getValueOperand()->getType(), S->getAlign(),
           AccessKind::Write, S->isAtomic());
    else if (auto *R = dyn_cast<AtomicRMWInst>(&I))
      Take(R->getPointerOperand(), R->getValOperand()->getType(), R->getAlign(), AccessKind::Modify,
           true);
    else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
      Take(X->getPointerOperand(), X->getNewValOperand()->getType(), X->getAlign(),
           AccessKind::Modify, true);
    else if (auto *M = dyn_cast<MemIntrinsic>(&I))
      Found.Block.push_back(M);
    else if (auto *II = dyn_cast<IntrinsicInst>(&I); II && isMaskedOrVariadic(*II))
      Found.Masked.push_back(II);
    else if (isa<CallBase>(&I) && !isa<IntrinsicInst>(&I))
      Found.HasCalls = true;
  }
  return Found;
}

} // namespace causal
