//===- RuntimeOptions.h - What CAUSAL_OPTIONS says ---------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads CAUSAL_OPTIONS as the profiled program does, by the runtime's own parser.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_ANALYSIS_RUNTIMEOPTIONS_H
#define CAUSAL_ANALYSIS_RUNTIMEOPTIONS_H

#include <string>
#include <vector>

namespace causal {

struct RuntimeOptions {
  std::string Mode;      ///< mode=, as it stands there.
  std::string FixedLine; ///< fixed_line=, or empty.
  /// What the runtime says of flags that are unknown or malformed, a line each.
  std::vector<std::string> Complaints;
};
RuntimeOptions readOptions(const std::string &Text);

/// What mode= takes.
std::vector<std::string> knownModes();

} // namespace causal

#endif // CAUSAL_ANALYSIS_RUNTIMEOPTIONS_H
