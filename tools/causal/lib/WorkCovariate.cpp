//===- WorkCovariate.cpp --------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkCovariate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

using namespace llvm;

namespace causal {

namespace {

constexpr double MinVisits = 4;
constexpr unsigned MinPairs = 10, MinOfLine = 8;
/// Standard errors, of a single line; of many, as many more as the largest of them comes to
/// by chance.
constexpr double Surely = 3.5;

/// Regression through the origin.
struct ThroughOrigin {
  double XX = 0, XY = 0, YY = 0;
  unsigned Number = 0;

  void add(double X, double Y) {
    XX += X * X;
    XY += X * Y;
    YY += Y * Y;
    ++Number;
  }
  double slope() const { return XX > 0 ? XY / XX : 0; }
  /// Slope over its standard error.
  double deviate() const {
    double Residuals = YY - slope() * XY;
    double Variance = Residuals / ((Number - 1.0) * XX);
    return Variance > 0 ? slope() / std::sqrt(Variance) : 0;
  }
};

} // namespace

/// Of an experiment: logarithms, per visit.
struct WorkPerVisit {
  const Experiment *Of;
  double Work, Period;
  bool NewRun; ///< Nothing before it is compared with it.
};

WorkCovariate::WorkCovariate(const Profile &P, unsigned Point, const Discards &Discarded) {
  PointKind Kind = P.points()[Point].Kind;
  if (Kind == PointKind::Latency) // Takes longer by what it waits for, not by work.
    return;
  std::vector<WorkPerVisit> InOrder;
  for (const Run &R : P.runs()) {
    bool NewRun = R.Experiments.size() > 1; // Else one follows the other.
    for (auto [Index, Id] : R.Experiments) {
      const Experiment &E = P.experiments()[Id];
      const Measurement *M = E.at(Point);
      if (!M || E.Work <= 0 || Discarded.contain(E) ||
          (Kind != PointKind::Run && double(M->Visits) < MinVisits))
        continue;
      Observation O = observe(E, *M, Kind);
      double Work = workOf(E, *M, O, /*Late=*/false);
      if (!(O.Visits > 0) || !(O.Amount > 0) || !(Work > 0))
        continue;
      InOrder.push_back(
          {&E, std::log(Work / O.Visits), std::log(O.Amount / O.Visits), NewRun});
      NewRun = false;
    }
  }
  regress(InOrder);
}

void WorkCovariate::regress(const std::vector<WorkPerVisit> &InOrder) {
  // Differences of baselines that follow each other: no drift is in them.
  ThroughOrigin Baselines;
  // How CPU time per visit depends on the share of delays, line by line.
  std::map<unsigned, ThroughOrigin> OnDelays;
  auto Compare = [&](auto Begin, auto End, bool Forward) {
    const WorkPerVisit *Baseline = nullptr;
    for (auto I = Begin; I != End; ++I) {
      // Backwards it is the end of a run after which nothing is compared.
      if (Forward && I->NewRun)
        Baseline = nullptr;
      const Experiment &E = *I->Of;
      if (E.Speedup && Baseline)
        OnDelays[E.Line].add(double(E.Delay) / double(E.Wall), I->Work - Baseline->Work);
      if (!E.Speedup) {
        if (Forward && Baseline)
          Baselines.add(I->Work - Baseline->Work, I->Period - Baseline->Period);
        Baseline = &*I;
      }
      if (!Forward && I->NewRun)
        Baseline = nullptr;
    }
  };
  Compare(InOrder.begin(), InOrder.end(), true);
  if (Baselines.Number < MinPairs || !(Baselines.YY > 0))
    return;
  Slope = std::clamp(Baselines.slope(), 0.0, 1.0);
  double Left = Baselines.YY - 2 * Slope * Baselines.XY + Slope * Slope * Baselines.XX;
  Explained = std::clamp(1 - Left / Baselines.YY, 0.0, 1.0);
  Compare(InOrder.rbegin(), InOrder.rend(), false);
  double Largest = 0, Lines = 0;
  for (const auto &[Line, D] : OnDelays) {
    if (D.Number < 2 * MinOfLine) // Each experiment is in it about twice.
      continue;
    Largest = std::max(Largest, std::fabs(D.deviate()) / std::sqrt(2.0));
    ++Lines;
  }
  Depends = Lines > 0 && Largest * Largest > Surely * Surely + 2 * std::log(Lines);
}

void WorkCovariate::adjust(MutableArrayRef<TimedObservation> All) const {
  double Before = 0, After = 0;
  std::optional<double> Last; // Where it is not known it is taken for what it was before.
  for (TimedObservation &T : All) {
    double Work = T.Work > 0 && T.O.Visits > 0 ? std::log(T.Work / T.O.Visits) : NAN;
    if (!std::isfinite(Work))
      Work = Last.value_or(0);
    double Factor = std::exp(-Slope * Work);
    if (T.Of->Speedup == 0) {
      Last = Work;
      Before += T.O.Amount;
      After += T.O.Amount * Factor;
    }
    T.O.Amount *= Factor;
  }
  for (TimedObservation &T : All)
    T.O.Amount *= After > 0 ? Before / After : 1;
}

} // namespace causal
