//===- RunTarget.cpp ------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/RunTarget.h"
#include "lib/container/SourceText.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace causal {

/// A bootstrap this small is enough to tell how wide an interval is.
static constexpr unsigned Replicates = 200;

std::optional<unsigned> mainPoint(const Profile &P) {
  std::optional<unsigned> Main;
  double Most = 0;
  for (PointKind Kind : {PointKind::Run, PointKind::Throughput, PointKind::Latency}) {
    for (unsigned I = 0; I < P.points().size(); ++I)
      if (P.points()[I].Kind == Kind)
        if (double Visits = summarize(P, I).Visits; Visits > Most) {
          Most = Visits;
          Main = I;
        }
    if (Main)
      break;
  }
  return Main;
}

Precision precisionOf(const Profile &P, ModelOptions Model) {
  Precision Now;
  std::set<unsigned> Lines;
  for (const Experiment &E : P.experiments())
    Lines.insert(E.Line);
  Now.Experiments = unsigned(P.experiments().size());
  Now.Lines = unsigned(Lines.size());
  Now.Word = targetWord(P);
  std::optional<unsigned> Point = mainPoint(P);
  if (!Point)
    return Now;
  Model.Replicates = Replicates;
  unsigned Top = 0;
  auto Note = [&](const LineCurve &C) {
    Estimate E = *C.scatterAt(Precision::AtSpeedup);
    Now.HalfWidth = std::max(Now.HalfWidth.value_or(0), (E.High - E.Low) / 2);
  };
  std::vector<LineCurve> Curves = rankLines(P, *Point, Model);
  for (const LineCurve &C : Curves)
    if (std::optional<Estimate> E = C.gainAt(Precision::AtSpeedup);
        E && C.Says == Verdict::SpeedsUp && Top++ < Precision::TopLines) {
      if (!Now.Leader) {
        Now.Leader = C.Line;
        Now.LeaderGain = *E;
      }
      Note(C);
    }
  if (!Now.Leader)
    return Now;
  for (const LineCurve &C : Curves)
    if (std::optional<Estimate> E = C.gainAt(Precision::AtSpeedup);
        E && C.Says == Verdict::Unclear && E->High > Now.LeaderGain.Value)
      Note(C);
  return Now;
}

std::optional<double> timeLeft(const Precision &Now, double Target, double Elapsed) {
  if (!Now.HalfWidth)
    return std::nullopt;
  double Ratio = *Now.HalfWidth / Target;
  return std::max(0.0, (Ratio * Ratio - 1) * Elapsed);
}

std::optional<double> timeUntilClear(llvm::ArrayRef<LineCurve> Curves, double Target,
                                     double Elapsed) {
  constexpr unsigned Enough = 3;
  Precision Now;
  unsigned Top = 0;
  for (const LineCurve &C : Curves)
    if (std::optional<Estimate> E = C.scatterAt(Precision::AtSpeedup);
        E && C.Says == Verdict::Unclear && !C.WithinMethodError && C.Experiments >= Enough &&
        Top++ < Precision::TopLines)
      Now.HalfWidth = std::max(Now.HalfWidth.value_or(0), (E->High - E->Low) / 2);
  return timeLeft(Now, Target, Elapsed);
}

} // namespace causal
