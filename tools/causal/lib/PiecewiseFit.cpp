//===- PiecewiseFit.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PiecewiseFit.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace llvm;

namespace causal {

namespace {

/// A curve that falls again, or that steepens, needs more than two standard
/// errors of evidence: saturation explains more programs.
constexpr double UnusualPrice = 4;

/// Scales of the round curves that are tried.
constexpr double Scales[] = {0.1, 0.2, 0.35, 0.6};

double round(double Speedup, double Scale) {
  return Scale * -std::expm1(-Speedup / Scale);
}

/// The same from a table, for the speedups that experiments have.
double tabulated(double Speedup, size_t Which) {
  static const auto Table = [] {
    std::array<std::array<double, 101>, std::size(Scales)> T;
    for (size_t I = 0; I < T.size(); ++I)
      for (size_t S = 0; S <= 100; ++S)
        T[I][S] = round(double(S) / 100, Scales[I]);
    return T;
  }();
  return Table[Which][size_t(std::lround(Speedup * 100))];
}

/// Sums over points, of which the normal equations are made.
struct Sums {
  double W = 0, WS = 0, WSS = 0, WY = 0, WSY = 0;

  void add(const FitPoint &P, double Sign = 1) {
    W += Sign * P.Weight;
    WS += Sign * P.Weight * P.Speedup;
    WSS += Sign * P.Weight * P.Speedup * P.Speedup;
    WY += Sign * P.Weighted;
    WSY += Sign * P.Weighted * P.Speedup;
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

Candidate gradual(ArrayRef<FitPoint> Points, size_t Which) {
  double XX = 0, XY = 0;
  for (const FitPoint &P : Points) {
    double X = tabulated(P.Speedup, Which);
    XX += P.Weight * X * X;
    XY += P.Weighted * X;
  }
  Candidate C;
  if (XX > 0) {
    C.Fit.Slope = XY / XX;
    C.Fit.Scale = Scales[Which];
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
  if (Scale > 0)
    return Slope * round(Speedup, Scale);
  return Slope * Speedup +
         (Knee > 0 && Speedup > Knee ? Bend * (Speedup - Knee) : 0);
}

CurveFit fitCurve(ArrayRef<FitPoint> Points, const FitRule &Rule) {
  Sums All;
  for (const FitPoint &P : Points)
    All.add(P);
  Candidate Best = straight(All);
  double Price = Rule.Price * Rule.Dispersion;
  double Unusual = UnusualPrice * Rule.Dispersion;
  double BestScore = Best.Explained;
  auto Consider = [&](const Candidate &C, double Cost) {
    if (C.Explained - Cost > BestScore) {
      BestScore = C.Explained - Cost;
      Best = C;
    }
  };
  if (Rule.MayBeRound)
    for (size_t I = 0; I < std::size(Scales); ++I)
      Consider(gradual(Points, I), Price);
  Sums Before, After = All;
  for (size_t I = 0; I + 1 < Points.size(); ++I) {
    Before.add(Points[I]);
    After.add(Points[I], -1);
    double Knee = Points[I].Speedup;
    Consider(saturated(Before, After, Knee), Price);
    // A slope of its own needs more behind the knee than the last few points.
    if (I + 1 + std::max(Points.size() / 5, size_t(2)) <= Points.size()) {
      Candidate C = bent(All, After, Knee);
      Consider(C, 2 * Price + (isUnusual(C.Fit) ? Unusual : 0));
    }
  }
  return Best.Fit;
}

SmallVector<double, 24> fitWeights(ArrayRef<FitPoint> Points,
                                   const CurveFit &Fit, double Speedup) {
  // One or two functions of the speedup, and the inverse of their Gram matrix.
  auto First = [&](double S) {
    return Fit.Scale > 0       ? round(S, Fit.Scale)
           : Fit.isSaturated() ? std::min(S, Fit.Knee)
                               : S;
  };
  auto Second = [&](double S) {
    return Fit.parameters() < 3 ? 0 : std::max(S - Fit.Knee, 0.0);
  };
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
    double H =
        Determinant > 0
            ? (X * (D * PX - B * PY) + Y * (A * PY - B * PX)) / Determinant
        : A > 0 ? X * PX / A
                : 0;
    Weights.push_back(P.Weight * H);
  }
  return Weights;
}

} // namespace causal
