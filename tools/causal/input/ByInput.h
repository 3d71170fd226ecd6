//===- ByInput.h - What to optimise, by the input of a routine --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An experiment does not know the input of the calls that it fell into. But a workload does:
// each file has causal runs of one workload, and runs of mode=input of the same, which say
// how large the routine's input was. For `causal report --by-input`.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TOOL_INPUT_BYINPUT_H
#define CAUSAL_TOOL_INPUT_BYINPUT_H

#include "Report.h"

namespace causal {

/// One file.
struct Workload {
  std::string Name;
  Profile Causal;
  std::vector<PointReport> Points;
  double Input = 0;  ///< Of the routine: mean, each call with the weight of its cost.
  int64_t Calls = 0; ///< Of the routine.
};

/// Fills in Input and Calls from the runs of mode=input in \p P; an error says what is missing,
/// and what to run.
llvm::Error measureInput(const Profile &P, llvm::StringRef Routine, Workload &W);

/// What making lines \p Speedup percent faster brings, at each input. \p Workloads: by rising
/// input.
llvm::Error writeByInput(llvm::ArrayRef<Workload> Workloads, llvm::StringRef Routine,
                         unsigned Speedup, unsigned Top, llvm::raw_ostream &OS);

} // namespace causal

#endif // CAUSAL_TOOL_INPUT_BYINPUT_H
