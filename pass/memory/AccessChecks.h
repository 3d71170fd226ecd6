//===- AccessChecks.h - The code of a check ---------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits what decides inline whether an access is an event, and the calls of the runtime
// for those that may be one. Used by MemoryInstrumentationPass, function by function.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ACCESSCHECKS_H
#define CAUSAL_ACCESSCHECKS_H

#include "memory/LoopRanges.h"

#include "llvm/IR/IRBuilder.h"

namespace causal {

/// What an activation keeps in registers.
struct ActivationValues {
  llvm::Value *Id;    ///< i64, names the activation.
  llvm::Value *Stamp; ///< i32, its lower half.
  llvm::Value *Directory, *Stamps, *Mask, *Bit;
};

class AccessChecks {
public:
  AccessChecks(llvm::Module &M, uint64_t CellSize);

  /// At the begin of a function: enter() and what it returns.
  ActivationValues enter(llvm::IRBuilder<> &B, llvm::Constant *Routine);
  void exit(llvm::IRBuilder<> &B, llvm::Value *Id, llvm::Value *Cost);
  void unwind(llvm::IRBuilder<> &B, llvm::Value *Id);
  void addCost(llvm::IRBuilder<> &B, llvm::Value *Id, llvm::Value *Cost);

  /// The check of one access before At.
  void check(const MemoryAccess &A, const ActivationValues &Values, llvm::Instruction *At);
  void checkHoisted(const HoistedCheck &H, const ActivationValues &Values);
  /// Around an atomic operation.
  void aroundAtomic(const MemoryAccess &A);
  /// Beside memcpy and the like.
  void block(llvm::MemIntrinsic &I, PrivateLocals &Locals, bool SkipPrivate);
  void masked(llvm::IntrinsicInst &I);
  void range(llvm::IRBuilder<> &B, bool IsWrite, llvm::Value *Pointer, llvm::Value *Length);

private:
  llvm::FunctionCallee declare(const char *Name, llvm::Type *Return,
                               llvm::ArrayRef<llvm::Type *> Params, bool KeepsRegisters = false);
  llvm::Value *loadWord(llvm::IRBuilder<> &B, llvm::Value *Address);
  llvm::Value *placeOf(llvm::IRBuilder<> &B, llvm::Value *Address, const ActivationValues &Values);
  llvm::Value *needsCall(llvm::IRBuilder<> &B, llvm::Value *Place, uint64_t Further,
                         AccessKind Kind, const ActivationValues &Values);
  void lanes(llvm::IRBuilder<> &B, bool IsWrite, llvm::Value *Pointers, llvm::Value *Mask,
             llvm::FixedVectorType *Type);

  llvm::Module &M;
  llvm::LLVMContext &C;
  uint64_t CellSize;
  llvm::Type *I32, *I64, *Void;
  llvm::PointerType *Ptr;
  llvm::FunctionCallee Enter, Exit, Unwind, AddCost, Read, Write, Modify, ReadRange, WriteRange,
      ReadStrided, WriteStrided, AtomicBegin, AtomicEnd;
};

} // namespace causal

#endif // CAUSAL_ACCESSCHECKS_H
