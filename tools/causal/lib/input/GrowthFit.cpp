//===- GrowthFit.cpp ------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/input/GrowthFit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <Eigen/Dense>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

using namespace llvm;
using Eigen::ArrayXd;

namespace causal {

namespace {

constexpr double SetConfidence = 0.95;
/// Bins of inputs: so many to a doubling.
constexpr double BinsPerDoubling = 8;
/// Real costs follow no class more closely; exact ones do not win by digits.
constexpr double ModelError = 0.005;
/// Beyond so many typical residuals a point counts less (Huber).
constexpr double HuberLimit = 2.5;
constexpr unsigned Rounds = 4, RoundsOfFirst = 10;
constexpr double LargestExponent = 4, ExponentStep = 0.02;

struct Data {
  ArrayXd Input, Cost;
  ArrayXd Trust;    ///< Weight by known variance; 1 on average.
  double Scale = 0; ///< Typical relative residual, for Huber's weights; 0: of each fit its own.
  Eigen::Index size() const { return Input.size(); }
};

struct Solution {
  double Base = 0, Slope = 0;
  ArrayXd Residuals; ///< Relative.
  double Loss = 0;   ///< Huber's, mean.
};

double median(std::vector<double> Values) {
  auto Middle = Values.begin() + Values.size() / 2;
  std::nth_element(Values.begin(), Middle, Values.end());
  return *Middle;
}

/// Weighted least squares with neither part below 0.
std::pair<double, double> solve(const ArrayXd &F, const ArrayXd &Cost, const ArrayXd &Weight) {
  Eigen::Matrix2d Normal;
  double WF = (Weight * F).sum();
  Normal << Weight.sum(), WF, WF, (Weight * F * F).sum();
  Eigen::Vector2d Right((Weight * Cost).sum(), (Weight * F * Cost).sum());
  // Scaled, for n^3 and 1 differ by many digits.
  Eigen::Vector2d Unit(1 / std::sqrt(Normal(0, 0)), 1 / std::sqrt(Normal(1, 1)));
  Eigen::Matrix2d Scaled = Unit.asDiagonal() * Normal * Unit.asDiagonal();
  Eigen::Vector2d C = Eigen::Vector2d::Zero();
  if (1 - Scaled(0, 1) * Scaled(0, 1) > 1e-12)
    C = Unit.asDiagonal() * Scaled.ldlt().solve(Unit.asDiagonal() * Right).eval();
  else
    C(0) = Right(0) / Normal(0, 0);
  if (C(1) < 0)
    return {Right(0) / Normal(0, 0), 0};
  if (C(0) < 0)
    return {0, Right(1) / Normal(1, 1)};
  return {C(0), C(1)};
}

/// The standard deviation, if few are far off.
double typical(const ArrayXd &Residuals) {
  ArrayXd Size = Residuals.abs();
  return 1.4826 * median({Size.begin(), Size.end()});
}

Solution fit(const Data &D, const ArrayXd &F) {
  Solution S;
  double Limit = HuberLimit * D.Scale;
  ArrayXd Weight = D.Trust / D.Cost.square();
  for (unsigned Round = 0; Round < (D.Scale ? Rounds : RoundsOfFirst); ++Round) {
    std::tie(S.Base, S.Slope) = solve(F, D.Cost, Weight);
    // No less than a thousandth of what is there: or a weight has no bound.
    ArrayXd Value = (S.Base + S.Slope * F).max(1e-3 * D.Cost);
    S.Residuals = (D.Cost - Value) / Value;
    Weight = D.Trust / Value.square();
    if (!D.Scale)
      Limit = std::max(typical(S.Residuals), ModelError);
    Weight *= (Limit / S.Residuals.abs().max(Limit)).eval();
  }
  ArrayXd Size = S.Residuals.abs();
  ArrayXd Loss = (Size > Limit).select(2 * Limit * Size - Limit * Limit, Size.square());
  S.Loss = (D.Trust * Loss).mean();
  return S;
}

ArrayXd valuesOf(const GrowthClass &Class, const ArrayXd &Input) {
  return Input.unaryExpr([&](double X) { return Class.at(X); });
}

/// One point for each bin: the mean of what is in it.
std::vector<GrowthPoint> binned(std::vector<GrowthPoint> Points) {
  erase_if(Points, [](const GrowthPoint &P) {
    return !(P.Input >= 1) || !(P.Cost > 0) || !std::isfinite(P.Cost);
  });
  llvm::sort(Points, [](const auto &A, const auto &B) { return A.Input < B.Input; });
  const double Ratio = std::exp2(1 / BinsPerDoubling);
  std::vector<GrowthPoint> Bins;
  for (size_t I = 0; I < Points.size();) {
    size_t End = I;
    GrowthPoint Sum{0, 0, 0};
    for (; End < Points.size() && (End == I || Points[End].Input < Points[I].Input * Ratio);
         ++End) {
      Sum.Input += Points[End].Input;
      Sum.Cost += Points[End].Cost;
      Sum.Variance += Points[End].Variance;
    }
    double N = double(End - I);
    Bins.push_back({Sum.Input / N, Sum.Cost / N, Sum.Variance / N / N});
    I = End;
  }
  return Bins;
}

Data makeData(const std::vector<GrowthPoint> &Bins) {
  Data D;
  auto N = Eigen::Index(Bins.size());
  D.Input.resize(N);
  D.Cost.resize(N);
  D.Trust.resize(N);
  for (Eigen::Index I = 0; I < N; ++I) {
    D.Input[I] = Bins[I].Input;
    D.Cost[I] = Bins[I].Cost;
    // What repetition does not show is the same for all: that much at least.
    D.Trust[I] = 1 / (4e-4 + Bins[I].Variance);
  }
  D.Trust /= D.Trust.mean();
  return D;
}

/// Of neighbours, in the order of inputs.
double correlation(const ArrayXd &Residuals) {
  ArrayXd R = Residuals - Residuals.mean();
  double All = R.square().sum();
  Eigen::Index N = R.size();
  return All > 0 ? (R.head(N - 1) * R.tail(N - 1)).sum() / All : 0;
}

/// As the loss of n^x depends on x, the interval that F allows for one parameter.
Estimate fitExponent(const Data &D, double Effective) {
  std::vector<std::pair<double, double>> Profile;
  for (double X = ExponentStep; X <= LargestExponent + 1e-9; X += ExponentStep)
    Profile.push_back({X, fit(D, D.Input.pow(X)).Loss + ModelError * ModelError});
  auto Best = *llvm::min_element(Profile, [](auto &A, auto &B) { return A.second < B.second; });
  double Freedom = std::max(1.0, Effective - 3);
  double T = quantile(boost::math::students_t(Freedom), 0.975);
  double Allowed = Best.second * (1 + T * T / Freedom);
  Estimate E{Best.first, 0};
  // From the best one on, so that a second valley is no part of it.
  size_t At = size_t(std::lround(Best.first / ExponentStep)) - 1;
  size_t Low = At, High = At;
  while (Low > 0 && Profile[Low - 1].second <= Allowed)
    --Low;
  while (High + 1 < Profile.size() && Profile[High + 1].second <= Allowed)
    ++High;
  // The grid is as fine as it is; at its ends anything beyond fits as well.
  E.Low = Low == 0 ? 0 : Profile[Low].first - ExponentStep / 2;
  E.High = Profile[High].first + ExponentStep / 2;
  // A cost that does not grow has no exponent but 0.
  Solution S = fit(D, D.Input.pow(Best.first));
  if (S.Slope * std::pow(D.Input.maxCoeff(), Best.first) < ModelError * S.Base)
    E.Value = E.Low = 0;
  E.StdErr = (E.High - E.Low) / 4;
  return E;
}

Estimate predictAtTwice(const Growth &G) {
  double X = 2 * G.Largest;
  Estimate E{G.best().at(X), 0};
  for (const ClassFit &Fit : G.Fits)
    if (is_contained(G.Set, Fit.Class)) {
      E.Low = std::min(E.Low, Fit.at(X));
      E.High = std::max(E.High, Fit.at(X));
    }
  E.Low *= std::max(0.0, 1 - 2 * G.Scatter);
  E.High *= 1 + 2 * G.Scatter;
  E.StdErr = (E.High - E.Low) / 4;
  return E;
}

} // namespace

double Growth::probabilityAbove(const GrowthClass &Bound) const {
  double Sum = 0;
  for (const ClassFit &Fit : Fits)
    if (Bound < Fit.Class)
      Sum += Fit.Probability;
  return Sum;
}

Growth fitGrowth(std::vector<GrowthPoint> Points) {
  Growth G;
  std::vector<GrowthPoint> Bins = binned(std::move(Points));
  G.Inputs = Bins.size();
  if (Bins.empty())
    return G;
  G.Smallest = Bins.front().Input;
  G.Largest = Bins.back().Input;
  if (G.Inputs < LeastInputs)
    return G;
  if (G.span() < LeastSpan) {
    G.Is = Growth::NarrowSpan;
    return G;
  }
  G.Is = Growth::Known;
  Data D = makeData(Bins);
  auto FitAll = [&] {
    std::vector<Solution> All;
    for (const GrowthClass &Class : growthClasses())
      All.push_back(fit(D, valuesOf(Class, D.Input)));
    return All;
  };
  // How far points lie from a good fit says what an outlier is, the same for all classes.
  double Scale = INFINITY;
  for (const Solution &S : FitAll())
    Scale = std::min(Scale, typical(S.Residuals));
  D.Scale = std::max(Scale, ModelError);
  std::vector<Solution> All = FitAll();
  const Solution &Least = *llvm::min_element(All, [](auto &A, auto &B) { return A.Loss < B.Loss; });
  double N = double(D.size()), Effective = N;
  // Residuals that follow one another are fewer witnesses than they are numbers.
  double Rho = correlation(Least.Residuals);
  G.Wavy = Rho > 2 / std::sqrt(N) && Least.Loss > ModelError * ModelError;
  if (G.Wavy)
    Effective = std::max(double(LeastInputs), N * (1 - Rho) / (1 + Rho));
  G.Scatter = std::sqrt(Least.Loss);

  std::vector<double> Scores;
  for (auto [Class, S] : zip(growthClasses(), All)) {
    // Two parameters, or one where there is but a level; the noise is estimated with them.
    double Parameters = Class.isConstant() ? 1 : 2;
    Scores.push_back((Effective - 2) * std::log(S.Loss + ModelError * ModelError) +
                     Parameters * std::log(Effective));
    // The same line for each class that does not rise: one of them speaks for all.
    double Low = S.Base + S.Slope * Class.at(G.Smallest);
    if (!Class.isConstant() && S.Base + S.Slope * Class.at(G.Largest) < (1 + ModelError) * Low)
      Scores.back() = INFINITY;
    G.Fits.push_back({Class, S.Base, S.Slope, 0});
  }
  double Lowest = *llvm::min_element(Scores), Sum = 0;
  for (auto [Fit, Score] : zip(G.Fits, Scores))
    Sum += Fit.Probability = std::exp((Lowest - Score) / 2);
  for (ClassFit &Fit : G.Fits)
    Fit.Probability /= Sum;
  llvm::sort(G.Fits, [](auto &A, auto &B) {
    return A.Probability != B.Probability ? A.Probability > B.Probability : A.Class < B.Class;
  });
  for (const ClassFit &Fit : G.Fits) {
    G.Set.push_back(Fit.Class);
    if ((G.Confidence += Fit.Probability) >= SetConfidence)
      break;
  }
  llvm::sort(G.Set);
  G.Exponent = fitExponent(D, Effective);
  G.AtTwice = predictAtTwice(G);
  return G;
}

std::string describeGrowth(const Growth &G) {
  switch (G.Is) {
  case Growth::FewInputs:
    return formatv("not known: {0} input{1}", G.Inputs, G.Inputs == 1 ? "" : "s").str();
  case Growth::NarrowSpan:
    return formatv("not known: inputs span {0:f1}x", G.span()).str();
  case Growth::Known:
    break;
  }
  std::string Low = toString(G.Set.front()), High = toString(G.Set.back());
  return Low == High ? Low : Low + " to " + High;
}

} // namespace causal
