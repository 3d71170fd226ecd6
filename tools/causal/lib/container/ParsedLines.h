//===- ParsedLines.h - Lines of JSON, parsed ahead --------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lines of a text, each with the JSON value that it holds, in order. While some
// are looked at the next are parsed on a second thread: a profile is read in two
// thirds of the time. What memory they take is bounded by the longest line.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_PARSEDLINES_H
#define CAUSAL_ANALYSIS_PARSEDLINES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ThreadPool.h"

#include <optional>
#include <simdjson.h>
#include <vector>

namespace causal {

/// Values that are nested deeper than this are refused.
constexpr size_t MaxNesting = 16;

struct ParsedLine {
  llvm::StringRef Text; ///< Without white space around it.
  bool Ended = false;   ///< By a newline.
  simdjson::error_code Failed = simdjson::SUCCESS;
  simdjson::dom::document Document; ///< Unless it failed.
};

class ParsedLines {
public:
  explicit ParsedLines(llvm::StringRef Text);
  ~ParsedLines();

  /// Null after the last one; valid until the next call.
  const ParsedLine *next();

private:
  struct Batch {
    std::vector<ParsedLine> Lines; ///< Beyond the first Size: kept for their memory.
    size_t Size = 0;
  };
  void fill(Batch &B);

  llvm::StringRef Rest; ///< Belongs to whoever fills a batch.
  simdjson::dom::parser Parser;
  Batch Batches[2];
  Batch *Current = &Batches[0], *Ahead = &Batches[1];
  size_t Next = 0;                             ///< In the current batch.
  std::optional<llvm::DefaultThreadPool> Pool; ///< Of one thread; none for short texts.
};

} // namespace causal

#endif // CAUSAL_ANALYSIS_PARSEDLINES_H
