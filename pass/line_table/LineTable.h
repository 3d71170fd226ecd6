//===- LineTable.h - Lines of the function being printed --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The line table of one function between its two halves: LineTableRecorder
// fills it while the function is printed, LineTableWriter turns it into
// sections.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_LINETABLE_H
#define CAUSAL_LINETABLE_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class DIFile;
class DISubprogram;
class MCSection;
class MCSymbol;
} // namespace llvm

namespace causal {

/// The function itself, or a call that was inlined into another scope. Lexical
/// blocks make no scope of their own, unless they are in another file.
struct LineScope {
  static constexpr unsigned NoParent = ~0u;

  unsigned Parent; ///< Index of the scope that this one was inlined into.
  const llvm::DISubprogram *Subprogram;
  const llvm::DIFile *File;
  unsigned CallLine; ///< Line of the call, in the parent; 0 without one.
};

/// From Label on, up to the next row. Line 0 is no line.
struct LineRow {
  llvm::MCSymbol *Label;
  unsigned Line;
  unsigned Scope;
};

/// The part of a function that lies in one section. Differences of labels are
/// constants only within one.
struct LineFragment {
  llvm::MCSection *Section;
  llvm::MCSymbol *Begin;
  llvm::MCSymbol *End;
  llvm::SmallVector<LineRow, 0> Rows;
};

struct FunctionLines {
  /// Parents before children; the first one is the function.
  llvm::SmallVector<LineScope, 8> Scopes;
  llvm::SmallVector<LineFragment, 1> Fragments;
};

} // namespace causal

#endif // CAUSAL_LINETABLE_H
