//===- causal_output_path.h - The profile's file name -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands the patterns of the flag `output`. Called at init and after a fork.
// Pure: what the patterns stand for is handed in; it opens no file.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_OUTPUT_PATH_H
#define CAUSAL_OUTPUT_PATH_H

#include "base/causal_text.h"

namespace __causal {

/// What the patterns stand for. A null string is an empty one, except TmpDir.
struct OutputPathFacts {
  uint64_t Pid = 0;                ///< %p
  const char *Host = nullptr;      ///< %h
  const char *TmpDir = nullptr;    ///< %t; null or empty: /tmp
  const char *Signature = nullptr; ///< %m: the build-id, in hex
};

/// Writes Pattern, expanded, to Buffer of Size bytes (not 0). Any context;
/// allocates and blocks never. An unknown pattern is kept as it stands and
/// reported. Returns false, with a report and an empty Buffer, if it does not
/// fit.
bool expandOutputPath(const char *Pattern, const OutputPathFacts &Facts, char *Buffer, size_t Size,
                      const LineReporter &Report);

} // namespace __causal

#endif // CAUSAL_OUTPUT_PATH_H
