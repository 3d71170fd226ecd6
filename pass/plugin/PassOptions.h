//===- PassOptions.h - Options of the pass plugin ---------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hidden: users see only -fcausal-profile. They exist for tests and to find out
// which part changed a program. With clang write
// -Xclang -mllvm -Xclang -causal-sync=false. lld loads the plugin too late to
// know them: what matters to a link is written into the module (see
// ModuleSetup.h).
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PASSOPTIONS_H
#define CAUSAL_PASSOPTIONS_H

#include "memory/MemoryInstrumentation.h"

#include <string>
#include <vector>

namespace causal {

struct PassOptions {
  std::vector<std::string> Progress; ///< Functions that are progress points.
  bool ModuleSetup;
  bool Sync;
  bool LineTable;
  bool Input; ///< Input-sensitive profiling, and nothing else.
  MemoryOptions Memory;
  bool Count; ///< Counters in basic blocks (counters/BlockCounters.h).
};

/// The options as they stand on the command line.
PassOptions passOptions();

} // namespace causal

#endif // CAUSAL_PASSOPTIONS_H
