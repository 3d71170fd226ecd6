//===- CountRunner.h - Runs a counting build and reads it -------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program built with -fcausal-profile=count has counters and nothing that writes them. It
// runs under ptrace, at full speed, and is looked into once, when it ends: so counts are
// there however it ends, and its own exit code does nothing more than before.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PROBE_COUNTRUNNER_H
#define CAUSAL_PROBE_COUNTRUNNER_H

#include "lib/continuous/cpi/ExactCounts.h"

namespace causal::probe {

struct CountResult {
  cpi::ExactCounts Counts; ///< Of all images and all processes that were forked.
  unsigned Execs = 0;      ///< Processes whose counts an exec has lost.
  int Status = 0;          ///< As a shell has it.
};
llvm::Expected<CountResult> countBlocks(llvm::ArrayRef<std::string> Command);

} // namespace causal::probe

#endif // CAUSAL_PROBE_COUNTRUNNER_H
