//===- LoopRanges.h - Checks of loops as ranges -----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In an innermost loop in which nothing synchronises, an access of an invariant address is
// checked once, and one of an affine address once for its whole range, before the loop. All
// reads that are moved come before all writes that are moved. Used by
// MemoryInstrumentationPass.
//
// The profile stays as it is if no read may see a cell that an earlier round wrote. Whether
// that holds is decided on cells, not on bytes: what does not fill its cells may share one
// with its neighbour.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_LOOPRANGES_H
#define CAUSAL_LOOPRANGES_H

#include "memory/AccessElimination.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

namespace causal {

/// A check before a loop. Of one access, if Begin is null; else of Length bytes from Begin
/// on, or of Count pieces of Size bytes that are Step apart.
struct HoistedCheck {
  llvm::Instruction *At;
  MemoryAccess Access; ///< Its kind is Read or Write.
  llvm::Value *Begin = nullptr, *Length = nullptr, *Count = nullptr;
  uint64_t Step = 0, Size = 0;
};

struct LoopAnalyses {
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
};

/// Marks what is moved as dropped, and returns the checks in the order in which they are to
/// be made. Emits the computation of ranges before the loops.
std::vector<HoistedCheck> hoistLoopChecks(LoopAnalyses &LA, std::vector<MemoryAccess> &Accesses,
                                          const AccessIndex &Index, uint64_t CellSize);

} // namespace causal

#endif // CAUSAL_LOOPRANGES_H
