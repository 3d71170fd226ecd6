//===- Settling.cpp -------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settling.h"
#include "Series.h"

#include <cmath>
#include <map>

namespace causal {

namespace {

/// One in a hundred. To take a program for late that is not makes
/// intervals wider; the other mistake makes them wrong.
constexpr double Significant = 2.33;
constexpr unsigned MinFreedom = 10;

/// Experiments that are alike: late visits over those that the experiments as a whole
/// let expect, which is the same for all groups where the program has settled in.
struct Group {
  double Seen = 0, Expected = 0, Squares = 0; ///< Squares: of Seen, over Expected.
  unsigned Number = 0;

  void add(const Observation &Whole, const Observation &Late) {
    double Here = Late.Amount * Whole.Visits / Whole.Amount;
    if (!(Here > 0) || !std::isfinite(Here))
      return; // Nothing was in flight whenever it was looked at.
    Seen += Late.Visits;
    Expected += Here;
    Squares += Late.Visits * Late.Visits / Here;
    ++Number;
  }
};

/// Normal deviate of the F statistic (Paulson, Annals of Mathematical Statistics 13,
/// 1942).
double deviateOfF(double F, double Between, double Within) {
  double A = 2 / (9 * Between), B = 2 / (9 * Within), Root = std::cbrt(F);
  return ((1 - B) * Root - (1 - A)) / std::sqrt(B * Root * Root + A);
}

} // namespace

bool settlesLate(const Profile &P, unsigned Point) {
  PointKind Kind = P.points()[Point].Kind;
  // Baselines, and of every line those with speedups up to 25, 50, 75 and 100 %.
  std::map<std::pair<unsigned, unsigned>, Group> Groups;
  for (const Experiment &E : P.experiments())
    for (const Measurement &M : E.Points)
      if (M.Point == Point)
        if (std::optional<Observation> Late = observeLate(M, Kind))
          Groups[{E.Speedup ? E.Line + 1 : 0, (E.Speedup + 24) / 25}].add(
              observe(E, M, Kind), *Late);
  double Seen = 0, Expected = 0, Explained = 0, Left = 0;
  unsigned Number = 0;
  for (const auto &[Key, G] : Groups) {
    Seen += G.Seen;
    Expected += G.Expected;
    Explained += G.Seen * G.Seen / G.Expected;
    Left += G.Squares - G.Seen * G.Seen / G.Expected;
    Number += G.Number;
  }
  if (Groups.size() < 2 || Number < Groups.size() + MinFreedom || Left <= 0)
    return false;
  double Between = double(Groups.size() - 1);
  double Within = double(Number - Groups.size());
  Explained -= Seen * Seen / Expected;
  double F = (Explained / Between) / (Left / Within);
  return deviateOfF(F, Between, Within) > Significant;
}

} // namespace causal
