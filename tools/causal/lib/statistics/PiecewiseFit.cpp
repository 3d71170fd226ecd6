//===- PiecewiseFit.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/statistics/PiecewiseFit.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace llvm;

namespace causal {

namespace {

/// A curve that falls again, or that steepens, needs more than two standard
/// errors of evidence: saturation explains more programs.
constexpr double UnusualPrice = 4;

/// Between two measured speedups there may be a knee at each of these.
constexpr double KneeStep = 0.05;

/// A curve so many dispersions worse than the best has a weight of 5 %, or less: it
/// would change next to nothing.
constexpr double Hopeless = 6;

/// Scales of the round curves that are tried: those that fade, and those that rise. Where
/// the latter may be, a straight line is but the one of scale -1, no more likely than they.
constexpr double Scales[] = {0.1, 0.2, 0.35, 0.6, -0.08, -0.16, -0.3, -0.55};

/// A round curve of slope 1 at 0.
double roundAt(double Speedup, double Scale) {
  return Scale > 0 ? Scale * -std::expm1(-Speedup / Scale)
                   : Speedup / (1 - Speedup - Scale * Speedup);
}

/// The same by percent.
const std::array<double, 101> &round(double Scale) {
  static const auto Table = [] {
    std::array<std::array<double, 101>, std::size(Scales)> T;
    for (size_t I = 0; I < T.size(); ++I)
      for (size_t S = 0; S <= 100; ++S)
        T[I][S] = roundAt(double(S) / 100, Scales[I]);
    return T;
  }();
  size_t Which = 0;
  while (Scales[Which] != Scale)
    ++Which;
  return Table[Which];
}
double round(double Speedup, double Scale) { return round(Scale)[size_t(Speedup * 100 + 0.5)]; }

/// Sums over points, of which the normal equations are made.
struct Sums {
  double W = 0, WS = 0, WSS = 0, WY = 0, WSY = 0;

  void add(const FitPoint &P) {
    W += P.Weight;
    WS += P.Weight * P.Speedup;
    WSS += P.Weight * P.Speedup * P.Speedup;
    WY += P.Weighted;
    WSY += P.Weighted * P.Speedup;
  }
};

/// A fit and how much of the squared error it explains.
struct Candidate {
  CurveFit Fit;
  double Explained = 0;
};

Candidate straight(const Sums &All) {
  Candidate C;
  if (All.WSS > 0) {
    C.Fit.Slope = All.WSY / All.WSS;
    C.Explained = All.WSY * All.WSY / All.WSS;
  }
  return C;
}

/// Flat behind the knee: one parameter, on min(s, Knee).
Candidate saturated(const Sums &Before, const Sums &After, double Knee) {
  Candidate C;
  double XX = Before.WSS + Knee * Knee * After.W;
  double XY = Before.WSY + Knee * After.WY;
  if (XX > 0) {
    C.Fit = {XY / XX, -XY / XX, Knee};
    C.Explained = XY * XY / XX;
  }
  return C;
}

Candidate bent(const Sums &All, const Sums &After, double Knee) {
  // Basis s and (s - Knee)+.
  double XX = All.WSS, XH = After.WSS - Knee * After.WS;
  double HH = After.WSS - 2 * Knee * After.WS + Knee * Knee * After.W;
  double XY = All.WSY, HY = After.WSY - Knee * After.WY;
  double Determinant = XX * HH - XH * XH;
  Candidate C;
  if (!(Determinant > 1e-9 * XX * HH))
    return C;
  double Slope = (HH * XY - XH * HY) / Determinant;
  double Bend = (XX * HY - XH * XY) / Determinant;
  C.Fit = {Slope, Bend, Knee};
  C.Explained = Slope * XY + Bend * HY;
  return C;
}

Candidate gradual(ArrayRef<FitPoint> Points, double Scale) {
  double XX = 0, XY = 0;
  for (const FitPoint &P : Points) {
    double X = round(P.Speedup, Scale);
    XX += P.Weight * X * X;
    XY += P.Weighted * X;
  }
  Candidate C;
  if (XX > 0) {
    C.Fit.Slope = XY / XX;
    C.Fit.Scale = Scale;
    C.Explained = XY * XY / XX;
  }
  return C;
}

bool isUnusual(const CurveFit &F) {
  bool Falls = F.Slope > 0 && F.slopeAfter() < 0;
  return Falls || F.Bend > 0;
}

} // namespace

double CurveFit::at(double Speedup) const {
  if (isRound())
    return Slope * round(Speedup, Scale);
  return Slope * Speedup + (Knee > 0 && Speedup > Knee ? Bend * (Speedup - Knee) : 0);
}

/// Calls Consider(Candidate, Cost in squared error) for each.
template <typename Function>
static void forEachCurve(ArrayRef<FitPoint> Points, const FitRule &Rule, Function Consider) {
  // Added up from behind, not taken off the whole: what has no visits is to be 0.
  SmallVector<Sums, 24> From(Points.size() + 1);
  Sums All;
  for (size_t I = Points.size(); I-- > 0;) {
    All.add(Points[I]);
    From[I] = All;
  }
  double Price = Rule.Price * Rule.Dispersion;
  double Unusual = UnusualPrice * Rule.Dispersion;
  Consider(straight(All), 0);
  for (double Scale : Scales)
    if (Scale > 0 ? Rule.MayFade : Rule.MayRise)
      Consider(gradual(Points, Scale), Scale > 0 ? Price : 0);
  Sums Before;
  for (size_t I = 0; I + 1 < Points.size(); ++I) {
    Before.add(Points[I]);
    const Sums &After = From[I + 1];
    // A slope of its own needs more behind the knee than the last few points.
    bool MayBend = I + 1 + std::max(Points.size() / 5, size_t(2)) <= Points.size();
    // Those between two speedups are together as likely as one.
    double Gap = Points[I + 1].Speedup - Points[I].Speedup;
    unsigned Knees = std::max(1u, unsigned(std::lround(Gap / KneeStep)));
    double OneOf = 2 * Rule.Dispersion * std::log(Knees);
    for (unsigned K = 0; K < Knees; ++K) {
      double Knee = Points[I].Speedup + K * KneeStep;
      Consider(saturated(Before, After, Knee), Price + OneOf);
      if (!MayBend)
        continue;
      Candidate C = bent(All, After, Knee);
      Consider(C, 2 * Price + OneOf + (isUnusual(C.Fit) ? Unusual : 0));
    }
  }
}

double CurveMix::at(double Speedup) const {
  double Sum = 0;
  for (const Part &P : Parts)
    Sum += P.Weight * P.Fit.at(Speedup);
  return Sum;
}

void CurveMix::sample(unsigned Step, MutableArrayRef<float> Values) const {
  std::fill(Values.begin(), Values.end(), 0.0f);
  for (const Part &P : Parts) {
    auto Slope = float(P.Weight * P.Fit.Slope);
    auto Bend = float(P.Weight * P.Fit.Bend), Knee = float(P.Fit.Knee);
    if (P.Fit.isRound()) {
      const std::array<double, 101> &Curve = round(P.Fit.Scale);
      for (size_t I = 0; I < Values.size(); ++I)
        Values[I] += Slope * float(Curve[I * Step]);
      continue;
    }
    for (size_t I = 0; I < Values.size(); ++I) {
      float Speedup = float(unsigned(I) * Step) * 0.01f;
      Values[I] += Slope * Speedup + Bend * std::max(Speedup - Knee, 0.0f);
    }
  }
}

double CurveMix::spread(double Speedup) const {
  double Mean = at(Speedup), Sum = 0;
  for (const Part &P : Parts)
    Sum += P.Weight * std::pow(P.Fit.at(Speedup) - Mean, 2);
  return std::sqrt(Sum);
}

double CurveMix::parameters() const {
  double Sum = 0;
  for (const Part &P : Parts)
    Sum += P.Weight * P.Fit.parameters();
  return Sum;
}

CurveFit fitCurve(ArrayRef<FitPoint> Points, const FitRule &Rule) {
  Candidate Best;
  double BestScore = -HUGE_VAL;
  forEachCurve(Points, Rule, [&](const Candidate &C, double Cost) {
    if (C.Explained - Cost > BestScore) {
      BestScore = C.Explained - Cost;
      Best = C;
    }
  });
  return Best.Fit;
}

CurveMix mixCurves(ArrayRef<FitPoint> Points, const FitRule &Rule) {
  struct Scored {
    CurveFit Fit;
    double Score;
  };
  SmallVector<Scored, 64> All;
  double Best = -HUGE_VAL, Sum = 0;
  forEachCurve(Points, Rule, [&](const Candidate &C, double Cost) {
    All.push_back({C.Fit, C.Explained - Cost});
    Best = std::max(Best, All.back().Score);
  });
  CurveMix Mix;
  for (const Scored &S : All) {
    if (Best - S.Score > Hopeless * Rule.Dispersion)
      continue;
    double Weight = Best > S.Score ? std::exp((S.Score - Best) / (2 * Rule.Dispersion)) : 1;
    Mix.Parts.push_back({S.Fit, Weight});
    Sum += Weight;
  }
  for (CurveMix::Part &P : Mix.Parts)
    P.Weight /= Sum;
  return Mix;
}

SmallVector<double, 24> fitWeights(ArrayRef<FitPoint> Points, const CurveFit &Fit, double Speedup) {
  // One or two functions of the speedup, and the inverse of their Gram matrix.
  auto First = [&](double S) {
    return Fit.isRound() ? round(S, Fit.Scale) : Fit.isSaturated() ? std::min(S, Fit.Knee) : S;
  };
  auto Second = [&](double S) { return Fit.parameters() < 3 ? 0 : std::max(S - Fit.Knee, 0.0); };
  double A = 0, B = 0, D = 0;
  for (const FitPoint &P : Points) {
    double X = First(P.Speedup), Y = Second(P.Speedup);
    A += P.Weight * X * X;
    B += P.Weight * X * Y;
    D += P.Weight * Y * Y;
  }
  double Determinant = A * D - B * B;
  double X = First(Speedup), Y = Second(Speedup);
  SmallVector<double, 24> Weights;
  for (const FitPoint &P : Points) {
    double PX = First(P.Speedup), PY = Second(P.Speedup);
    double H = Determinant > 0 ? (X * (D * PX - B * PY) + Y * (A * PY - B * PX)) / Determinant
               : A > 0         ? X * PX / A
                               : 0;
    Weights.push_back(P.Weight * H);
  }
  return Weights;
}

SmallVector<double, 24> fitWeights(ArrayRef<FitPoint> Points, const CurveMix &Mix, double Speedup) {
  SmallVector<double, 24> Weights(Points.size());
  for (const CurveMix::Part &P : Mix.Parts) {
    SmallVector<double, 24> Own = fitWeights(Points, P.Fit, Speedup);
    for (size_t I = 0; I < Weights.size(); ++I)
      Weights[I] += P.Weight * Own[I];
  }
  return Weights;
}

} // namespace causal
