//===- GrowthClass.h - How cost grows with input ----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A class n^a log^b n, its name and its order. Contracts are written in these names,
// reports show them. Knows nothing of profiles.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_GROWTHCLASS_H
#define CAUSAL_INPUT_GROWTHCLASS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <tuple>

namespace causal {

/// n^Power log^Logs n.
struct GrowthClass {
  double Power = 0;
  unsigned Logs = 0;

  /// Its value; log2(n + 1), so that no input has a log of 0.
  double at(double Input) const;
  bool isConstant() const { return Power == 0 && Logs == 0; }

  friend bool operator<(const GrowthClass &A, const GrowthClass &B) {
    return std::tie(A.Power, A.Logs) < std::tie(B.Power, B.Logs);
  }
  friend bool operator==(const GrowthClass &A, const GrowthClass &B) {
    return A.Power == B.Power && A.Logs == B.Logs;
  }
};

inline constexpr GrowthClass Linear{1, 0};

/// Those that a fit chooses among, slowest growth first.
llvm::ArrayRef<GrowthClass> growthClasses();

/// "constant", "log n", "sqrt n", "n log^2 n", "n^1.5".
std::string toString(const GrowthClass &Class);

/// The class that \p Text names, as toString() writes it and in the ways in which people do:
/// "O(1)", "n*log(n)", "N^2". The error names the text and gives examples.
llvm::Expected<GrowthClass> parseGrowthClass(llvm::StringRef Text);

} // namespace causal

#endif // CAUSAL_INPUT_GROWTHCLASS_H
