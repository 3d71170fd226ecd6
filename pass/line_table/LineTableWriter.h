//===- LineTableWriter.h - Sections of the line table -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the format of LineMapFormat.h: causal_fn and causal_ln for each
// fragment, in sections that live and die with its code, and .causal_str for
// the module.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_LINETABLEWRITER_H
#define CAUSAL_LINETABLEWRITER_H

#include "line_table/LineTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

namespace llvm {
class AsmPrinter;
} // namespace llvm

namespace causal {

class LineTableWriter {
public:
  explicit LineTableWriter(llvm::AsmPrinter &Printer) : Printer(Printer) {}

  /// Emits the tables of a function. The current section is kept.
  void write(const FunctionLines &Lines);

  /// Emits the strings of the tables that were written, and forgets them.
  void finish();

private:
  void writeFragment(const FunctionLines &Lines, const LineFragment &Fragment);
  void writeRows(const FunctionLines &Lines, const LineFragment &Fragment,
                 llvm::ArrayRef<unsigned> NewIndex);
  llvm::MCSection *sectionFor(llvm::StringRef Name, llvm::MCSection *Code);
  llvm::MCSymbol *emitLabel();
  void emitOffsetTo(llvm::MCSymbol *Target);
  void emitULEB(uint64_t Value);
  llvm::MCSymbol *string(llvm::StringRef Text);
  llvm::MCSymbol *pathOf(const llvm::DIFile *File);

  llvm::AsmPrinter &Printer;
  llvm::BumpPtrAllocator Allocator;
  llvm::MapVector<llvm::StringRef, llvm::MCSymbol *> Strings;
  llvm::DenseMap<const llvm::DIFile *, llvm::MCSymbol *> Paths;
};

} // namespace causal

#endif // CAUSAL_LINETABLEWRITER_H
