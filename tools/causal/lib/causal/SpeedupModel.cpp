//===- SpeedupModel.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/SpeedupModel.h"
#include "lib/causal/Discards.h"
#include "lib/causal/Disturbance.h"
#include "lib/causal/MethodError.h"
#include "lib/causal/WorkCovariate.h"
#include "lib/statistics/Bootstrap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Parallel.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace llvm;

namespace causal {

namespace {

constexpr unsigned MinExperiments = 3, MaxPoints = 400;
/// Experiments times replicates that a report may take.
constexpr double Work = 2e7;
constexpr unsigned MinReplicates = 200, MaxReplicates = 1000;
/// The verdict looks at many points of a curve and at many curves, so it asks
/// for 99 % where the intervals are of 95 %.
constexpr double VerdictZ = 2.58 / 1.96;
constexpr double Little = 0.03;
/// No more than this times what delays took can be gained.
constexpr double Allowance = 1.5;

/// How much of the wall time delays took in the experiments on one line: at most at
/// any speedup, and per speedup at small or at large ones, whichever is more (delays grow in
/// proportion, and threads that wait for each other less than that).
struct DelayShare {
  double Largest = 0, Steepest = 0;
  double FewSamples = 0; ///< What three samples more would be per speedup.
};

/// The time that so many samples stand for, as they are taken.
double timeOfSamples(unsigned Count, const Run &R) {
  return Count * double(R.Period) * R.dispersion();
}

DelayShare delayShare(const Profile &P, ArrayRef<const Experiment *> Experiments,
                      const Discards &Discarded) {
  std::map<unsigned, std::pair<double, double>> BySpeedup; // Delay, wall.
  double Periods = 0, Wall = 0;
  for (const Experiment *E : Experiments) {
    if (Discarded.isIdle(*E))
      continue;
    if (E->Speedup) {
      Periods = std::max(Periods, timeOfSamples(3, P.runs()[E->Run]));
      Wall += double(E->Wall);
    }
    BySpeedup[E->Speedup].first += double(E->Delay);
    BySpeedup[E->Speedup].second += double(E->Wall);
  }
  DelayShare Share;
  Share.FewSamples = Wall > 0 ? Periods / Wall : 0;
  double Delays[2] = {}, AtFullSpeed[2] = {};
  for (const auto &[Speedup, Times] : BySpeedup)
    if (Speedup && Times.second > 0) {
      Share.Largest = std::max(Share.Largest, Times.first / Times.second);
      Delays[Speedup > 50] += Times.first;
      AtFullSpeed[Speedup > 50] += Times.second * Speedup / 100;
    }
  for (unsigned Large : {0, 1})
    if (AtFullSpeed[Large] > 0)
      Share.Steepest = std::max(Share.Steepest, Delays[Large] / AtFullSpeed[Large]);
  return Share;
}

/// Of the lines, CPU time per wall time of the runs (of that in which somebody is at work
/// where that is nearly always so in experiments): a line may be hot where no experiment
/// was made on it.
struct TimeShares {
  std::vector<double> OfLines;
  double FewSamples = 0; ///< Of three samples.
  bool Known = true;     ///< All runs have ended and told.
};

TimeShares timeShares(const Profile &P, const Discards &Discarded) {
  TimeShares Shares;
  Shares.OfLines.resize(P.lines().size());
  double Wall = 0, Periods = 0;
  for (const Run &R : P.runs()) {
    Shares.Known &= R.Last && R.Last->Final;
    if (!R.Last)
      continue;
    Wall += double(R.Last->Wall - (Discarded.leaveOutIdleTime() ? R.Last->Idle : 0));
    Periods = std::max(Periods, timeOfSamples(3, R));
    for (const auto &[Line, C] : R.Last->Lines)
      Shares.OfLines[Line] += double(C.Samples) * double(R.Period);
  }
  Shares.FewSamples = Wall > 0 ? Periods / Wall : 0;
  for (double &S : Shares.OfLines)
    S = Wall > 0 ? S / Wall : 0;
  return Shares;
}

/// By what the method itself is off. \p Delays: their share of the time at full speed.
std::vector<Estimate> widenAll(std::vector<Estimate> Grid, const MethodError &Method,
                               double Delays) {
  for (size_t I = 1; I < Grid.size(); ++I)
    Grid[I] = widen(Grid[I], Method.of(Delays * double(I * GridStep) / 100, Grid[I].Value));
  return Grid;
}

/// Keeps a curve below what delays can have brought, and below all that there is. Their
/// share is itself uncertain, and in a program of one thread all of it is gain, hence the
/// allowance. What is known of the gain does not become more by that.
void limit(std::vector<Estimate> &Grid, double Ceiling, double Steepest) {
  for (size_t I = 1; I < Grid.size(); ++I) {
    double At = double(I * GridStep) / 100;
    double Most = std::min(Allowance * std::min(Ceiling, Steepest * At), 1.0);
    Estimate &E = Grid[I];
    double Below = E.Value - E.Low;
    E.High = std::min(E.High, Most);
    if (E.Value > Most) {
      E.Value = Most;
      E.Low = std::min(E.Low, Most - Below);
    }
  }
}

/// One experiment or two may just have been lucky.
bool isTried(const LineCurve &C) {
  unsigned Above = 0;
  for (const Cell &Each : C.Cells)
    Above += Each.Speedup ? Each.Experiments : 0;
  return Above >= MinExperiments;
}

/// By the intervals. \p Most: what it can gain.
void judgeByScatter(LineCurve &C, double Most) {
  if (Most < Little) {
    C.Says = Verdict::NoEffect;
    return;
  }
  if (!isTried(C))
    return;
  struct {
    double Lower = -HUGE_VAL, Upper = -HUGE_VAL, LeastUpper = HUGE_VAL;
    void add(const Estimate &E) {
      double High = E.Value + VerdictZ * (E.High - E.Value);
      Lower = std::max(Lower, E.Value - VerdictZ * (E.Value - E.Low));
      Upper = std::max(Upper, High);
      LeastUpper = std::min(LeastUpper, High);
    }
  } All, Scatter;
  bool Far = false; // A verdict of "no effect" needs to have looked far enough.
  // Whoever makes a line faster gets past the small speedups first.
  bool LosesFirst = false, Gains = false;
  for (unsigned S = 25; S <= 100; S += 25)
    if (std::optional<Estimate> E = C.gainAt(S)) {
      All.add(*E);
      Scatter.add(*C.scatterAt(S));
      Far |= S >= 75;
      Gains |= E->Value > Noticeable;
      LosesFirst |= All.Lower <= Noticeable && E->High < -Noticeable;
    }
  if (LosesFirst)
    C.Bound = std::min(C.Bound, 0.0);
  if (All.Lower > Noticeable && !LosesFirst)
    C.Says = Verdict::SpeedsUp;
  else if (All.LeastUpper < -Noticeable && !Gains) // What changes its sign is not understood.
    C.Says = Verdict::SlowsDown;
  else if (Far && Scatter.Upper < Little) // That delays do nothing is seen, however many.
    C.Says = Verdict::NoEffect;
  else
    C.WithinMethodError = Scatter.Lower > Noticeable || Scatter.LeastUpper < -Noticeable;
}

/// What the intervals say is not sure where they leave out what the run suffers from.
void judge(LineCurve &C, double Most, const Disturbance &D) {
  judgeByScatter(C, Most);
  bool Doubtful = C.Says == Verdict::SpeedsUp    ? D.isOverloaded()
                  : C.Says == Verdict::SlowsDown ? D.isOverloaded() || D.isSlowedDown()
                  : C.Says == Verdict::NoEffect  ? D.sleepsMostly()
                                                 : false;
  if (!Doubtful)
    return;
  C.Says = Verdict::Unclear;
  C.WithinMethodError = true; // More experiments of this kind would not tell.
}

} // namespace

const char *toString(Verdict V) {
  switch (V) {
  case Verdict::SpeedsUp:
    return "speeds up";
  case Verdict::SlowsDown:
    return "slows down";
  case Verdict::NoEffect:
    return "no effect";
  case Verdict::Unclear:
    return "unclear";
  }
  return "";
}

static std::optional<Estimate> between(ArrayRef<Estimate> Grid, double Speedup) {
  double At = Speedup / GridStep;
  size_t I = size_t(At);
  if (Speedup < 0 || Grid.empty() || At > double(Grid.size() - 1))
    return std::nullopt;
  const Estimate &A = Grid[I], &B = Grid[std::min(I + 1, Grid.size() - 1)];
  double Share = At - double(I);
  auto Between = [&](double Estimate::*Field) { return A.*Field + Share * (B.*Field - A.*Field); };
  return Estimate{Between(&Estimate::Value), Between(&Estimate::StdErr), Between(&Estimate::Low),
                  Between(&Estimate::High)};
}

std::optional<Estimate> LineCurve::gainAt(double Speedup) const { return between(Grid, Speedup); }

std::optional<Estimate> LineCurve::scatterAt(double Speedup) const {
  return between(Scatter, Speedup);
}

Estimate LineCurve::gainOf(const Cell &C) const {
  Estimate Raw = gainOver(baseline(), C);
  Estimate E{Raw.Value * Phase.Factor,
             std::hypot(Raw.StdErr * Phase.Factor, Raw.Value * Phase.StdErr)};
  double Width = E.StdErr * studentQuantile(CellFreedom);
  E.Low = E.Value - Width;
  E.High = E.Value + Width;
  return E;
}

std::vector<std::vector<const Experiment *>> experimentsByLine(const Profile &P) {
  std::vector<std::vector<const Experiment *>> ByLine(P.lines().size());
  for (const Experiment &E : P.experiments())
    ByLine[E.Line].push_back(&E);
  return ByLine;
}

std::vector<double> sampleShares(const Profile &P) {
  std::vector<double> Shares(P.lines().size());
  std::map<TargetKind, double> All;
  for (const Run &R : P.runs()) {
    if (!R.Last)
      continue;
    All[TargetKind::Section] += double(R.Last->Unlocked);
    for (const auto &[Line, C] : R.Last->Lines) {
      Shares[Line] += double(C.Samples);
      All[P.lines()[Line].Kind] += double(C.Samples);
    }
  }
  for (unsigned I = 0; I < Shares.size(); ++I)
    if (Shares[I] > 0)
      Shares[I] /= All[P.lines()[I].Kind];
  return Shares;
}

static void countWhole(Cell &C, double Parts) {
  C.Visits /= Parts;
  C.Period *= Parts;
  C.Variance *= Parts * Parts;
}

PointSummary summarize(const Profile &P, unsigned Point, const ModelOptions &Options) {
  double Parts = partsOfVisit(P.points()[Point].Kind);
  PointSummary Summary{};
  Summary.Point = Point;
  std::vector<Observation> Baseline;
  Discards Discarded(P);
  for (const Experiment &E : P.experiments())
    if (std::optional<Observation> O = observe(E, Point, P.points()[Point].Kind)) {
      Summary.Visits += O->Visits / Parts;
      Summary.Exposure += O->Exposure;
      if (E.Speedup == 0 && !Discarded.contain(E))
        Baseline.push_back(*O);
    }
  Dispersion Noise;
  Noise.add(Baseline);
  Summary.Baseline = makeCell(0, Baseline, Noise);
  countWhole(Summary.Baseline, Parts);
  WorkCovariate Work(P, Point, Discarded, Options.Work);
  Summary.Work = {Work.explains(), Work.dependsOnDelays(), Work.applies(),
                  Work.mayDependOnDelays()};
  return Summary;
}

namespace {

std::vector<LineFit> makeFits(const Profile &P, const Series &S) {
  std::vector<LineFit> Fits;
  for (unsigned Line = 0; Line < P.lines().size(); ++Line)
    Fits.emplace_back(S, Line);
  for (const TimedObservation &T : S.All)
    Fits[T.Of->Line].add(T);
  erase_if(Fits, [](LineFit &F) { return !F.prepare(); });
  return Fits;
}

/// All lines see the same replicates, for they share baselines.
void bootstrap(const Series &S, std::vector<LineFit> &Fits, unsigned Replicates) {
  if (!Replicates)
    Replicates = unsigned(
        std::clamp(Work / double(S.All.size() + 1), double(MinReplicates), double(MaxReplicates)));
  struct Baseline {
    unsigned Stratum, Block;
    double Amount, Visits;
  };
  std::vector<Baseline> Baselines;
  for (const TimedObservation &T : S.All)
    if (T.Of->Speedup == 0)
      Baselines.push_back({T.Stratum, T.Block, T.O.Amount, T.O.Visits});
  BootstrapWeights Random(S.Seed);
  std::vector<float> Drawn(S.Blocks);
  std::vector<PerDraw<float>> Weights(S.Blocks);
  std::vector<PerDraw<double>> Rates(S.Strata.size());
  std::vector<StratumBaseline> Sums(S.Strata.size());
  for (unsigned R = 0; R < Replicates; R += Draws) {
    for (unsigned D = 0; D < Draws; ++D) {
      Random.fill(Drawn);
      Sums.assign(S.Strata.size(), StratumBaseline());
      for (const Baseline &B : Baselines) {
        Sums[B.Stratum].Amount += Drawn[B.Block] * B.Amount;
        Sums[B.Stratum].Visits += Drawn[B.Block] * B.Visits;
      }
      for (size_t I = 0; I < Drawn.size(); ++I)
        Weights[I][D] = Drawn[I];
      for (size_t I = 0; I < Sums.size(); ++I)
        Rates[I][D] = Sums[I].rate();
    }
    parallelForEach(Fits, [&](LineFit &F) { F.replicate(Weights, Rates); });
  }
}

/// See LineCurve::Possible. \p OfRun: what the line has of the run's wall time; none for
/// latency.
double possibleGain(const LineCurve &C, std::optional<double> OfRun) {
  if (!OfRun)
    return C.SampleShare;
  double Most = 0;
  for (const Estimate &E : drop_begin(C.Grid))
    Most = std::max(Most, E.High);
  return std::min(Most, Allowance * *OfRun);
}

/// What is surely gained comes first, then what is surely lost, what may be gained, and
/// what was hot for nothing; in each the most.
std::pair<unsigned, double> rankOf(const LineCurve &C) {
  double Least = HUGE_VAL;
  for (const Estimate &E : drop_begin(C.Grid))
    Least = std::min(Least, E.High);
  if (C.Says == Verdict::SlowsDown)
    return {1, Least};
  if (C.Bound > 0 && isTried(C))
    return {0, -C.Bound};
  if (C.Says == Verdict::NoEffect)
    return {3, -C.SampleShare};
  // Not by the estimate: a cold line may have a lucky experiment.
  return {2, -C.Possible};
}

SureGain sureGain(ArrayRef<Estimate> Grid) {
  SureGain Best{0, {0, 0, -HUGE_VAL, 0}};
  for (size_t I = 1; I < Grid.size(); ++I)
    if (Grid[I].Low > Best.Gain.Low)
      Best = {unsigned(I) * GridStep, Grid[I]};
  return Best;
}

} // namespace

bool canRank(const Profile &P, unsigned Point) {
  Series S = makeSeries(P, Point);
  return !makeFits(P, S).empty();
}

std::vector<LineCurve> rankLines(const Profile &P, unsigned Point, const ModelOptions &Options) {
  Series S = makeSeries(P, Point, Options.Work);
  std::vector<LineFit> Fits = makeFits(P, S);
  Dispersion Everywhere;
  for (const LineFit &F : Fits) {
    Dispersion D = F.noise();
    Everywhere.SquaredResiduals += D.SquaredResiduals;
    Everywhere.Freedom += D.Freedom;
  }
  parallelForEach(Fits, [&](LineFit &F) { F.fit(Everywhere); });
  bootstrap(S, Fits, Options.Replicates);

  double Parts = partsOfVisit(P.points()[Point].Kind);
  auto ByLine = experimentsByLine(P);
  std::vector<double> Shares = sampleShares(P);
  Discards Discarded(P);
  TimeShares InRuns = timeShares(P, Discarded);
  MethodError Method(P);
  Disturbance Disturbed(P, Discarded);

  std::vector<LineCurve> Curves(Fits.size());
  parallelFor(0, Fits.size(), [&](size_t I) {
    LineFit &F = Fits[I];
    LineCurve &C = Curves[I];
    C.Line = F.line();
    if (Options.PhaseCorrection)
      C.Phase = phaseCorrection(P, C.Line, ByLine[C.Line], Discarded);
    else
      C.Phase.Why = PhaseFactor::Disabled;
    // A request's latency may fall by more than the work in it: it queues less.
    bool IsLimited = P.points()[Point].Kind != PointKind::Latency;
    DelayShare Share = delayShare(P, ByLine[C.Line], Discarded);
    // It is of the whole run, as gains are once they are phase-corrected.
    double InRun = InRuns.OfLines[C.Line] / C.Phase.Factor, Delays = Share.Steepest;
    if (C.Phase.Why == PhaseFactor::TooFewSamples && InRuns.Known && InRun > 0) {
      // A line is selected when it has just run: what it has in a few experiments is more
      // than what it has of the run.
      Share = {InRun, InRun, InRuns.FewSamples};
      Delays = InRun;
    } else {
      Share.Largest = std::max(Share.Largest, InRun);
      Share.Steepest = std::max(Share.Steepest, InRun);
    }
    double UpTo = Share.Steepest + Share.FewSamples, Most = HUGE_VAL;
    if (IsLimited && UpTo > 0)
      F.expectUpTo(UpTo, S.WorkErrors[C.Line] * std::min(Delays, 1.0));
    C.Delays = std::min(Delays, 1.0) * C.Phase.Factor; // A line may have several cores.
    F.finish(C.Phase.Factor, C.Phase.StdErr, C.Delays, Method);
    C.Cells = F.cells();
    for (Cell &Each : C.Cells)
      countWhole(Each, Parts);
    C.PooledBaseline = !F.ownBaseline();
    C.RunsApart = F.runsApart();
    C.Fit = F.pieces();
    C.Fit.Slope *= C.Phase.Factor;
    C.Fit.Bend *= C.Phase.Factor;
    C.Scatter = F.grid();
    C.Grid = widenAll(C.Scatter, Method, C.Delays);
    C.Chances = F.probability();
    C.CellFreedom = F.cellFreedom();
    C.SampleShare = Shares[C.Line];
    double Steepest = HUGE_VAL;
    if (IsLimited) {
      Most = Allowance * UpTo * C.Phase.Factor;
      C.Ceiling = Share.Largest * C.Phase.Factor;
      Steepest = Share.Steepest * C.Phase.Factor;
    }
    for (std::vector<Estimate> *Each : {&C.Grid, &C.Scatter})
      limit(*Each, C.Ceiling, Steepest);
    C.Best = sureGain(C.Grid);
    // Of runs without a snapshot it is not known.
    double OfRun = InRuns.FewSamples > 0 ? InRuns.OfLines[C.Line] + InRuns.FewSamples : HUGE_VAL;
    C.Possible = possibleGain(C, IsLimited ? std::optional(OfRun) : std::nullopt);
    C.Bound = std::min(C.Best.Gain.Low, C.Ceiling);
    judge(C, Most, Disturbed);
  });
  std::vector<unsigned> CurveOf(P.lines().size(), ~0u);
  for (unsigned I = 0; I < Curves.size(); ++I)
    CurveOf[Curves[I].Line] = I;
  PointKind Kind = P.points()[Point].Kind;
  for (const TimedObservation &T : S.All)
    if (unsigned I = CurveOf[T.Of->Line]; I != ~0u) {
      ++Curves[I].Experiments;
      if (std::optional<Observation> O = observe(*T.Of, Point, Kind))
        Curves[I].Visits += O->Visits / partsOfVisit(Kind);
    }
  // Every n-th experiment of a line.
  std::vector<unsigned> Seen(Curves.size());
  for (const TimedObservation &T : S.All) {
    unsigned I = CurveOf[T.Of->Line];
    if (I == ~0u)
      continue;
    unsigned Step = (Curves[I].Experiments + MaxPoints - 1) / MaxPoints;
    if (Seen[I]++ % Step == 0 && T.O.Visits > 0)
      Curves[I].Points.push_back({T.Of->Speedup,
                                  (1 - Fits[I].expected(T) / T.O.Visits) * Curves[I].Phase.Factor,
                                  double(T.Of->effective()), T.Of->Run});
  }
  llvm::sort(Curves, [](const LineCurve &A, const LineCurve &B) {
    return std::tuple(rankOf(A), A.Line) < std::tuple(rankOf(B), B.Line);
  });
  return Curves;
}

} // namespace causal
