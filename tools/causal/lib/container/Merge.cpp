//===- Merge.cpp ----------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/Merge.h"

#include "llvm/ADT/STLExtras.h"

#include <tuple>

#include <algorithm>

using namespace llvm;

namespace causal {

void Merger::take(const Experiment &E) {
  if (E.Run >= ByRun.size())
    ByRun.resize(E.Run + 1);
  ByRun[E.Run].push_back({E.Index, E.Delay >= E.Wall, ByRun[E.Run].size(), E.Raw});
}

void Merger::write(const Profile &P, raw_ostream &OS) {
  ByRun.resize(std::max(ByRun.size(), P.runs().size()));
  for (size_t I = 0; I < P.runs().size(); ++I) {
    const Run &R = P.runs()[I];
    if (R.HasHeader)
      OS << R.Raw << '\n';
    // Of equal ones the first read counts.
    llvm::sort(ByRun[I], [](const Place &A, const Place &B) {
      return std::tie(A.Index, A.IsVoid, A.Order) < std::tie(B.Index, B.IsVoid, B.Order);
    });
    for (size_t J = 0; J < ByRun[I].size(); ++J)
      if (J == 0 || ByRun[I][J].Index != ByRun[I][J - 1].Index)
        OS << ByRun[I][J].Text << '\n';
    for (StringRef Record : R.ModeRecords)
      OS << Record << '\n';
    if (!R.Last)
      continue;
    // Numbers of lines depend on what else was read; the text does not.
    std::vector<StringRef> Lines;
    for (const auto &[Line, Counts] : R.Last->Lines)
      Lines.push_back(Counts.Raw);
    llvm::sort(Lines);
    for (StringRef Line : Lines)
      OS << Line << '\n';
    OS << R.Last->Raw << '\n';
  }
}

} // namespace causal
