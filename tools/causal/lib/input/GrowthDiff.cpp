//===- GrowthDiff.cpp -----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/input/GrowthDiff.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace llvm;

namespace causal {

namespace {

GrowthChange::Direction compare(const Growth &Before, const Growth &After) {
  if (Before.Is != Growth::Known || After.Is != Growth::Known)
    return GrowthChange::Unknown;
  if (Before.Set.back() < After.Set.front() && Before.Exponent.High < After.Exponent.Low)
    return GrowthChange::Slower;
  if (After.Set.back() < Before.Set.front() && After.Exponent.High < Before.Exponent.Low)
    return GrowthChange::Faster;
  return GrowthChange::Same;
}

/// At inputs that both have, each weighted by its calls before.
void compareCosts(const InputRoutine &Before, const InputRoutine &After, GrowthChange &C) {
  double CostBefore = 0, CostAfter = 0;
  auto B = After.Points.begin();
  for (const InputPoint &A : Before.Points) {
    while (B != After.Points.end() && B->Input < A.Input)
      ++B;
    if (B == After.Points.end() || B->Input != A.Input)
      continue;
    ++C.EqualInputs;
    CostBefore += A.Sum;
    CostAfter += B->mean() * double(A.Calls);
  }
  if (C.EqualInputs && CostBefore > 0) {
    C.Ratio = CostAfter / CostBefore;
    return;
  }
  C.EqualInputs = 0;
  const Growth &GB = C.GrowthBefore, &GA = C.GrowthAfter;
  if (GB.Is != Growth::Known || GA.Is != Growth::Known)
    return;
  double Low = std::max(GB.Smallest, GA.Smallest), High = std::min(GB.Largest, GA.Largest);
  if (Low > High)
    return;
  C.At = std::sqrt(Low * High);
  if (double Cost = GB.best().at(C.At); Cost > 0)
    C.Ratio = GA.best().at(C.At) / Cost;
}

} // namespace

GrowthDiff compareGrowth(const InputModel &Before, const InputModel &After) {
  GrowthDiff Diff;
  // Lines move; a name in a file does not.
  std::map<std::pair<StringRef, StringRef>, unsigned> Places;
  for (unsigned I = 0; I < After.Routines.size(); ++I)
    Places.try_emplace({After.Routines[I].Name, After.Routines[I].File}, I);
  std::vector<bool> Seen(After.Routines.size());
  for (unsigned I = 0; I < Before.Routines.size(); ++I) {
    const InputRoutine &R = Before.Routines[I];
    auto It = Places.find({R.Name, R.File});
    if (It == Places.end()) {
      Diff.Vanished.push_back(I);
      continue;
    }
    Seen[It->second] = true;
    const InputRoutine &Now = After.Routines[It->second];
    GrowthChange C;
    C.Before = I;
    C.After = It->second;
    C.GrowthBefore = fitGrowth(meanCosts(R));
    C.GrowthAfter = fitGrowth(meanCosts(Now));
    C.Grows = compare(C.GrowthBefore, C.GrowthAfter);
    compareCosts(R, Now, C);
    C.Weight = C.Ratio ? (*C.Ratio - 1) * R.Inclusive : 0;
    Diff.Changes.push_back(std::move(C));
  }
  for (unsigned I = 0; I < Seen.size(); ++I)
    if (!Seen[I])
      Diff.Added.push_back(I);
  // What changed in a callee is the callee's, and its callers stand behind it.
  std::vector<double> Changed(Before.Routines.size()), Inherited(Before.Routines.size());
  for (const GrowthChange &C : Diff.Changes)
    Changed[C.Before] = C.Weight;
  for (const InputCall &C : Before.Calls)
    if (double Whole = Before.Routines[C.Callee].Inclusive; Whole > 0 && C.Caller != C.Callee)
      Inherited[C.Caller] += Changed[C.Callee] * std::min(1.0, C.Cost / Whole);
  for (GrowthChange &C : Diff.Changes)
    C.Weight = std::fabs(C.Weight - Inherited[C.Before]);
  llvm::sort(Diff.Changes, [](auto &A, auto &B) {
    return A.Weight != B.Weight ? A.Weight > B.Weight : A.Before < B.Before;
  });
  return Diff;
}

} // namespace causal
