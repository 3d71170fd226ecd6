//===- Series.cpp ---------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Series.h"
#include "lib/causal/Discards.h"
#include "lib/causal/Settling.h"
#include "lib/causal/WorkCovariate.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace llvm;

namespace causal {

namespace {

/// Experiments per stratum that are tried; a run whole comes first.
constexpr unsigned StratumSizes[] = {128, 64, 32, 16, 8};
/// A finer division must predict this much better, and leave this many strata.
constexpr double WorthIt = 0.98;
constexpr unsigned MinStrata = 10;
/// What a stratum needs to be compared with.
constexpr unsigned MinBaselines = 2;
/// Strata with more baselines than this are cut into blocks of their own.
constexpr unsigned ManyBaselines = 10;
constexpr int OutlierRounds = 3;
/// From so many runs on, a run is the unit of the bootstrap.
constexpr unsigned ManyRuns = 10;

bool isBaseline(const TimedObservation &T) { return T.Of->Speedup == 0; }

/// Runs by their clock, so that the order of files does not matter.
std::vector<unsigned> runOrder(const Profile &P) {
  std::vector<unsigned> Order(P.runs().size()), Rank(P.runs().size());
  for (unsigned I = 0; I < Order.size(); ++I)
    Order[I] = I;
  llvm::sort(Order, [&](unsigned A, unsigned B) {
    const Run &RA = P.runs()[A], &RB = P.runs()[B];
    return std::tie(RA.Time, RA.Id) < std::tie(RB.Time, RB.Id);
  });
  for (unsigned I = 0; I < Order.size(); ++I)
    Rank[Order[I]] = I;
  return Rank;
}

/// Numbers the strata of about \p Size experiments (0: a run, or all of them where each is
/// one experiment); returns how many.
unsigned cut(MutableArrayRef<TimedObservation> All, unsigned Size, PointKind Kind) {
  unsigned Stratum = 0, Baselines = 0, Count = 0;
  double Visits = 0;
  bool Previous = false; // The stratum before is of this run.
  size_t Begin = 0;
  auto Close = [&](size_t End) {
    for (size_t I = Begin; I < End; ++I)
      All[I].Stratum = Stratum;
    ++Stratum;
    Begin = End;
    Count = Baselines = 0;
    Visits = 0;
    Previous = true;
  };
  for (size_t I = 0; I < All.size(); ++I) {
    ++Count;
    if (isBaseline(All[I])) {
      ++Baselines;
      Visits += All[I].O.Visits;
    }
    bool RunEnds =
        I + 1 == All.size() || (Kind != PointKind::Run && All[I].Of->Run != All[I + 1].Of->Run);
    bool Enough = Baselines >= MinBaselines && Visits >= MinBaselineVisits;
    if (Enough && (RunEnds || (Size && Count >= Size)))
      Close(I + 1);
    if (!RunEnds)
      continue;
    // A rest joins the stratum before, or else the next run.
    if (Begin <= I && (Previous || (I + 1 == All.size() && Stratum > 0))) {
      --Stratum;
      Close(I + 1);
    }
    Previous = false;
  }
  if (Begin < All.size())
    Close(All.size());
  return Stratum;
}

std::vector<StratumBaseline> sumBaselines(ArrayRef<TimedObservation> All, unsigned Strata) {
  std::vector<StratumBaseline> Sums(Strata);
  for (const TimedObservation &T : All)
    if (isBaseline(T)) {
      Sums[T.Stratum].Amount += T.O.Amount;
      Sums[T.Stratum].Visits += T.O.Visits;
    }
  return Sums;
}

/// How badly the other baselines of its stratum predict each baseline:
/// leave-one-out cross-validation.
double predictionLoss(ArrayRef<TimedObservation> All, unsigned Strata) {
  std::vector<StratumBaseline> Sums = sumBaselines(All, Strata);
  double Loss = 0;
  for (const TimedObservation &T : All) {
    if (!isBaseline(T) || T.O.Amount <= 0)
      continue;
    StratumBaseline Rest = Sums[T.Stratum];
    Rest.Amount -= T.O.Amount;
    Rest.Visits -= T.O.Visits;
    if (Rest.Amount > 0)
      Loss += std::pow(T.O.Visits - Rest.rate() * T.O.Amount, 2) / T.O.Amount;
  }
  return Loss;
}

unsigned chooseStrata(MutableArrayRef<TimedObservation> All, PointKind Kind) {
  unsigned Best = 0;
  double Least = predictionLoss(All, cut(All, 0, Kind)) * WorthIt;
  for (unsigned Size : StratumSizes) {
    if (All.size() / Size < MinStrata)
      continue;
    double Loss = predictionLoss(All, cut(All, Size, Kind));
    if (Loss < Least) {
      Best = Size;
      Least = Loss * WorthIt;
    }
  }
  return cut(All, Best, Kind);
}

/// Scales down baselines far from their stratum: a machine that stood still for
/// a while should not decide (Huber weights).
void tameOutliers(MutableArrayRef<TimedObservation> All, ArrayRef<StratumBaseline> Strata) {
  auto Residual = [&](const TimedObservation &T) {
    double Expected = T.O.Amount * Strata[T.Stratum].rate();
    return (T.O.Visits - Expected) / std::sqrt(std::max(Expected, 1e-9));
  };
  std::vector<double> Sizes;
  for (const TimedObservation &T : All)
    if (isBaseline(T) && T.O.Amount > 0)
      Sizes.push_back(std::fabs(Residual(T)));
  double Limit = outlierLimit(Sizes);
  for (TimedObservation &T : All)
    if (isBaseline(T) && T.O.Amount > 0)
      if (double R = std::fabs(Residual(T)); R > Limit)
        T.O.scale(Limit / R);
}

/// Blocks for the bootstrap: runs if there are many; else strata; else, in
/// strata of many baselines, consecutive experiments.
unsigned makeBlocks(Series &S) {
  std::vector<unsigned> Baselines(S.Strata.size()), Sizes(S.Strata.size());
  for (const TimedObservation &T : S.All) {
    Baselines[T.Stratum] += isBaseline(T);
    ++Sizes[T.Stratum];
  }
  unsigned Block = 0, InBlock = 0;
  for (size_t I = 0; I < S.All.size(); ++I) {
    if (I > 0) {
      const TimedObservation &Before = S.All[I - 1], &Here = S.All[I];
      bool NewRun = Before.Of->Run != Here.Of->Run;
      bool NewStratum = Before.Stratum != Here.Stratum;
      unsigned Length = std::lround(std::cbrt(double(Sizes[Here.Stratum])));
      bool Full = Baselines[Here.Stratum] >= ManyBaselines && InBlock >= Length;
      if (S.Runs >= ManyRuns ? NewRun : NewStratum || Full) {
        ++Block;
        InBlock = 0;
      }
    }
    S.All[I].Block = Block;
    ++InBlock;
  }
  return S.All.empty() ? 0 : Block + 1;
}

/// Within the baselines of one line in one stratum, so that a line that differs
/// from the others does not pass for noise.
void measureNoise(Series &S) {
  DenseMap<std::pair<unsigned, unsigned>, StratumBaseline> Groups;
  for (const TimedObservation &T : S.All)
    if (isBaseline(T)) {
      StratumBaseline &G = Groups[{T.Stratum, T.Of->Line}];
      G.Amount += T.O.Amount;
      G.Visits += T.O.Visits;
    }
  double Squares = 0;
  unsigned Number = 0;
  for (const TimedObservation &T : S.All)
    if (isBaseline(T)) {
      double Expected = T.O.Amount * Groups[{T.Stratum, T.Of->Line}].rate();
      if (Expected <= 0)
        continue;
      Squares += std::pow(T.O.Visits - Expected, 2) / Expected;
      ++Number;
    }
  if (Number <= Groups.size())
    return;
  S.Freedom = Number - unsigned(Groups.size());
  S.Dispersion = Squares / S.Freedom;
}

/// A program's gain is that of its time, not of its visits: where units of work are dearer,
/// each of them stands for more. So visits of a stratum count by what its baselines take for
/// one. That of few visits is too large on average, by their dispersion over their number,
/// and what others are multiplied by is made smaller for it.
void weighByTime(Series &S) {
  if (S.Strata.size() == 1)
    return;
  StratumBaseline Sum;
  for (const StratumBaseline &B : S.Strata) {
    Sum.Amount += B.Amount;
    Sum.Visits += B.Visits;
  }
  for (TimedObservation &T : S.All) {
    const StratumBaseline &B = S.Strata[T.Stratum];
    double Visits = B.Visits + (isBaseline(T) ? 0 : S.Dispersion);
    if (Visits > 0)
      T.O.Visits *= B.Amount * Sum.rate() / Visits;
  }
  S.Strata = sumBaselines(S.All, unsigned(S.Strata.size()));
}

} // namespace

// Below this a span is mostly the delay with which visits are seen.
static constexpr int64_t MinSpanVisits = 4;

Observation observe(const Experiment &E, const Measurement &M, PointKind Kind) {
  bool HasSpan = M.SpanVisits >= MinSpanVisits && M.Span > 0;
  double Exposure = double(HasSpan ? M.Span : E.effective());
  double Visits = double(HasSpan ? M.SpanVisits : M.Visits) * partsOfVisit(Kind);
  double Amount = Kind == PointKind::Latency ? M.InFlight * Exposure : Exposure;
  return Observation{Exposure, Amount, Visits};
}

std::optional<Observation> observe(const Experiment &E, unsigned Point, PointKind Kind) {
  if (const Measurement *M = E.at(Point))
    return observe(E, *M, Kind);
  return std::nullopt;
}

std::optional<Observation> observeLate(const Measurement &M, PointKind Kind) {
  if (M.LateVisits < MinSpanVisits || M.LateSpan <= 0)
    return std::nullopt;
  double Exposure = double(M.LateSpan);
  double Amount = Kind == PointKind::Latency ? M.LateInFlight * Exposure : Exposure;
  return Observation{Exposure, Amount, double(M.LateVisits)};
}

double workOf(const Experiment &E, const Measurement &M, const Observation &O, bool Late) {
  if (int64_t Work = Late ? M.LateWork : M.SpanWork; Work > 0 && O.Exposure < double(E.effective()))
    return double(Work);
  return double(E.Work) * O.Exposure / double(E.effective());
}

Series makeSeries(const Profile &P, unsigned Point, WorkPrior Prior) {
  Series S;
  PointKind Kind = P.points()[Point].Kind;
  Discards Discarded(P);
  Settling Settles(P, Point, Discarded);
  for (const Experiment &E : P.experiments())
    if (const Measurement *M = E.at(Point); M && !Settles.isReplaced(E) && !Discarded.contain(E)) {
      std::optional<Observation> O;
      if (Settles.isLate(E))
        O = observeLate(*M, Kind);
      bool Late = O.has_value();
      if (!Late)
        O = observe(E, *M, Kind);
      S.All.push_back({&E, *O, workOf(E, *M, *O, Late)});
    }
  std::vector<unsigned> Rank = runOrder(P);
  auto Earlier = [&](const TimedObservation &A, const TimedObservation &B) {
    return std::tuple(Rank[A.Of->Run], A.Of->Start, A.Of->Index) <
           std::tuple(Rank[B.Of->Run], B.Of->Start, B.Of->Index);
  };
  if (!is_sorted(S.All, Earlier))
    llvm::sort(S.All, Earlier);
  S.WorkErrors.resize(P.lines().size());
  if (WorkCovariate Work(P, Point, Discarded, Prior); Work.applies()) {
    Work.adjust(S.All);
    for (unsigned Line = 0; Line < S.WorkErrors.size(); ++Line)
      S.WorkErrors[Line] = Work.error(Line);
  }
  for (size_t I = 0; I < S.All.size(); ++I) {
    S.Runs += I == 0 || S.All[I].Of->Run != S.All[I - 1].Of->Run;
    auto Word = [](double X) { return uint64_t(std::clamp(X, 0.0, 1e18)); };
    uint64_t Words[] = {S.Seed, uint64_t(S.All[I].Of->Speedup), Word(S.All[I].O.Visits),
                        Word(S.All[I].O.Amount)};
    S.Seed = xxh3_64bits(ArrayRef(reinterpret_cast<uint8_t *>(Words), sizeof(Words)));
  }
  unsigned Strata = chooseStrata(S.All, Kind);
  S.Strata = sumBaselines(S.All, Strata);
  // An accident moves the mean that it is judged by: judge again without it.
  for (int Round = 0; Round < OutlierRounds; ++Round) {
    tameOutliers(S.All, S.Strata);
    S.Strata = sumBaselines(S.All, Strata);
  }
  S.Blocks = makeBlocks(S);
  measureNoise(S);
  weighByTime(S);

  double Amount = 0;
  for (const TimedObservation &T : S.All)
    if (isBaseline(T)) {
      ++S.Baseline.Experiments;
      S.Baseline.Exposure += T.O.Exposure;
      S.Baseline.Visits += T.O.Visits;
      Amount += T.O.Amount;
    }
  if (S.Baseline.Visits > 0)
    S.Baseline.Period = Amount / S.Baseline.Visits;
  measureNoise(S);
  return S;
}

} // namespace causal
