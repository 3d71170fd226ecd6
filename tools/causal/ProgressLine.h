//===- ProgressLine.h - One line that says how far we are -------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bar with a text beside it, drawn over itself on standard error. Where that
// is no terminal nothing is written.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_PROGRESSLINE_H
#define CAUSAL_TOOL_PROGRESSLINE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace causal {

/// "[#####.....] Text", cut to \p Width columns; \p Done is 0..1.
std::string formatProgress(double Done, llvm::StringRef Text, size_t Width);

class ProgressLine {
public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  bool visible() const { return Width != 0; }
  void show(double Done, llvm::StringRef Text);
  /// Takes the line away, before anything else is written.
  void clear();

private:
  size_t Width;
  bool Drawn = false;
};

} // namespace causal

#endif // CAUSAL_TOOL_PROGRESSLINE_H
