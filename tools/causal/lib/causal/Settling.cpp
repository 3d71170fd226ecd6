//===- Settling.cpp -------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Settling.h"
#include "causal/Backlog.h"
#include "lib/causal/Series.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

using namespace llvm;

namespace causal {

namespace {

/// One in a hundred. To take a program for late that is not makes
/// intervals wider; the other mistake makes them wrong.
constexpr double Significant = 2.33;
constexpr double MinFreedom = 10;
/// A single experiment says nothing of its group, and an accident nothing of the program.
constexpr unsigned MinInGroup = 4;
constexpr double Farthest = 0.15;
/// Of a count whose ends fall between visits.
constexpr double CountVariance = 1.0 / 6;

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

/// The groups of one line: the test of Welch (Biometrika 38, 1951), which takes them to be of
/// different variances, since large speedups scatter more.
class LineTest {
public:
  void add(const Group &G) {
    if (G.Number < MinInGroup)
      return;
    double Spread = (G.Squares - G.Seen * G.Seen / G.Expected) / (G.Number - 1);
    double Variance = std::max(Spread, G.Number * CountVariance / G.Expected) / G.Expected;
    Means.push_back({G.Seen / G.Expected, 1 / Variance, G.Number - 1});
    Number += G.Number;
  }
  bool canTell() const { return Means.size() > 1; }
  /// Normal deviate of whether what is seen late depends on the speedup, its weight by the
  /// number of experiments, and the degrees of freedom behind it.
  struct Result {
    double Deviate, Weight, Freedom;
  };
  Result result() const {
    double K = double(Means.size()), Weight = 0, Sum = 0, Explained = 0, Unsure = 0;
    for (const Mean &M : Means) {
      Weight += M.Weight;
      Sum += M.Weight * M.Value;
    }
    for (const Mean &M : Means) {
      Explained += M.Weight * std::pow(M.Value - Sum / Weight, 2);
      Unsure += std::pow(1 - M.Weight / Weight, 2) / M.Freedom;
    }
    double Freedom = (K * K - 1) / (3 * Unsure);
    double F = Explained / (K - 1) / (1 + 2 * (K - 2) / (K * K - 1) * Unsure);
    return {deviateOfF(F, K - 1, Freedom), std::sqrt(double(Number)), Freedom};
  }

private:
  struct Mean {
    double Value, Weight;
    unsigned Freedom;
  };
  std::vector<Mean> Means;
  unsigned Number = 0;
};

/// Whether what is seen late of a line depends on its speedup; nothing if there is too little
/// to tell. Lines are not compared with each other: one is selected when it runs, and what is
/// seen late of it may be the phase that comes next. Their tests are combined (Stouffer et
/// al., The American Soldier, 1949).
std::optional<bool> differ(ArrayRef<LineTest> Lines) {
  double Sum = 0, Squares = 0, Freedom = 0;
  for (const LineTest &Test : Lines) {
    if (!Test.canTell())
      continue;
    LineTest::Result R = Test.result();
    Sum += R.Weight * R.Deviate;
    Squares += R.Weight * R.Weight;
    Freedom += R.Freedom;
  }
  if (Freedom < MinFreedom)
    return std::nullopt;
  return Sum > Significant * std::sqrt(Squares);
}

} // namespace

/// Binary orders of magnitude.
constexpr int SeveralTimes = 2;
/// Fewer do not tell where a curve bends.
constexpr unsigned MinReplacing = 16;

int Settling::lengthClass(const Experiment &E) {
  return std::ilogb(double(E.Wall) * M_SQRT2); // The nearest one.
}

/// What experiments of one length on one line show.
struct Settling::Seen {
  std::array<Group, 6> Groups; ///< Baselines, and speedups in steps of 20 %.
  Backlog Queue{};
  Amount Time;
};

Settling::Settling(const Profile &P, unsigned Point, const Discards &Discarded) {
  PointKind Kind = P.points()[Point].Kind;
  DenseMap<LineAndLength, Seen> All;
  for (const Experiment &E : P.experiments()) {
    const Measurement *M = E.at(Point);
    if (!M || Discarded.contain(E))
      continue;
    Seen &S = All[{E.Line, lengthClass(E)}];
    if (std::optional<Observation> Late = observeLate(*M, Kind))
      S.Groups[(E.Speedup + 19) / 20].add(observe(E, *M, Kind), *Late);
    S.Queue.add(E.Speedup, double(M->Visits - M->SpanVisits), double(E.effective() - M->Span),
                double(M->SpanVisits), double(M->Span));
    // Baselines tell how long experiments were to be; others may take longer, the more
    // the faster the line.
    E.Speedup ? ++S.Time.Others : S.Time.Baselines += E.Wall;
  }
  auto Keys = to_vector(make_first_range(All));
  llvm::sort(Keys);
  std::map<int, std::vector<LineTest>> Tests;
  std::map<unsigned, std::map<int, Amount>> Lines; // By length.
  for (LineAndLength Key : Keys) {
    const Seen &S = All.find(Key)->second;
    auto [Line, Length] = Key;
    LineTest &Test = Tests[Length].emplace_back();
    for (const Group &G : S.Groups)
      Test.add(G);
    if (S.Queue.isLarge())
      WithBacklog.insert(Key);
    Lines[Line][Length] = S.Time;
  }
  // Longer ones that are too few to tell are as late as the shorter ones.
  for (const auto &[Length, Of] : Tests) {
    AlwaysLate = differ(Of).value_or(AlwaysLate);
    if (AlwaysLate)
      LateLengths.insert(Length);
  }
  for (const auto &[Line, Amounts] : Lines) {
    findReplaced(Line, Amounts);
    AlwaysLate |= WithBacklog.count({Line, Amounts.rbegin()->first}) != 0;
  }
}

void Settling::findReplaced(unsigned Line, const std::map<int, Amount> &Amounts) {
  for (const auto &[Length, Here] : Amounts) {
    Amount Longer;
    for (auto It = Amounts.lower_bound(Length + SeveralTimes); It != Amounts.end(); ++It) {
      Longer.Baselines += It->second.Baselines;
      Longer.Others += It->second.Others;
    }
    if (Longer.Baselines >= Here.Baselines && Longer.Others >= MinReplacing)
      Replaced.insert({Line, Length});
  }
}

} // namespace causal
