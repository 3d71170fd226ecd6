//===- Settling.cpp -------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Settling.h"
#include "Series.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace causal {

namespace {

/// One in a thousand. To take a program for late that is not makes
/// intervals wider; the other mistake makes them wrong.
constexpr double Significant = 3.09;
constexpr unsigned MinFreedom = 10;
/// A single experiment says nothing of its group, and an accident nothing of the program.
constexpr unsigned MinInGroup = 4;
constexpr double Farthest = 0.25;

/// Experiments that are alike: late visits over those that the experiments as a whole
/// let expect, which is the same for all groups where the program has settled in.
struct Group {
  double Seen = 0, Expected = 0, Squares = 0; ///< Squares: of Seen, over Expected.
  unsigned Number = 0;

  void add(const Observation &Whole, const Observation &Late) {
    double Here = Late.Amount * Whole.Visits / Whole.Amount;
    if (!(Here > 0) || !std::isfinite(Here))
      return; // Nothing was in flight whenever it was looked at.
    double Ratio = std::clamp(Late.Visits / Here, 1 - Farthest, 1 + Farthest);
    Seen += Ratio * Here;
    Expected += Here;
    Squares += Ratio * Ratio * Here;
    ++Number;
  }
};

/// Normal deviate of the F statistic (Paulson, Annals of Mathematical Statistics 13,
/// 1942).
double deviateOfF(double F, double Between, double Within) {
  double A = 2 / (9 * Between), B = 2 / (9 * Within), Root = std::cbrt(F);
  return ((1 - B) * Root - (1 - A)) / std::sqrt(B * Root * Root + A);
}

/// Alike by line and speedup, in steps of 20 %; baselines of all lines.
using GroupKey = std::pair<unsigned, unsigned>;

/// Whether what is seen late depends on the group; nothing if there is too little to tell.
std::optional<bool> differ(const std::map<GroupKey, Group> &Groups) {
  double Seen = 0, Expected = 0, Explained = 0, Left = 0;
  unsigned Number = 0;
  unsigned Used = 0;
  for (const auto &[Key, G] : Groups) {
    if (G.Number < MinInGroup)
      continue;
    ++Used;
    Seen += G.Seen;
    Expected += G.Expected;
    Explained += G.Seen * G.Seen / G.Expected;
    Left += G.Squares - G.Seen * G.Seen / G.Expected;
    Number += G.Number;
  }
  if (Used < 2 || Number < Used + MinFreedom || Left <= 0)
    return std::nullopt;
  double Between = double(Used - 1), Within = double(Number - Used);
  Explained -= Seen * Seen / Expected;
  double F = (Explained / Between) / (Left / Within);
  return deviateOfF(F, Between, Within) > Significant;
}

} // namespace

int Settling::lengthClass(const Experiment &E) {
  return int(std::lround(std::log2(double(E.Wall))));
}

Settling::Settling(const Profile &P, unsigned Point) {
  PointKind Kind = P.points()[Point].Kind;
  std::map<int, std::map<GroupKey, Group>> ByLength;
  for (const Experiment &E : P.experiments())
    for (const Measurement &M : E.Points)
      if (M.Point == Point)
        if (std::optional<Observation> Late = observeLate(M, Kind))
          ByLength[lengthClass(E)][{E.Speedup ? E.Line + 1 : 0, (E.Speedup + 19) / 20}]
              .add(observe(E, M, Kind), *Late);
  // Longer ones that are too few to tell are as late as the shorter ones.
  for (const auto &[Length, Groups] : ByLength) {
    AlwaysLate = differ(Groups).value_or(AlwaysLate);
    if (AlwaysLate)
      Late.insert(Length);
  }
}

} // namespace causal
