//===- RootCause.cpp ------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/input/RootCause.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Parallel.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace llvm;

namespace causal {

namespace {

/// Below this chance of growing faster than a line a routine is none that does.
constexpr double LeastChance = 0.05;
/// Less than this of a routine's excess is the noise of its callees' growth.
constexpr double LeastOwn = 0.1;
/// Less than this of the program's cost is no cause worth a row.
constexpr double LeastShare = 0.001;
/// Callers that bring less of a routine's cost are not named.
constexpr double LeastCaller = 0.05;

struct Sums {
  double Input, Cost, Calls;
};

/// What \p Points cost above a line through the smaller half of inputs (in their logarithm).
double aboveLine(ArrayRef<Sums> Points) {
  double Middle = std::sqrt(Points.front().Input * Points.back().Input);
  // Weighted by relative distance; no part of the line is below 0.
  double W = 0, WX = 0, WXX = 0, WY = 0, WXY = 0;
  for (const Sums &P : Points) {
    double Y = P.Cost / P.Calls;
    if (P.Input > Middle || Y <= 0)
      continue;
    double Weight = 1 / (Y * Y);
    W += Weight;
    WX += Weight * P.Input;
    WXX += Weight * P.Input * P.Input;
    WY += Weight * Y;
    WXY += Weight * P.Input * Y;
  }
  double Determinant = W * WXX - WX * WX;
  double Slope = 0, Base = 0;
  if (Determinant > 1e-12 * W * WXX) {
    Slope = (W * WXY - WX * WY) / Determinant;
    Base = (WY - Slope * WX) / W;
  }
  if (Base < 0 || Determinant <= 1e-12 * W * WXX) {
    Base = 0;
    Slope = WXX > 0 ? WXY / WXX : 0;
  }
  if (Slope < 0) {
    Slope = 0;
    Base = WY / W;
  }
  double Above = 0;
  for (const Sums &P : Points)
    Above += P.Cost - P.Calls * (Base + Slope * P.Input);
  return std::max(0.0, Above);
}

double excess(const InputRoutine &R, const Growth &G, bool Self) {
  if (G.Is != Growth::Known)
    return 0;
  double Chance = G.probabilityAbove(Linear);
  if (Chance < LeastChance)
    return 0;
  std::vector<Sums> Points;
  double All = 0;
  for (const InputPoint &P : R.Points) {
    double Cost = Self ? P.Self.value_or(0) : P.Sum;
    All += Cost;
    if (P.Input >= 1)
      Points.push_back({double(P.Input), Cost, double(P.Calls)});
  }
  // Activations of recursion hold one another: together they cost no more than the outermost.
  double Scale = !Self && All > R.Inclusive && R.Inclusive > 0 ? R.Inclusive / All : 1;
  return Points.empty() ? 0 : Chance * Scale * aboveLine(Points);
}

std::vector<GrowthPoint> selfCosts(const InputRoutine &R) {
  std::vector<GrowthPoint> Points;
  for (const InputPoint &P : R.Points)
    if (P.Input >= 1 && P.Self && *P.Self > 0)
      Points.push_back({double(P.Input), *P.Self / double(P.Calls), 0});
  return Points;
}

/// Routines that call each other in circles have one number (Tarjan).
class Circles {
public:
  explicit Circles(const InputModel &M) : Callees(M.Routines.size()), Of(M.Routines.size(), 0) {
    for (const InputCall &C : M.Calls)
      Callees[C.Caller].push_back(C.Callee);
    Low.resize(M.Routines.size(), 0);
    for (unsigned I = 0; I < M.Routines.size(); ++I)
      if (!Low[I])
        visit(I);
  }
  unsigned operator[](unsigned Routine) const { return Of[Routine]; }

private:
  struct Frame {
    unsigned Node, Order;
    size_t Next = 0;
  };
  void visit(unsigned Root) {
    std::vector<Frame> Frames;
    auto Enter = [&](unsigned Node) {
      Low[Node] = ++Time;
      Stack.push_back(Node);
      Frames.push_back({Node, Time});
    };
    Enter(Root);
    while (!Frames.empty()) {
      unsigned Node = Frames.back().Node;
      if (Frames.back().Next < Callees[Node].size()) {
        unsigned To = Callees[Node][Frames.back().Next++];
        if (!Low[To])
          Enter(To);
        else if (!Of[To])
          Low[Node] = std::min(Low[Node], Low[To]);
        continue;
      }
      if (Low[Node] == Frames.back().Order) {
        ++Number;
        unsigned Last;
        do {
          Last = Stack.back();
          Stack.pop_back();
          Of[Last] = Number;
        } while (Last != Node);
      }
      Frames.pop_back();
      if (!Frames.empty())
        Low[Frames.back().Node] = std::min(Low[Frames.back().Node], Low[Node]);
    }
  }

  std::vector<std::vector<unsigned>> Callees;
  std::vector<unsigned> Of, Low, Stack;
  unsigned Time = 0, Number = 0;
};

std::vector<CallerUnder> callersOf(const InputModel &M, unsigned Root) {
  std::vector<CallerUnder> Under;
  std::set<unsigned> Seen = {Root};
  std::vector<CallerUnder> Level = {{Root, 1}};
  while (!Level.empty()) {
    std::vector<CallerUnder> Next;
    for (const CallerUnder &Each : Level) {
      double All = 0;
      for (const InputCall &C : M.Calls)
        if (C.Callee == Each.Routine && C.Caller != Each.Routine)
          All += C.Cost;
      for (const InputCall &C : M.Calls) {
        if (C.Callee != Each.Routine || C.Caller == Each.Routine || All <= 0)
          continue;
        double Share = Each.Share * C.Cost / All;
        if (Share >= LeastCaller && Seen.insert(C.Caller).second)
          Next.push_back({C.Caller, Share});
      }
    }
    llvm::sort(Next, [](auto &A, auto &B) {
      return A.Share != B.Share ? A.Share > B.Share : A.Routine < B.Routine;
    });
    llvm::append_range(Under, Next);
    Level = std::move(Next);
  }
  return Under;
}

} // namespace

Ranking rankRoutines(const InputModel &M) {
  Ranking Result;
  size_t N = M.Routines.size();
  Result.Growths.resize(N);
  bool HasSelf = M.hasSelf();
  parallelFor(0, N, [&](size_t I) {
    const InputRoutine &R = M.Routines[I];
    RoutineGrowth &G = Result.Growths[I];
    G.Mean = fitGrowth(meanCosts(R));
    G.Worst = fitGrowth(worstCosts(R));
    if (HasSelf)
      G.Self = fitGrowth(selfCosts(R));
    G.Excess = std::min(excess(R, G.Mean, false), M.Total);
  });

  Circles Circle(M);
  std::vector<double> Inherited(N, 0);
  std::vector<const InputCall *> Dearest(N, nullptr);
  for (const InputCall &C : M.Calls) {
    if (C.Caller == C.Callee)
      continue;
    if (!Dearest[C.Caller] || Dearest[C.Caller]->Cost < C.Cost)
      Dearest[C.Caller] = &C;
    double Whole = M.Routines[C.Callee].Inclusive;
    if (Circle[C.Caller] != Circle[C.Callee] && Whole > 0)
      Inherited[C.Caller] += Result.Growths[C.Callee].Excess * std::min(1.0, C.Cost / Whole);
  }
  for (unsigned I = 0; I < N; ++I) {
    RoutineGrowth &G = Result.Growths[I];
    G.Own = std::max(0.0, G.Excess - Inherited[I]);
    if (G.Own < LeastOwn * G.Excess || G.Own < LeastShare * M.Total || G.Excess == 0)
      continue;
    const InputRoutine &R = M.Routines[I];
    RootCause C{I,
                RootCause::Either,
                G.Own,
                M.Total > 0 ? G.Own / M.Total : 0,
                Linear < G.Mean.Set.front(),
                std::nullopt,
                callersOf(M, I)};
    // What it did itself is the most that can be slow by itself.
    double Itself = G.Self ? std::min(excess(R, *G.Self, true), G.Own) : std::min(R.Self, G.Own);
    bool Exact = G.Self.has_value();
    if (!Dearest[I] || (Exact && Itself >= 0.5 * G.Own) ||
        (!Exact && R.Inclusive - R.Self < 0.5 * G.Own))
      C.Why = RootCause::SlowByItself;
    else if (Itself < 0.5 * G.Own)
      C.Why = RootCause::CallsTooOften;
    if (C.Why != RootCause::SlowByItself)
      C.Calls = *Dearest[I];
    Result.Causes.push_back(std::move(C));
  }
  llvm::sort(Result.Causes, [](auto &A, auto &B) {
    return A.Share != B.Share ? A.Share > B.Share : A.Routine < B.Routine;
  });
  for (unsigned I = 0; I < N; ++I)
    Result.ByCost.push_back(I);
  llvm::sort(Result.ByCost, [&](unsigned A, unsigned B) {
    const InputRoutine &RA = M.Routines[A], &RB = M.Routines[B];
    return std::make_tuple(-RA.Self, -RA.Inclusive, StringRef(RA.Name), A) <
           std::make_tuple(-RB.Self, -RB.Inclusive, StringRef(RB.Name), B);
  });
  return Result;
}

std::string describeCause(const InputModel &M, const Ranking &R, const RootCause &C) {
  if (C.Why == RootCause::SlowByItself)
    return "slow by itself";
  const InputRoutine &Callee = M.Routines[C.Calls->Callee];
  const InputRoutine &Caller = M.Routines[C.Routine];
  const Growth &G = R.Growths[C.Calls->Callee].Mean;
  std::string Name = StringRef(Callee.Name).split('(').first.str();
  std::string Each =
      formatv("{0} calls each time",
              int64_t(double(C.Calls->Calls) / std::max<double>(1, double(Caller.Calls))))
          .str();
  std::string Callees = G.Is != Growth::Known    ? "how " + Name + " grows is " + describeGrowth(G)
                        : Linear < G.Set.front() ? Name + " is " + describeGrowth(G) + " as well"
                                                 : Name + " is " + describeGrowth(G) + " by itself";
  if (C.Why == RootCause::CallsTooOften)
    return "calls " + Name + " too often: " + Each + ", and " + Callees;
  return "slow by itself, or calls " + Name + " too often (" + Each + ", " + Callees + ")";
}

} // namespace causal
