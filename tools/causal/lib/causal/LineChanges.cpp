//===- LineChanges.cpp - Which line became which, and what it costs -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Comparison.h that follows lines from one profile to the other.
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Comparison.h"
#include "lib/causal/Discards.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace llvm;

namespace causal {

const char *toString(LineChange::Way How) {
  switch (How) {
  case LineChange::Same:
    return "";
  case LineChange::Moved:
    return "moved";
  case LineChange::Rewritten:
    return "rewritten";
  case LineChange::Gone:
    return "gone";
  case LineChange::New:
    return "new";
  }
  return "";
}

namespace {

/// CPU time per visit, and its variance by the number of samples.
struct Cost {
  double Time = 0, Variance = 0;
};

/// Of every line, from time without delays.
std::vector<Cost> costsOf(const Profile &P, double VisitPeriod) {
  std::vector<double> Time(P.lines().size()), Squares(P.lines().size());
  std::map<TargetKind, double> Wall;
  bool WithoutIdleTime = Discards(P).leaveOutIdleTime();
  for (const Run &R : P.runs()) {
    if (!R.Last || R.Period <= 0)
      continue;
    double Undelayed =
        double(R.Last->UndelayedWall) - (WithoutIdleTime ? double(R.Last->UndelayedIdle) : 0);
    for (TargetKind Kind : {TargetKind::Line, TargetKind::Function, TargetKind::Section})
      Wall[Kind] += P.counts(R, Kind) * Undelayed;
    for (const auto &[Line, C] : R.Last->Lines) {
      double Samples = double(C.UndelayedSamples), Each = double(R.Period);
      Time[Line] += Samples * Each;
      Squares[Line] += std::max(Samples, 1.0) * Each * Each;
    }
  }
  std::vector<Cost> Costs(P.lines().size());
  for (size_t I = 0; I < Costs.size(); ++I)
    if (double W = Wall[P.lines()[I].Kind])
      Costs[I] = {Time[I] / W * VisitPeriod, Squares[I] * std::pow(VisitPeriod / W, 2)};
  return Costs;
}

/// A function by the name of its file, since a checkout may be elsewhere, and by what its
/// lines are. Lines in the order of their numbers.
using Functions = std::map<std::tuple<StringRef, StringRef, TargetKind>, std::vector<unsigned>>;

Functions functionsOf(const Profile &P, ArrayRef<Cost> Costs) {
  Functions F;
  for (unsigned I = 0; I < P.lines().size(); ++I)
    if (Costs[I].Time > 0)
      F[{sys::path::filename(P.lines()[I].File), P.lines()[I].Function, P.lines()[I].Kind}]
          .push_back(I);
  for (auto &[Name, Lines] : F)
    llvm::sort(Lines,
               [&](unsigned A, unsigned B) { return P.lines()[A].Line < P.lines()[B].Line; });
  return F;
}

struct Side {
  const Profile &P;
  const LineText &Text;
  std::vector<Cost> Costs;
};

/// Pairs of lines of one function, by text where both are known, else by
/// number, else by the shift under which most of them agree.
std::vector<std::pair<unsigned, unsigned>>
pairLines(const Side &B, const Side &A, ArrayRef<unsigned> Before, ArrayRef<unsigned> After) {
  std::vector<std::pair<unsigned, unsigned>> Pairs;
  std::vector<std::optional<std::string>> TextB, TextA;
  for (unsigned L : Before)
    TextB.push_back(B.Text(B.P.lines()[L]));
  for (unsigned L : After)
    TextA.push_back(A.Text(A.P.lines()[L]));
  auto Number = [](const Side &S, unsigned Line) { return int64_t(S.P.lines()[Line].Line); };
  auto Known = [](const std::optional<std::string> &T) { return T && !T->empty(); };
  if (llvm::all_of(TextB, Known) && llvm::all_of(TextA, Known)) {
    size_t From = 0; // Lines keep their order.
    for (size_t I = 0; I < Before.size(); ++I)
      for (size_t J = From; J < After.size(); ++J)
        if (*TextB[I] == *TextA[J]) {
          Pairs.push_back({Before[I], After[J]});
          From = J + 1;
          break;
        }
    return Pairs;
  }
  // The votes of a function of very many lines take too long, and say no more.
  constexpr size_t MaxLines = 200;
  std::map<int64_t, size_t> Votes;
  for (unsigned L : Before.take_front(MaxLines))
    for (unsigned M : After.take_front(MaxLines))
      ++Votes[Number(A, M) - Number(B, L)];
  int64_t By = 0;
  size_t Most = Votes.count(0) ? Votes[0] : 0;
  for (auto [Shift, N] : Votes)
    if (N > Most && N >= 2) {
      By = Shift;
      Most = N;
    }
  for (unsigned L : Before)
    for (unsigned M : After)
      if (Number(A, M) - Number(B, L) == By)
        Pairs.push_back({L, M});
  return Pairs;
}

} // namespace

std::vector<LineChange> compareLines(const Profile &Before, const LineText &TextBefore,
                                     const Profile &After, const LineText &TextAfter,
                                     const PointChange &Point, const ModelOptions &Model) {
  // Many lines are looked at: a change of one has to be sure, and to matter.
  constexpr double Sure = 3, Noticeable = 0.005;
  Side B{Before, TextBefore, costsOf(Before, Point.Before.Period)};
  Side A{After, TextAfter, costsOf(After, Point.After.Period)};
  std::map<unsigned, const LineCurve *> Curves;
  std::vector<LineCurve> Ranked = rankLines(Before, Point.BeforePoint, Model);
  for (const LineCurve &C : Ranked)
    Curves[C.Line] = &C;

  std::vector<LineChange> Changes;
  auto Add = [&](LineChange::Way How, std::optional<unsigned> Old, std::optional<unsigned> New,
                 double Faster) {
    LineChange C{How, Old, New};
    double Variance = 0;
    if (Old) {
      C.CostBefore = B.Costs[*Old].Time;
      Variance += B.Costs[*Old].Variance;
    }
    if (New) {
      C.CostAfter = A.Costs[*New].Time;
      Variance += A.Costs[*New].Variance;
    }
    C.CostError = std::sqrt(Variance);
    double Change = std::fabs(C.CostAfter - C.CostBefore);
    if (Change < Sure * C.CostError || Change < Noticeable * Point.Before.Period)
      return;
    C.Faster = std::clamp(Faster, 0.0, 1.0);
    auto Curve = Old ? Curves.find(*Old) : Curves.end();
    if (C.Faster > 0 && Curve != Curves.end())
      C.Predicted = Curve->second->gainAt(100 * C.Faster);
    Changes.push_back(C);
  };

  Functions Old = functionsOf(Before, B.Costs), New = functionsOf(After, A.Costs);
  for (const auto &[Name, Lines] : Old) {
    auto There = New.find(Name);
    if (There == New.end()) {
      for (unsigned L : Lines)
        Add(LineChange::Gone, L, std::nullopt, 1);
      continue;
    }
    std::set<unsigned> LeftOld(Lines.begin(), Lines.end());
    std::set<unsigned> LeftNew(There->second.begin(), There->second.end());
    for (auto [L, M] : pairLines(B, A, Lines, There->second)) {
      bool Same = Before.lines()[L].Line == After.lines()[M].Line;
      Add(Same ? LineChange::Same : LineChange::Moved, L, M, 1 - A.Costs[M].Time / B.Costs[L].Time);
      LeftOld.erase(L);
      LeftNew.erase(M);
    }
    // What took the place of a line that is no more is the rest of its function.
    double Was = 0, Is = 0;
    for (unsigned L : LeftOld)
      Was += B.Costs[L].Time;
    for (unsigned L : LeftNew)
      Is += A.Costs[L].Time;
    for (unsigned L : LeftOld)
      Add(LineChange::Rewritten, L, std::nullopt, Was > 0 ? 1 - Is / Was : 0);
    for (unsigned L : LeftNew)
      Add(LineChange::New, std::nullopt, L, 0);
  }
  for (const auto &[Name, Lines] : New)
    if (!Old.count(Name))
      for (unsigned L : Lines)
        Add(LineChange::New, std::nullopt, L, 0);
  llvm::sort(Changes, [](const LineChange &X, const LineChange &Y) {
    double CX = std::fabs(X.CostAfter - X.CostBefore);
    double CY = std::fabs(Y.CostAfter - Y.CostBefore);
    return std::tie(CY, X.Before, X.After) < std::tie(CX, Y.Before, Y.After);
  });
  return Changes;
}

} // namespace causal
