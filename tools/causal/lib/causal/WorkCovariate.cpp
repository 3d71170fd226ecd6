//===- WorkCovariate.cpp --------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/WorkCovariate.h"
#include "lib/statistics/Bootstrap.h"

#include <algorithm>
#include <cmath>
#include <optional>

using namespace llvm;

namespace causal {

namespace {

constexpr double MinVisits = 4;
constexpr unsigned MinPairs = 10;
/// Baselines before and after an experiment that it is compared with.
constexpr size_t Around = 4;
/// A line with more experiments than this has noise of its own.
constexpr unsigned ManyOfLine = 20;

/// What is known of a program's dependence on delays beforehand: its threads are in each
/// other's way, or they are not, and are about as likely to be. Standard deviations of the
/// logarithm of CPU time per visit, per share of delays. Near the largest likelihood for the
/// programs of benchmarks/accuracy and benchmarks/real-programs (docs/internals/statistics.md).
constexpr double LikelyDependent = 0.5, IfNot = 0.03, IfDependent = 0.4;
/// Against what the user says, or to ask how it depends.
constexpr double Surely = 0.99;

double square(double X) { return X * X; }

double logNormalDensity(double X, double Variance) {
  return -0.5 * (square(X) / Variance + std::log(Variance));
}

} // namespace

void WorkCovariate::Regression::add(double X, double Y) {
  this->X += X;
  XX += X * X;
  XY += X * Y;
  YY += Y * Y;
  XXX += X * X * X;
  XXXX += X * X * X * X;
  XXY += X * X * Y;
  MostX = std::max(MostX, X);
  ++Number;
}

double WorkCovariate::Regression::bend() const {
  constexpr unsigned Enough = 10;
  constexpr double BeyondChance = 2.5; // Standard errors.
  if (Number < Enough || !(XX > 0))
    return 0;
  // Of Z = X^2 - C X, which the line has no part in.
  double C = XXX / XX, ZZ = XXXX - C * XXX, ZY = XXY - C * XY;
  if (!(ZZ > 1e-12 * XXXX))
    return 0;
  double Of = ZY / ZZ, Left = std::max(residuals() - Of * ZY, 0.0);
  double Error = std::sqrt(Left / (Number - 2.0) / ZZ);
  double MostZ = std::max(C * C / 4, std::fabs(MostX * (MostX - C)));
  return std::fabs(Of) > BeyondChance * Error ? std::fabs(Of) * MostZ : 0;
}

/// Where nothing depends on delays a curve is chance.
bool WorkCovariate::leavesLine() const {
  constexpr double OfPeriod = 0.01;
  return Dependent >= Surely && std::any_of(OnDelays.begin(), OnDelays.end(), [&](auto &Line) {
           return Slope * Line.second.bend() > OfPeriod;
         });
}

/// Of an experiment: logarithms, per visit.
struct WorkPerVisit {
  const Experiment *Of;
  double Work, Period;
  bool NewRun; ///< Nothing before it is compared with it.
};

WorkCovariate::WorkCovariate(const Profile &P, unsigned Point, const Discards &Discarded,
                             WorkPrior Prior) {
  PointKind Kind = P.points()[Point].Kind;
  // A request takes longer by what it waits for, not by work.
  if (Prior == WorkPrior::NotUsed || Kind == PointKind::Latency)
    return;
  std::vector<WorkPerVisit> InOrder;
  size_t Dilated = 0;
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
      Dilated += E.Dilated;
      InOrder.push_back({&E, std::log(Work / O.Visits), std::log(O.Amount / O.Visits), NewRun});
      NewRun = false;
    }
  }
  // Threads that share cores and no work get on at rates of their own (law 12), and whose a
  // visit is says what it takes.
  if (4 * Dilated > InOrder.size())
    return;
  MayDepend = !isSingleThreaded(P);
  regress(InOrder);
  if (Prior == WorkPrior::Independent && Dependent < Surely)
    Dependent = 0;
}

void WorkCovariate::regress(const std::vector<WorkPerVisit> &InOrder) {
  std::vector<std::vector<const WorkPerVisit *>> ByRun; // Baselines.
  Regression Differences; // Of baselines that follow each other: no drift is in them.
  for (const WorkPerVisit &W : InOrder) {
    if (ByRun.empty() || W.NewRun)
      ByRun.emplace_back();
    if (W.Of->Speedup)
      continue;
    if (!ByRun.back().empty()) {
      const WorkPerVisit &Last = *ByRun.back().back();
      Differences.add(W.Work - Last.Work, W.Period - Last.Period);
    }
    ByRun.back().push_back(&W);
    ++Baselines;
  }
  if (Differences.Number < MinPairs || !(Differences.YY > 0))
    return;
  Slope = std::clamp(Differences.slope(), 0.0, 1.0);
  double Left = Differences.YY - 2 * Slope * Differences.XY + Slope * Slope * Differences.XX;
  Explained = std::clamp(1 - Left / Differences.YY, 0.0, 1.0);
  Pairs = Differences.Number;

  if (!MayDepend)
    return;
  // All others against the baselines around them.
  size_t Run = 0, Before = 0;
  for (const WorkPerVisit &W : InOrder) {
    if (W.NewRun && &W != &InOrder.front()) {
      ++Run;
      Before = 0;
    }
    ArrayRef<const WorkPerVisit *> Here = ByRun[Run];
    if (!W.Of->Speedup) {
      ++Before;
      continue;
    }
    size_t Begin = Before > Around ? Before - Around : 0;
    size_t End = std::min(Before + Around, Here.size());
    double Sum = 0;
    for (const WorkPerVisit *B : Here.slice(Begin, End - Begin))
      Sum += B->Work;
    if (End > Begin)
      OnDelays[W.Of->Line].add(double(W.Of->Delay) / double(W.Of->Wall),
                               W.Work - Sum / double(End - Begin));
  }
  judge();
}

/// Of the slope, with the error of the baselines, which all share.
double WorkCovariate::variance(const Regression &R) const {
  double OfEach = R.Number > ManyOfLine ? R.residuals() / (R.Number - 1.0) : Noise;
  return OfEach / R.XX * (1 + square(R.X) / (R.XX * Baselines));
}

/// Whether it is a program whose threads are in each other's way, by all of its lines.
void WorkCovariate::judge() {
  double Residuals = 0, Freedom = 0;
  for (const auto &[Line, R] : OnDelays) {
    Residuals += R.residuals();
    Freedom += R.Number - 1;
  }
  if (!(Freedom > 0))
    return;
  Noise = Residuals / Freedom;
  double LogOdds = std::log(LikelyDependent / (1 - LikelyDependent));
  for (const auto &[Line, R] : OnDelays)
    if (R.XX > 0)
      LogOdds += logNormalDensity(R.slope(), variance(R) + square(IfDependent)) -
                 logNormalDensity(R.slope(), variance(R) + square(IfNot));
  Dependent = 1 / (1 + std::exp(-LogOdds));
}

/// What is then known of a line is a mixture of two normal distributions: its mean, and the
/// standard deviation of a normal one whose 95 % interval is as wide.
WorkCovariate::Dependence WorkCovariate::onDelays(unsigned Line) const {
  auto R = OnDelays.find(Line);
  if (R == OnDelays.end())
    return {0, 0};
  constexpr double Exactly = 1e-12; // Where nothing scatters.
  double Precision = R->second.XX > 0 ? 1 / std::max(variance(R->second), Exactly) : 0;
  struct Part {
    double Weight, Mean, Deviation;
  };
  auto Posterior = [&](double Weight, double Spread) {
    double Variance = 1 / (1 / square(Spread) + Precision);
    return Part{Weight, Variance * Precision * R->second.slope(), std::sqrt(Variance)};
  };
  Part Parts[] = {Posterior(1 - Dependent, IfNot), Posterior(Dependent, IfDependent)};
  double Mean = Parts[0].Weight * Parts[0].Mean + Parts[1].Weight * Parts[1].Mean;
  auto Within = [&](double Distance) {
    double Sum = 0;
    for (auto [Weight, At, Deviation] : Parts)
      Sum += Weight * (normalCDF((Mean + Distance - At) / Deviation) -
                       normalCDF((Mean - Distance - At) / Deviation));
    return Sum;
  };
  double Low = 0, High = 4 * IfDependent + std::fabs(Parts[1].Mean);
  for (int Step = 0; Step < 40; ++Step) {
    double Middle = (Low + High) / 2;
    (Within(Middle) < 0.95 ? Low : High) = Middle;
  }
  return {Mean, High / Z95};
}

void WorkCovariate::adjust(MutableArrayRef<TimedObservation> All) const {
  double Before = 0, After = 0;
  std::map<unsigned, double> Dependences;
  for (const auto &[Line, R] : OnDelays)
    Dependences[Line] = onDelays(Line).Value;
  std::optional<double> Last; // Where it is not known it is taken for what it was before.
  for (TimedObservation &T : All) {
    double Work = T.Work > 0 && T.O.Visits > 0 ? std::log(T.Work / T.O.Visits) : NAN;
    if (!std::isfinite(Work))
      Work = Last.value_or(0);
    double Delays = double(T.Of->Delay) / double(T.Of->Wall);
    double Factor = std::exp(Slope * (Work - Dependences[T.Of->Line] * Delays));
    if (T.Of->Speedup == 0) {
      Last = Work;
      Before += T.O.Visits;
      After += T.O.Visits * Factor;
    }
    T.O.Visits *= Factor;
  }
  for (TimedObservation &T : All)
    T.O.Visits *= After > 0 ? Before / After : 1;
}

} // namespace causal
