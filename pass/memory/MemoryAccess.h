//===- MemoryAccess.h - The accesses of a function --------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds what a function reads and writes, for input-sensitive profiling. Used by
// MemoryInstrumentationPass and by the eliminations; changes no code.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_MEMORYACCESS_H
#define CAUSAL_MEMORYACCESS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Alignment.h"
#include <vector>

namespace causal {

enum class AccessKind { Read, Write, Modify /* a read, then a write */ };

struct MemoryAccess {
  llvm::Instruction *I;
  llvm::Value *Pointer;
  uint64_t Size;
  llvm::Align Alignment;
  AccessKind Kind;
  bool IsAtomic;
  /// Another check stands for it.
  bool Dropped = false;

  bool isStore() const { return llvm::isa<llvm::StoreInst>(I); }
  /// Whether it takes up whole cells: then it shares none with what does not overlap it.
  bool fillsCells(uint64_t CellSize) const {
    return Alignment.value() >= CellSize && Size % CellSize == 0;
  }
};

struct FunctionAccesses {
  std::vector<MemoryAccess> Simple;
  std::vector<llvm::MemIntrinsic *> Block;   ///< memcpy and the like.
  std::vector<llvm::IntrinsicInst *> Masked; ///< Under a mask; va_start and va_copy.
  unsigned PrivateLocals = 0;                ///< Accesses of locals that nobody else can see.
  bool HasCalls = false;

  bool empty() const { return Simple.empty() && Block.empty() && Masked.empty(); }
};

/// Tells which locals only their own activation can ever see.
class PrivateLocals {
public:
  explicit PrivateLocals(uint64_t CellSize) : CellSize(CellSize) {}
  /// Whether Pointer points into such a local.
  bool contains(const llvm::Value *Pointer);

private:
  bool isPrivate(const llvm::AllocaInst &A) const;

  uint64_t CellSize;
  llvm::DenseMap<const llvm::AllocaInst *, bool> Known;
};

/// The accesses of F. Those of private locals are left out if SkipPrivate.
FunctionAccesses findAccesses(llvm::Function &F, PrivateLocals &Locals, bool SkipPrivate);

/// Whether a store of another thread may become visible at I, or other activations run.
bool maySynchronise(const llvm::Instruction &I);

/// Whether it accesses memory under a mask, or a va_list.
bool isMaskedOrVariadic(const llvm::IntrinsicInst &I);

/// Instructions with this metadata are the instrumentation's own.
void markOwn(llvm::Instruction &I);
bool isOwn(const llvm::Instruction &I);

} // namespace causal

#endif // CAUSAL_MEMORYACCESS_H
