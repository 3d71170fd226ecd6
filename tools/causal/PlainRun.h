//===- PlainRun.h - Runs a program without experiments ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `causal run --mode=cpu` and `--mode=input`: the program runs as often as asked and is
// reported on. There is nothing to wait for until it is known, as with experiments.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_PLAINRUN_H
#define CAUSAL_TOOL_PLAINRUN_H

#include "lib/container/Profile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace causal {

struct RunPlan {
  RunMode Mode;
  std::vector<std::pair<std::string, std::string>> Flags; ///< Of CAUSAL_OPTIONS, mode= too.
  llvm::ArrayRef<std::string> Program;
  std::string Output; ///< Profile to add to.
  std::string Report; ///< Where the report goes; "-": standard output.
  unsigned Runs;      ///< How often.
  double Limit;       ///< Ns, after which no run begins.
  bool Terminate;     ///< A program that runs then is told to end.
};

/// The program's status is that of the error, if it failed.
llvm::Error runPlainly(const RunPlan &Plan);

} // namespace causal

#endif // CAUSAL_TOOL_PLAINRUN_H
