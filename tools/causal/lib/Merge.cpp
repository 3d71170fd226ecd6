//===- Merge.cpp ----------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Merge.h"

#include <algorithm>

namespace causal {

void writeProfile(const Profile &P, llvm::raw_ostream &OS) {
  for (const Run &R : P.runs()) {
    if (R.HasHeader)
      OS << R.Raw << '\n';
    for (auto [Index, Id] : R.Experiments)
      OS << P.experiments()[Id].Raw << '\n';
    if (!R.Last)
      continue;
    // Numbers of lines depend on what else was read; the text does not.
    std::vector<llvm::StringRef> Lines;
    for (const auto &[Line, Counts] : R.Last->Lines)
      Lines.push_back(Counts.Raw);
    std::sort(Lines.begin(), Lines.end());
    for (llvm::StringRef Line : Lines)
      OS << Line << '\n';
    OS << R.Last->Raw << '\n';
  }
}

} // namespace causal
