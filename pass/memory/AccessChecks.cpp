//===- AccessChecks.cpp - The code of a check -----------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AccessChecks.h. The check of a read: the thread's bit is set in the cell's word of
// the directory, and its stamp is not older than the activation. Of a write: the word has
// that bit alone, a thread as writer, and the same stamp. Two loads, and no store.
//
//===----------------------------------------------------------------------===//
#include "memory/AccessChecks.h"

#include "causal/InputABI.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace causal {

/// Accesses of more cells are left to the runtime.
static constexpr uint64_t MaxInlineCells = 4;

AccessChecks::AccessChecks(Module &M, uint64_t CellSize)
    : M(M), C(M.getContext()), CellSize(CellSize), I32(Type::getInt32Ty(C)),
      I64(Type::getInt64Ty(C)), Void(Type::getVoidTy(C)), Ptr(PointerType::getUnqual(C)) {
  Enter = declare("enter", StructType::get(C, {Ptr, I64}), {Ptr});
  Exit = declare("exit", Void, {I64, I64});
  Unwind = declare("unwind", Void, {I64});
  AddCost = declare("add_cost", Void, {I64, I64});
  Read = declare("read", Void, {Ptr, I64}, /*KeepsRegisters=*/true);
  Write = declare("write", Void, {Ptr, I64}, /*KeepsRegisters=*/true);
  Modify = declare("modify", Void, {Ptr, I64}, /*KeepsRegisters=*/true);
  ReadRange = declare("read_range", Void, {Ptr, I64});
  WriteRange = declare("write_range", Void, {Ptr, I64});
  ReadStrided = declare("read_strided", Void, {Ptr, I64, I64, I64});
  WriteStrided = declare("write_strided", Void, {Ptr, I64, I64, I64});
  AtomicBegin = declare("atomic_begin", Void, {Ptr, I64});
  AtomicEnd = declare("atomic_end", Void, {Ptr, I64, I32});
}

FunctionCallee AccessChecks::declare(const char *Name, Type *Return, ArrayRef<Type *> Params,
                                     bool KeepsRegisters) {
  std::string FullName = std::string(causal_input::EntryPrefix) + Name;
  FunctionCallee Callee =
      M.getOrInsertFunction(FullName, FunctionType::get(Return, Params, /*isVarArg=*/false));
  if (auto *F = dyn_cast<Function>(Callee.getCallee())) {
    F->setDoesNotThrow();
    if (KeepsRegisters)
      F->setCallingConv(CallingConv::PreserveMost);
  }
  return Callee;
}

ActivationValues AccessChecks::enter(IRBuilder<> &B, Constant *Routine) {
  using causal_input::ThreadView;
  Value *Entered = B.CreateCall(Enter, {Routine}, "causal.activation");
  Value *Thread = B.CreateExtractValue(Entered, 0);
  ActivationValues V;
  V.Id = B.CreateExtractValue(Entered, 1);
  V.Stamp = B.CreateTrunc(V.Id, I32);
  auto Load = [&](Type *T, size_t Offset) {
    LoadInst *L = B.CreateLoad(T, B.CreateConstGEP1_64(B.getInt8Ty(), Thread, Offset));
    markOwn(*L);
    return L;
  };
  V.Directory = Load(I64, offsetof(ThreadView, Directory));
  V.Stamps = Load(I64, offsetof(ThreadView, Stamps));
  V.Mask = Load(I64, offsetof(ThreadView, Mask));
  V.Bit = Load(I32, offsetof(ThreadView, Bit));
  return V;
}

void AccessChecks::exit(IRBuilder<> &B, Value *Id, Value *Cost) { B.CreateCall(Exit, {Id, Cost}); }
void AccessChecks::unwind(IRBuilder<> &B, Value *Id) { B.CreateCall(Unwind, {Id}); }
void AccessChecks::addCost(IRBuilder<> &B, Value *Id, Value *Cost) {
  B.CreateCall(AddCost, {Id, Cost});
}

Value *AccessChecks::loadWord(IRBuilder<> &B, Value *Address) {
  LoadInst *L = B.CreateAlignedLoad(I32, B.CreateIntToPtr(Address, Ptr), Align(4));
  L->setAtomic(AtomicOrdering::Unordered);
  markOwn(*L);
  return L;
}

/// Where the words of the cell at Address are, from the bases on.
Value *AccessChecks::placeOf(IRBuilder<> &B, Value *Address, const ActivationValues &V) {
  Value *Place = B.CreateAnd(Address, V.Mask);
  return CellSize == 8 ? B.CreateLShr(Place, 1) : Place; // Four bytes for eight.
}

/// Whether the cell whose words are Further bytes behind Place is not done with.
Value *AccessChecks::needsCall(IRBuilder<> &B, Value *Place, uint64_t Further, AccessKind Kind,
                               const ActivationValues &V) {
  auto At = [&](Value *Base) {
    Value *Address = B.CreateAdd(Base, Place);
    return Further ? B.CreateAdd(Address, B.getInt64(Further)) : Address;
  };
  Value *Word = loadWord(B, At(V.Directory));
  Value *Stamp = loadWord(B, At(V.Stamps));
  Value *IsForeign;
  if (Kind == AccessKind::Read)
    IsForeign = B.CreateICmpEQ(B.CreateAnd(Word, V.Bit), B.getInt32(0));
  else
    IsForeign = B.CreateICmpNE(Word, B.CreateOr(V.Bit, B.getInt32(causal_input::ByThread)));
  return B.CreateOr(IsForeign, B.CreateICmpULT(Stamp, V.Stamp));
}

void AccessChecks::check(const MemoryAccess &A, const ActivationValues &Values, Instruction *At) {
  IRBuilder<> B(At);
  if (A.Size > MaxInlineCells * CellSize) {
    if (A.Kind != AccessKind::Write)
      range(B, /*IsWrite=*/false, A.Pointer, B.getInt64(A.Size));
    if (A.Kind != AccessKind::Read)
      range(B, /*IsWrite=*/true, A.Pointer, B.getInt64(A.Size));
    return;
  }
  Value *Address = B.CreatePtrToInt(A.Pointer, I64);
  Value *Any = nullptr;
  auto Add = [&](Value *Place, uint64_t Further) {
    Value *One = needsCall(B, Place, Further, A.Kind, Values);
    Any = Any ? B.CreateOr(Any, One) : One;
  };
  if (A.Alignment.value() >= CellSize) { // Its cells' words lie side by side.
    Value *Place = placeOf(B, Address, Values);
    for (uint64_t Cell = 0; Cell * CellSize < A.Size; ++Cell)
      Add(Place, Cell * sizeof(uint32_t));
  } else { // One byte of each cell that may be touched.
    SmallVector<uint64_t, 6> Offsets;
    for (uint64_t Offset = 0; Offset < A.Size; Offset += CellSize)
      Offsets.push_back(Offset);
    if (A.Alignment.value() < std::min(A.Size, CellSize) && Offsets.back() != A.Size - 1)
      Offsets.push_back(A.Size - 1);
    for (uint64_t Offset : Offsets)
      Add(placeOf(B, Offset ? B.CreateAdd(Address, B.getInt64(Offset)) : Address, Values), 0);
  }
  Instruction *Then = SplitBlockAndInsertIfThen(Any, At, /*Unreachable=*/false,
                                                MDBuilder(C).createBranchWeights(1, 10000));
  IRBuilder<> Slow(Then);
  FunctionCallee Callee = A.Kind == AccessKind::Read    ? Read
                          : A.Kind == AccessKind::Write ? Write
                                                        : Modify;
  CallInst *Call = Slow.CreateCall(Callee, {A.Pointer, Slow.getInt64(A.Size)});
  Call->setCallingConv(CallingConv::PreserveMost);
}

void AccessChecks::checkHoisted(const HoistedCheck &H, const ActivationValues &Values) {
  bool IsWrite = H.Access.Kind == AccessKind::Write;
  if (!H.Begin)
    return check(H.Access, Values, H.At);
  IRBuilder<> B(H.At);
  if (!H.Count)
    return range(B, IsWrite, H.Begin, H.Length);
  B.CreateCall(IsWrite ? WriteStrided : ReadStrided,
               {H.Begin, B.getInt64(H.Step), H.Count, B.getInt64(H.Size)});
}

void AccessChecks::aroundAtomic(const MemoryAccess &A) {
  using namespace causal_input;
  Value *Size = ConstantInt::get(I64, A.Size);
  IRBuilder<>(A.I).CreateCall(AtomicBegin, {A.Pointer, Size});
  IRBuilder<> B(A.I->getNextNode());
  Value *Kind = B.getInt32(A.isStore()          ? AtomicWrite
                           : isa<LoadInst>(A.I) ? AtomicRead
                                                : AtomicUpdate);
  if (isa<AtomicCmpXchgInst>(A.I)) // One that fails has only read.
    Kind = B.CreateSelect(B.CreateExtractValue(A.I, 1), Kind, B.getInt32(AtomicRead));
  B.CreateCall(AtomicEnd, {A.Pointer, Size, Kind});
}

void AccessChecks::range(IRBuilder<> &B, bool IsWrite, Value *Pointer, Value *Length) {
  B.CreateCall(IsWrite ? WriteRange : ReadRange, {Pointer, Length});
}

void AccessChecks::block(MemIntrinsic &I, PrivateLocals &Locals, bool SkipPrivate) {
  IRBuilder<> B(&I);
  Value *Length = B.CreateZExtOrTrunc(I.getLength(), I64);
  if (auto *Transfer = dyn_cast<MemTransferInst>(&I))
    range(B, /*IsWrite=*/false, Transfer->getRawSource(), Length);
  if (!SkipPrivate || !Locals.contains(I.getRawDest()))
    range(B, /*IsWrite=*/true, I.getRawDest(), Length);
}

/// One range for each lane; of no bytes, if its bit of the mask is not set.
void AccessChecks::lanes(IRBuilder<> &B, bool IsWrite, Value *Pointers, Value *Mask,
                         FixedVectorType *Type) {
  uint64_t Size = M.getDataLayout().getTypeStoreSize(Type->getElementType());
  for (unsigned Lane = 0; Lane < Type->getNumElements(); ++Lane) {
    Value *Pointer = Pointers->getType()->isVectorTy()
                         ? B.CreateExtractElement(Pointers, Lane)
                         : B.CreateConstGEP1_64(Type->getElementType(), Pointers, Lane);
    Value *Length =
        B.CreateSelect(B.CreateExtractElement(Mask, Lane), B.getInt64(Size), B.getInt64(0));
    range(B, IsWrite, Pointer, Length);
  }
}

void AccessChecks::masked(IntrinsicInst &I) {
  IRBuilder<> B(&I);
  auto Vector = [](Value *V) { return dyn_cast<FixedVectorType>(V->getType()); };
  auto Packed = [&](bool IsWrite, Value *Pointer, Value *Mask, FixedVectorType *T) {
    unsigned Lanes = T->getNumElements();
    Value *Bits = B.CreateBitCast(Mask, B.getIntNTy(Lanes));
    Value *Set = B.CreateZExtOrTrunc(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Bits), I64);
    uint64_t Size = M.getDataLayout().getTypeStoreSize(T->getElementType());
    range(B, IsWrite, Pointer, B.CreateMul(Set, B.getInt64(Size)));
  };
  constexpr uint64_t VaListSize = 24;
  switch (I.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
    if (auto *T = Vector(&I))
      lanes(B, /*IsWrite=*/false, I.getArgOperand(0), I.getArgOperand(2), T);
    break;
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
    if (auto *T = Vector(I.getArgOperand(0)))
      lanes(B, /*IsWrite=*/true, I.getArgOperand(1), I.getArgOperand(3), T);
    break;
  case Intrinsic::masked_expandload:
    if (auto *T = Vector(&I))
      Packed(/*IsWrite=*/false, I.getArgOperand(0), I.getArgOperand(1), T);
    break;
  case Intrinsic::masked_compressstore:
    if (auto *T = Vector(I.getArgOperand(0)))
      Packed(/*IsWrite=*/true, I.getArgOperand(1), I.getArgOperand(2), T);
    break;
  case Intrinsic::vacopy:
    range(B, /*IsWrite=*/false, I.getArgOperand(1), B.getInt64(VaListSize));
    range(B, /*IsWrite=*/true, I.getArgOperand(0), B.getInt64(VaListSize));
    break;
  default: // va_start
    range(B, /*IsWrite=*/true, I.getArgOperand(0), B.getInt64(VaListSize));
  }
}

} // namespace causal
