//===- AccessElimination.h - Accesses that need no check --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eliminations that leave every profile as it is: nothing synchronises between the access
// that is dropped and the one that stands for it, so no foreign write can come between.
// Used by MemoryInstrumentationPass.
//
//   - a read that an access of the same bytes dominates
//   - a write that a write of the same bytes dominates (not: a read, from which it takes the
//     cell away for others)
//   - a read and a later write of the same bytes in one block are one event
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ACCESSELIMINATION_H
#define CAUSAL_ACCESSELIMINATION_H

#include "memory/MemoryAccess.h"

namespace causal {

using AccessIndex = llvm::DenseMap<const llvm::Instruction *, unsigned>;

/// Marks accesses as dropped, and reads that stand for a write as Modify. Index gives the
/// place of an instruction in Accesses.
void eliminateDominated(llvm::Function &F, std::vector<MemoryAccess> &Accesses,
                        const AccessIndex &Index);

} // namespace causal

#endif // CAUSAL_ACCESSELIMINATION_H
