//===- LineTableRecorder.h - Follows the lines of the code ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sees each machine instruction as it is printed, with a label at every change
// of line, and hands a finished function to the writer. It adds labels to the
// code and nothing else, so that the code stays what it is.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_LINETABLERECORDER_H
#define CAUSAL_LINETABLERECORDER_H

#include "line_table/LineTable.h"
#include "line_table/LineTableWriter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace llvm {
class AsmPrinter;
class MachineBasicBlock;
class MachineFunction;
class MachineInstr;
class Module;
} // namespace llvm

namespace causal {

class LineTableRecorder {
public:
  /// Makes a recorder that lives as long as the printer and hears from it.
  static void attach(llvm::AsmPrinter &Printer);

  explicit LineTableRecorder(llvm::AsmPrinter &Printer) : Printer(Printer), Writer(Printer) {}

  void beginModule(const llvm::Module &M);
  void endModule();
  void beginFunction(const llvm::MachineFunction &MF);
  void endFunction();
  void beginSection();
  void endSection();
  void beginInstruction(const llvm::MachineInstr &MI);

private:
  using ScopeKey = std::pair<std::pair<unsigned, const llvm::DISubprogram *>,
                             std::pair<const llvm::DIFile *, unsigned>>;

  llvm::MCSymbol *emitLabel();
  unsigned scopeOf(const llvm::DILocalScope *Scope, const llvm::DILocation *InlinedAt);
  unsigned scopeOf(const llvm::DILocation &Location) {
    return scopeOf(Location.getScope(), Location.getInlinedAt());
  }
  void addRow(unsigned Line, unsigned Scope);
  void enterBlock(const llvm::MachineBasicBlock &Block);
  LineFragment &fragment() { return Lines.Fragments.back(); }

  llvm::AsmPrinter &Printer;
  LineTableWriter Writer;
  bool Enabled = true; ///< The module wants a table.

  FunctionLines Lines;
  llvm::DenseMap<ScopeKey, unsigned> ScopeIndex;
  llvm::DenseMap<std::pair<const llvm::DILocalScope *, const llvm::DILocation *>, unsigned>
      LocationScope;

  const llvm::DISubprogram *Subprogram = nullptr; ///< Null: not recording.
  bool InFragment = false;
  bool LastRowIsEmpty = false; ///< Nothing was printed since it began.
  /// Lines for the instructions of the present block that have a scope and no line.
  llvm::DenseMap<const llvm::MachineInstr *, unsigned> Nearest;
  /// The last location with a line, and the block of the last instruction.
  const llvm::DILocation *LastLocation = nullptr;
  const llvm::MachineBasicBlock *LastBlock = nullptr;
};

} // namespace causal

#endif // CAUSAL_LINETABLERECORDER_H
