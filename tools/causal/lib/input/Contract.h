//===- Contract.h - What growth a routine may have --------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contract says "parse<=n log n". It holds if every class that is left for the routine's
// mean cost is within it, is broken if none is and the exponent's interval agrees, and else
// cannot be told. For `causal check`.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_CONTRACT_H
#define CAUSAL_INPUT_CONTRACT_H

#include "lib/input/InputModel.h"

namespace causal {

struct Contract {
  std::string Routine; ///< As findRoutines() takes it.
  GrowthClass Bound;
  std::string Place; ///< Where it stands: "contracts.txt:3"; empty for the command line.
};

/// "ROUTINE<=CLASS".
llvm::Expected<Contract> parseContract(llvm::StringRef Text, std::string Place = "");
/// One in each line; '#' begins a comment.
llvm::Expected<std::vector<Contract>> readContracts(llvm::StringRef File);
/// Those that annotations in the source make.
llvm::Expected<std::vector<Contract>> annotatedContracts(const InputModel &M);

struct Judgement {
  enum Verdict { Holds, Broken, Unknown };
  Verdict Is;
  std::string Why; ///< A sentence without its end.
};

/// Of each routine that \p C names one; of a name that no routine has, one that is Unknown.
std::vector<Judgement> judge(const InputModel &M, const Contract &C);
/// Of a routine whose growth is \p G.
Judgement::Verdict judge(const Growth &G, const GrowthClass &Bound);

} // namespace causal

#endif // CAUSAL_INPUT_CONTRACT_H
