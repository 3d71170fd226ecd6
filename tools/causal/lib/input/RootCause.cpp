//===- RootCause.cpp ------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/input/RootCause.h"
#include "lib/input/RoutineName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Parallel.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace llvm;

namespace causal {

namespace {

/// Below this chance of growing faster than a line a routine is none that does.
constexpr double LeastChance = 0.05;
/// Less than this of a routine's excess is the noise of its callees' growth.
constexpr double LeastOwn = 0.2;
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

/// Which calls go back to a routine that is under way: without them there are no circles, and
/// what is inherited comes to an end. Followed from above, dear calls first.
std::vector<bool> findBackCalls(const InputModel &M) {
  enum State : char { New, UnderWay, Done };
  struct Frame {
    unsigned Routine;
    size_t Next = 0;
  };
  size_t N = M.Routines.size();
  std::vector<std::vector<unsigned>> From(N);
  std::vector<bool> Back(M.Calls.size()), Called(N);
  for (unsigned I = 0; I < M.Calls.size(); ++I) {
    From[M.Calls[I].Caller].push_back(I);
    if (M.Calls[I].Caller != M.Calls[I].Callee)
      Called[M.Calls[I].Callee] = true;
  }
  for (std::vector<unsigned> &Each : From)
    llvm::sort(Each, [&](unsigned A, unsigned B) {
      return M.Calls[A].Cost != M.Calls[B].Cost ? M.Calls[A].Cost > M.Calls[B].Cost : A < B;
    });
  // Those that nobody calls first.
  std::vector<unsigned> Order;
  for (unsigned I = 0; I < N; ++I)
    Order.push_back(I);
  llvm::sort(Order, [&](unsigned A, unsigned B) {
    return std::make_tuple(bool(Called[A]), -M.Routines[A].Inclusive, A) <
           std::make_tuple(bool(Called[B]), -M.Routines[B].Inclusive, B);
  });
  std::vector<State> States(N, New);
  for (unsigned Root : Order) {
    if (States[Root] != New)
      continue;
    std::vector<Frame> Frames = {{Root}};
    States[Root] = UnderWay;
    while (!Frames.empty()) {
      Frame &Top = Frames.back();
      if (Top.Next == From[Top.Routine].size()) {
        States[Top.Routine] = Done;
        Frames.pop_back();
        continue;
      }
      unsigned Call = From[Top.Routine][Top.Next++], To = M.Calls[Call].Callee;
      if (States[To] == UnderWay)
        Back[Call] = true;
      else if (States[To] == New) {
        States[To] = UnderWay;
        Frames.push_back({To});
      }
    }
  }
  return Back;
}

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

/// Finds for the cost of each routine, itself alone, who is to blame: it, or whoever on the way
/// up to main calls it more often than its own input grows. So no cost is blamed twice, and
/// circles of calls hide nobody.
class Blame {
public:
  /// \p OfItself: of what each routine did itself, the part that grows too fast in its own input.
  /// \p OfAll: the same with callees, less what those answer for.
  Blame(const InputModel &M, ArrayRef<double> OfItself, ArrayRef<double> OfAll)
      : M(M), OfItself(OfItself), OfAll(OfAll), Callers(M.Routines.size()), To(M.Routines.size()),
        IsOnWay(M.Routines.size()) {
    for (const InputCall &C : M.Calls)
      if (C.Caller != C.Callee && C.Cost > 0)
        Callers[C.Callee].push_back(&C);
  }

  std::vector<RootCause> causes() {
    for (unsigned I = 0; I < M.Routines.size(); ++I)
      if (M.Routines[I].Self >= LeastPart * M.Total) {
        Ways = 0;
        climb(I, M.Routines[I].Self);
      }
    std::vector<RootCause> Causes;
    for (unsigned I = 0; I < To.size(); ++I) {
      const Charge &Each = To[I];
      double Often = 0, Most = 0;
      RootCause C{I, RootCause::Either, 0, 0, false, 0, {}, {}};
      for (const auto &[Callee, Part] : Each.Callees) {
        Often += Part.Cost;
        if (Part.Cost <= Most)
          continue;
        Most = Part.Cost;
        C.Callee = Callee;
        C.By = Part.By;
      }
      C.Excess = Each.Itself + Often;
      C.Share = M.Total > 0 ? C.Excess / M.Total : 0;
      if (C.Share < LeastShare)
        continue;
      if (Each.Itself >= Clear * C.Excess)
        C.Why = RootCause::SlowByItself;
      else if (Often >= Clear * C.Excess)
        C.Why = RootCause::CallsTooOften;
      Causes.push_back(std::move(C));
    }
    llvm::sort(Causes, [](auto &A, auto &B) {
      return A.Share != B.Share ? A.Share > B.Share : A.Routine < B.Routine;
    });
    return Causes;
  }

private:
  static constexpr double LeastPart = 2e-4; ///< Of all cost, that is worth a look.
  static constexpr double LeastWay = 0.02;  ///< Of a routine's cost, that a way is followed for.
  static constexpr unsigned MostWays = 64;
  static constexpr double Clear = 2.0 / 3;

  struct Part {
    double Cost = 0, Largest = 0;
    std::vector<unsigned> By; ///< Of the way that most came by, from below.
  };
  struct Charge {
    double Itself = 0;
    std::map<unsigned, Part> Callees;
  };

  void climb(unsigned Routine, double Cost) {
    Way.push_back(Routine);
    IsOnWay[Routine] = true;
    double All = 0;
    for (const InputCall *C : Callers[Routine])
      if (!IsOnWay[C->Caller])
        All += C->Cost;
    bool Higher = false;
    for (const InputCall *C : Callers[Routine]) {
      if (IsOnWay[C->Caller])
        continue;
      double Part = Cost * C->Cost / All;
      if (Part < LeastWay * M.Routines[Way.front()].Self || Ways >= MostWays)
        continue;
      Higher = true;
      climb(C->Caller, Part);
    }
    if (!Higher) {
      ++Ways;
      charge(Cost);
    }
    IsOnWay[Routine] = false;
    Way.pop_back();
  }

  /// The lowest on the way whose growth is not small beside the fastest.
  void charge(double Cost) {
    double Most = OfItself[Way.front()];
    for (unsigned Each : ArrayRef(Way).drop_front())
      Most = std::max(Most, OfAll[Each]);
    if (Most < LeastChance)
      return;
    for (size_t I = 0; I < Way.size(); ++I) {
      double Here = I ? OfAll[Way[I]] : OfItself[Way[I]];
      if (Here < 0.5 * Most)
        continue;
      if (I == 0) {
        To[Way[I]].Itself += Here * Cost;
        return;
      }
      Part &P = To[Way[I]].Callees[Way.front()];
      P.Cost += Here * Cost;
      if (Cost > P.Largest) {
        P.Largest = Cost;
        P.By.assign(Way.rend() - I, Way.rend() - 1);
      }
      return;
    }
  }

  const InputModel &M;
  ArrayRef<double> OfItself, OfAll;
  std::vector<std::vector<const InputCall *>> Callers;
  std::vector<Charge> To;
  std::vector<bool> IsOnWay;
  std::vector<unsigned> Way; ///< From the routine that costs up to the one looked at.
  unsigned Ways = 0;
};

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

  std::vector<bool> Back = findBackCalls(M);
  std::vector<double> Inherited(N, 0);
  for (size_t I = 0; I < M.Calls.size(); ++I) {
    const InputCall &C = M.Calls[I];
    if (double Whole = M.Routines[C.Callee].Inclusive; Whole > 0 && !Back[I])
      Inherited[C.Caller] += Result.Growths[C.Callee].Excess * std::min(1.0, C.Cost / Whole);
  }
  std::vector<double> OfItself(N), OfAll(N);
  for (unsigned I = 0; I < N; ++I) {
    const InputRoutine &R = M.Routines[I];
    RoutineGrowth &G = Result.Growths[I];
    G.Own = std::max(0.0, G.Excess - Inherited[I]);
    if (G.Own < LeastOwn * G.Excess || G.Own <= 0)
      continue;
    // What its callees do not answer for, of the cost that they do not answer for.
    OfAll[I] = G.Own / std::max(G.Own, R.Inclusive - Inherited[I]);
    double Itself = G.Self ? excess(R, *G.Self, true) : G.Own;
    OfItself[I] = R.Self > 0 ? std::min(1.0, Itself / R.Self) : 0;
  }
  Result.Causes = Blame(M, OfItself, OfAll).causes();
  for (RootCause &C : Result.Causes) {
    C.Sure = Linear < Result.Growths[C.Routine].Mean.Set.front();
    C.Under = callersOf(M, C.Routine);
  }
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
  const InputRoutine &Callee = M.Routines[C.Callee], &Caller = M.Routines[C.Routine];
  const Growth &G = R.Growths[C.Callee].Mean;
  std::string Name = shortRoutineName(Callee.Name);
  std::string Text = "calls " + Name + " too often";
  if (!C.By.empty())
    Text += " by way of " + shortRoutineName(M.Routines[C.By.front()].Name);
  if (C.By.size() > 1)
    Text += " and others";
  double Each = double(Callee.Calls) / std::max<double>(1, double(Caller.Calls));
  Text += Each >= 1 ? formatv(": {0:f0} call{1} for one of its own", Each,
                              std::lround(Each) == 1 ? "" : "s")
                          .str()
                    : ": " + std::to_string(Callee.Calls) + " calls in all";
  Text += G.Is != Growth::Known    ? ", and how " + Name + " grows is " + describeGrowth(G)
          : Linear < G.Set.front() ? ", and " + Name + " is " + describeGrowth(G) + " as well"
          : Linear < G.Set.back()  ? ", and " + Name + " is " + describeGrowth(G)
                                   : ", and " + Name + " is " + describeGrowth(G) + " by itself";
  return C.Why == RootCause::CallsTooOften ? Text : "slow by itself, or " + Text;
}

} // namespace causal
