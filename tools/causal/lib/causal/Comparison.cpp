//===- Comparison.cpp -----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Comparison.h"
#include "lib/causal/Discards.h"
#include "lib/statistics/Bootstrap.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace llvm;

namespace causal {

namespace {

constexpr unsigned MinRuns = 3, Pieces = 20;

struct Part {
  double Amount = 0, Visits = 0;
};

void add(Part &To, const Experiment &E, const Measurement &M, PointKind Kind) {
  Observation O = observe(E, M, Kind);
  To.Amount += O.Amount;
  To.Visits += O.Visits;
}

} // namespace

Baseline baselineOf(const Profile &P, unsigned Point) {
  Baseline B;
  PointKind Kind = P.points()[Point].Kind;
  // In order of time, so that pieces are neighbours.
  std::vector<std::tuple<unsigned, int64_t, const Experiment *, const Measurement *>> Order;
  std::map<unsigned, Part> Runs;
  Discards Discarded(P);
  for (const Experiment &E : P.experiments())
    if (const Measurement *M = E.at(Point); M && E.Speedup == 0 && !Discarded.contain(E)) {
      Order.emplace_back(E.Run, E.Index, &E, M);
      add(Runs[E.Run], E, *M, Kind);
    }
  llvm::sort(Order);
  B.Runs = unsigned(Runs.size());
  B.Experiments = unsigned(Order.size());
  std::vector<Part> Parts;
  if (Runs.size() >= MinRuns) {
    for (auto [Run, Each] : Runs)
      Parts.push_back(Each);
  } else {
    Parts.resize(std::min<size_t>(Pieces, Order.size()));
    for (size_t I = 0; I < Order.size(); ++I)
      add(Parts[I * Parts.size() / Order.size()], *std::get<2>(Order[I]), *std::get<3>(Order[I]),
          Kind);
  }
  Part Sum;
  for (const Part &Each : Parts) {
    Sum.Amount += Each.Amount;
    Sum.Visits += Each.Visits;
  }
  if (Parts.size() < 2 || Sum.Visits <= 0 || Sum.Amount <= 0)
    return B;
  B.Period = Sum.Amount / Sum.Visits;
  double Squares = 0;
  for (const Part &Each : Parts)
    Squares += std::pow(Each.Amount - B.Period * Each.Visits, 2);
  B.Freedom = double(Parts.size() - 1);
  B.Variance = Squares * double(Parts.size()) / B.Freedom / Sum.Visits / Sum.Visits;
  // What whole visits leave uncertain, as in Statistics.
  B.Variance = std::max(B.Variance,
                        double(Order.size()) * B.Period * B.Period / 6 / Sum.Visits / Sum.Visits);
  B.Period *= partsOfVisit(Kind);
  B.Variance *= partsOfVisit(Kind) * partsOfVisit(Kind);
  return B;
}

std::optional<Estimate> gainBetween(const Baseline &Before, const Baseline &After) {
  if (!Before.Freedom || !After.Freedom)
    return std::nullopt;
  double Ratio = After.Period / Before.Period;
  double A = After.Variance / After.Period / After.Period;
  double B = Before.Variance / Before.Period / Before.Period;
  // Welch and Satterthwaite's degrees of freedom.
  double Sum = A + B;
  double Denominator = A * A / After.Freedom + B * B / Before.Freedom;
  double Freedom =
      Denominator > 0 ? Sum * Sum / Denominator : std::min(Before.Freedom, After.Freedom);
  Estimate E{1 - Ratio, Ratio * std::sqrt(Sum)};
  double Half = studentQuantile(Freedom) * E.StdErr;
  E.Low = E.Value - Half;
  E.High = E.Value + Half;
  return E;
}

Agreement agreementOf(const Estimate &Predicted, const Estimate &Real) {
  constexpr double Narrow = 0.05;
  auto HalfWidth = [](const Estimate &E) { return (E.High - E.Low) / 2; };
  if (std::fabs(Predicted.Value - Real.Value) > std::hypot(HalfWidth(Predicted), HalfWidth(Real)))
    return Agreement::Differ;
  // An interval of nearly everything agrees with anything.
  double Enough = std::max(Narrow, std::fabs(Predicted.Value) / 2);
  return HalfWidth(Predicted) <= Enough && HalfWidth(Real) <= Enough ? Agreement::Agree
                                                                     : Agreement::CannotTell;
}

std::vector<PointChange> comparePoints(const Profile &Before, const Profile &After) {
  std::vector<PointChange> Changes;
  auto Alone = [](const Profile &P, PointKind Kind) {
    return llvm::count_if(P.points(),
                          [&](const ProgressPoint &Each) { return Each.Kind == Kind; }) == 1;
  };
  for (unsigned B = 0; B < Before.points().size(); ++B)
    for (unsigned A = 0; A < After.points().size(); ++A) {
      const ProgressPoint &PB = Before.points()[B], &PA = After.points()[A];
      if (PB.Kind != PA.Kind ||
          (PB.Name != PA.Name && !(Alone(Before, PB.Kind) && Alone(After, PA.Kind))))
        continue;
      PointChange C{B, A, baselineOf(Before, B), baselineOf(After, A), {}};
      C.Gain = gainBetween(C.Before, C.After);
      Changes.push_back(C);
    }
  std::vector<double> Visits;
  for (unsigned B = 0; B < Before.points().size(); ++B)
    Visits.push_back(summarize(Before, B).Visits);
  llvm::sort(Changes, [&](const PointChange &X, const PointChange &Y) {
    unsigned KX = rankOf(Before.points()[X.BeforePoint].Kind);
    unsigned KY = rankOf(Before.points()[Y.BeforePoint].Kind);
    return std::tie(KX, Visits[Y.BeforePoint], X.BeforePoint) <
           std::tie(KY, Visits[X.BeforePoint], Y.BeforePoint);
  });
  return Changes;
}

std::vector<unsigned> vanishedPoints(const Profile &Before, const Profile &After) {
  std::vector<unsigned> Vanished;
  std::vector<PointChange> Changes = comparePoints(Before, After);
  for (unsigned I = 0; I < Before.points().size(); ++I)
    if (none_of(Changes, [&](const PointChange &C) { return C.BeforePoint == I; }) &&
        summarize(Before, I).Visits > 0)
      Vanished.push_back(I);
  return Vanished;
}

std::optional<Estimate> sumOfPredictions(ArrayRef<LineChange> Changes) {
  std::optional<Estimate> Sum;
  double Below = 0, Above = 0;
  for (const LineChange &C : Changes) {
    if (!C.Predicted)
      continue;
    if (!Sum)
      Sum = Estimate{0, 0};
    Sum->Value += C.Predicted->Value;
    Sum->StdErr = std::hypot(Sum->StdErr, C.Predicted->StdErr);
    Below = std::hypot(Below, C.Predicted->Value - C.Predicted->Low);
    Above = std::hypot(Above, C.Predicted->High - C.Predicted->Value);
  }
  if (Sum) {
    Sum->Low = Sum->Value - Below;
    Sum->High = Sum->Value + Above;
  }
  return Sum;
}

} // namespace causal
