//===- causal_line_starts.h - Where lines and functions begin ---*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The other way round than a lookup: from a place in the source to the instructions that
// begin it. A line, or a function, that was inlined several times begins as often.
//
// Pure. Context: any thread; reads the whole table, so not for handlers.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_LINE_STARTS_H
#define CAUSAL_LINE_STARTS_H

#include "causal/LineMapFormat.h"

namespace __causal {

namespace linemap = ::causal::linemap;

/// A place in the source: "file:line", where the end of the path is enough, or a function's
/// name, without its parameters if one likes.
class SourcePlace {
public:
  /// Text is not copied. False if it names no place.
  bool parse(const char *Text, size_t Size);
  /// Whether the frame is in the function, or at the line.
  bool matches(const linemap::Frame &F) const;
  bool isLine() const { return Line != 0; }

private:
  const char *Name = nullptr; ///< Of the file, or the function.
  size_t NameSize = 0;
  uint32_t Line = 0;
};

/// Writes the addresses where Place begins in the table, at most Max, and returns how many
/// there are: the lowest one for each function, and each inlined copy, that has the place.
unsigned findStarts(const linemap::FunctionRecord *Begin, const linemap::FunctionRecord *End,
                    const SourcePlace &Place, uintptr_t *Out, unsigned Max);

} // namespace __causal

#endif // CAUSAL_LINE_STARTS_H
