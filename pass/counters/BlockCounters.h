//===- BlockCounters.h - Counts each basic block ----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For -fcausal-profile=count. Everything is compiled by the time that code is printed, so a
// counter that is put into a block there changes neither the blocks nor the edges: the
// control flow is that of the program without counters. Counting is atomic, and leaves
// registers, flags and the red zone as they were.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_BLOCKCOUNTERS_H
#define CAUSAL_BLOCKCOUNTERS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AsmPrinter;
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
class MCSymbol;
} // namespace llvm

namespace causal {

class BlockCounters {
public:
  /// Makes one that lives as long as the printer and hears from it.
  static void attach(llvm::AsmPrinter &Printer);

  explicit BlockCounters(llvm::AsmPrinter &Printer) : Printer(Printer) {}

  void beginFunction(const llvm::MachineFunction &MF);
  void beginInstruction(const llvm::MachineInstr &MI);
  void endFunction();

private:
  struct Opcodes {
    unsigned Count, SaveFlags, RestoreFlags, Lea;
    unsigned RIP, RSP, Flags;
  };
  const Opcodes &opcodes();
  bool needsFlags(const llvm::MachineInstr &First);
  void emitLea(int64_t Displacement);

  llvm::AsmPrinter &Printer;
  llvm::MCSymbol *Begin = nullptr;    ///< Of the function; null: it is not counted.
  llvm::MCSymbol *Counters = nullptr; ///< Where its counters will be.
  const llvm::MachineBasicBlock *Counted = nullptr;
  llvm::SmallVector<unsigned, 32> Blocks; ///< Those with a counter, in its order.
};

} // namespace causal

#endif // CAUSAL_BLOCKCOUNTERS_H
