//===- Unmeasured.cpp -----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Unmeasured.h"
#include "lib/causal/SpeedupModel.h"
#include "lib/container/RuntimeOptions.h"
#include "lib/container/SourceText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace causal {

Unmeasured unmeasuredTargets(const Profile &P) {
  BitVector Measured(unsigned(P.lines().size()));
  for (const Experiment &E : P.experiments())
    Measured.set(E.Line);
  Unmeasured U;
  std::vector<double> Shares = sampleShares(P);
  for (unsigned Line = 0; Line < Shares.size(); ++Line) {
    if (Measured[Line] || Shares[Line] <= 0)
      continue;
    ++U.Number;
    U.Share += Shares[Line];
    if (Shares[Line] > U.HottestShare) {
      U.HottestShare = Shares[Line];
      U.Hottest = Line;
    }
  }
  return U;
}

std::string describeUnmeasured(const Profile &P) {
  // Who asks for one line misses no other.
  bool Fixed =
      all_of(P.runs(), [](const Run &R) { return !readOptions(R.Options).FixedLine.empty(); });
  Unmeasured U = unmeasuredTargets(P);
  if (!U.Number || Fixed)
    return "";
  const SourceLine &L = P.lines()[U.Hottest];
  return formatv("not measured: {0} {1}{2} with {3:f1} % of the samples, the hottest {4} ({5:f1} "
                 "%)",
                 U.Number, targetWord(P), U.Number == 1 ? "" : "s", 100 * U.Share,
                 placeOf(L, sys::path::filename(L.File)), 100 * U.HottestShare);
}

} // namespace causal
