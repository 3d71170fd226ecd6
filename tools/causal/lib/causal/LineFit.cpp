//===- LineFit.cpp --------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/LineFit.h"
#include "lib/causal/MethodError.h"
#include "lib/statistics/Bootstrap.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace llvm;

namespace causal {

namespace {

/// Beyond this many standard errors from the others, a line's own baseline is
/// used alone: a strict test, for to pool wrongly costs more than to pool not.
constexpr double PoolingZ = 1.28;
/// And beyond this many it surely differs: of as many lines as a report has hardly one does by
/// chance.
constexpr double ApartZ = 3;
constexpr unsigned MinFreedom = 10;
/// Experiments that a model of their noise needs, and the part of the mean noise
/// that it leaves to speedup 0 at least.
constexpr size_t MinForModel = 20;
/// Outliers are looked for in so many groups of speedups, if there is enough for it.
constexpr size_t OutlierGroups = 4;
constexpr double LeastBase = 0.1;
/// Fewer blocks than this beyond the parameters say little of the spread.
constexpr double MinBlocks = 4;
/// Fewer than this and the replicates hardly differ.
constexpr double LeastBlocks = 2;
/// A cell with less than this part of its expected visits fell into a phase without
/// progress, rather than being slower by more: it weighs as if it had as many.
constexpr double LeastVisits = 0.25;
/// How far beyond the last cell a curve is drawn, percent.
constexpr unsigned Reach = 5;

double square(double X) { return X * X; }

} // namespace

void LineFit::add(const TimedObservation &T) {
  (T.Of->Speedup ? Treated : Own).push_back({T.Block, T.Stratum, T.Of->Speedup, T.O});
  Dilated += T.Of->Dilated;
}

bool LineFit::prepare() {
  for (const Member &M : Treated)
    Speedups.push_back(M.Cell);
  llvm::sort(Speedups);
  Speedups.erase(std::unique(Speedups.begin(), Speedups.end()), Speedups.end());
  for (Member &M : Treated)
    M.Cell = llvm::lower_bound(Speedups, M.Cell) - Speedups.begin();
  double Expected = 0, Visits = 0, Baseline = 0;
  for (const Member &M : Treated) {
    Expected += M.O.Amount * S->Strata[M.Stratum].rate();
    Visits += M.O.Visits;
    Baseline = std::max(Baseline, S->Strata[M.Stratum].Visits);
  }
  // A latency of zero cannot become shorter.
  if (!(Expected > 0) || !std::isfinite(Expected) || !(Visits > 0) || Baseline < MinBaselineVisits)
    return false;
  chooseBaseline();
  if (!(Level > 0))
    return false;
  Precision.assign(Speedups.size(), 1);
  setPoints(sums(), Level, Points);
  Fit = mixCurves(Points, Rule);
  tameOutliers();
  return true;
}

/// The stratified test of Mantel and Haenszel for two rates: does the line's own
/// baseline differ from those of the other lines in the same strata?
void LineFit::chooseBaseline() {
  double Score = 0, Variance = 0, Expected = 0, Visits = 0;
  for (size_t I = 0; I < Own.size();) {
    unsigned Stratum = Own[I].Stratum;
    double Amount = 0, Count = 0;
    for (; I < Own.size() && Own[I].Stratum == Stratum; ++I) {
      Amount += Own[I].O.Amount;
      Count += Own[I].O.Visits;
    }
    const StratumBaseline &All = S->Strata[Stratum];
    if (All.Amount <= 0)
      continue;
    Score += Count - Amount * All.rate();
    Variance += All.rate() * Amount * (1 - Amount / All.Amount);
    Expected += Amount * All.rate();
    Visits += Count;
  }
  double Noise = S->Freedom >= MinFreedom ? S->Dispersion : std::max(S->Dispersion, 1.0);
  auto Beyond = [&](double Z) { return square(Score) > square(Z) * S->noise() * Variance; };
  if (Visits >= MinBaselineVisits && Beyond(PoolingZ) && std::fabs(Score) > 1e-9 * Visits) {
    OwnBaseline = true;
    RunsApart = Beyond(ApartZ);
    Level = Expected / Visits;
  }
}

/// Visits beyond what the curve lets expect, over their root.
double LineFit::residual(const Member &M) const {
  double Period = std::max(1 - Fit.at(Speedups[M.Cell] / 100.0), 0.05);
  double Expected = M.O.Amount * S->Strata[M.Stratum].rate() / (Level * Period);
  return (M.O.Visits - Expected) / std::sqrt(std::max(Expected, 1e-9));
}

/// Noise grows with the speedup (noiseBySpeedup), so what is far out is told among
/// experiments of similar speedups.
void LineFit::tameOutliers() {
  std::vector<Member *> BySpeedup;
  for (Member &M : Treated)
    BySpeedup.push_back(&M);
  llvm::sort(BySpeedup, [](const Member *A, const Member *B) {
    return std::tie(A->Cell, A) < std::tie(B->Cell, B);
  });
  size_t Groups = std::clamp<size_t>(Treated.size() / MinForModel, 1, OutlierGroups);
  for (size_t G = 0; G < Groups; ++G) {
    size_t Begin = BySpeedup.size() * G / Groups;
    size_t End = BySpeedup.size() * (G + 1) / Groups;
    std::vector<double> Sizes;
    for (size_t I = Begin; I < End; ++I)
      Sizes.push_back(std::fabs(residual(*BySpeedup[I])));
    double Limit = outlierLimit(Sizes);
    for (size_t I = Begin; I < End; ++I)
      if (double R = std::fabs(residual(*BySpeedup[I])); R > Limit)
        BySpeedup[I]->O.scale(Limit / R);
  }
}

std::vector<LineFit::CellSum> LineFit::sums() const {
  std::vector<CellSum> Sums(Speedups.size());
  for (const Member &M : Treated) {
    Sums[M.Cell].Expected += M.O.Amount * S->Strata[M.Stratum].rate();
    Sums[M.Cell].Visits += M.O.Visits;
  }
  return Sums;
}

/// Weights by visits make the equations of the fit sums of visits - expected:
/// unbiased however few the visits of a cell are, as ratios are not. But a cell that has
/// next to none must not have all of its say without any weight.
void LineFit::setPoints(ArrayRef<CellSum> Sums, double Level, std::vector<FitPoint> &Points) const {
  Points.resize(Sums.size());
  for (size_t C = 0; C < Sums.size(); ++C) {
    double Expected = Sums[C].Expected / Level, Visits = Sums[C].Visits;
    Points[C] = {Speedups[C] / 100.0, Precision[C] * std::max(Visits, LeastVisits * Expected),
                 Precision[C] * (Visits - Expected)};
  }
}

/// As it would have been had the machine been the same throughout.
Observation LineFit::steady(const Member &M) const {
  return {M.O.Exposure, M.O.Amount * S->Strata[M.Stratum].rate() * S->Baseline.Period, M.O.Visits};
}

std::vector<std::vector<Observation>> LineFit::observations() const {
  std::vector<std::vector<Observation>> ByCell(Speedups.size() + 1);
  for (const Member &M : Own)
    ByCell[0].push_back(steady(M));
  for (const Member &M : Treated)
    ByCell[M.Cell + 1].push_back(steady(M));
  return ByCell;
}

Dispersion LineFit::noise() const {
  Dispersion D;
  for (const auto &Each : observations())
    D.add(Each);
  return D;
}

Cell LineFit::baselineCell(ArrayRef<Observation> OfLine) const {
  if (OwnBaseline)
    return makeCell(0, OfLine, Noise);
  Cell C = S->Baseline;
  // Of the strata that the line is in, as much as it is in them.
  double Sum = 0, Squares = 0;
  for (size_t I = 0; I < Treated.size();) {
    unsigned Stratum = Treated[I].Stratum;
    double Expected = 0;
    for (; I < Treated.size() && Treated[I].Stratum == Stratum; ++I)
      Expected += Treated[I].O.Amount * S->Strata[Stratum].rate();
    Sum += Expected;
    if (S->Strata[Stratum].Visits > 0)
      Squares += square(Expected) / S->Strata[Stratum].Visits;
  }
  double PerVisit = S->Freedom >= MinFreedom ? S->Dispersion : std::max(S->Dispersion, 1.0);
  PerVisit = std::max(PerVisit, C.Experiments / (6 * C.Visits));
  C.Variance = square(C.Period) * PerVisit * Squares / square(Sum);
  return C;
}

/// How many samples fall into an experiment is chance, and each of them inserts
/// a delay in proportion to the speedup: the noise of large speedups is larger.
/// Regresses squared residuals on the square of the speedup.
LineFit::NoiseModel LineFit::noiseBySpeedup() const {
  NoiseModel Model;
  if (Treated.size() < MinForModel)
    return Model;
  double X = 0, XX = 0, Y = 0, XY = 0, N = double(Treated.size());
  for (const Member &M : Treated) {
    double Square = square(Speedups[M.Cell] / 100.0), R = square(residual(M));
    X += Square;
    XX += square(Square);
    Y += R;
    XY += R * Square;
  }
  double Determinant = N * XX - X * X;
  if (!(Determinant > 0) || !(Y > 0))
    return Model;
  double Slope = std::max((N * XY - X * Y) / Determinant, 0.0);
  double Base = (Y - Slope * X) / N;
  if (Base < LeastBase * Y / N) {
    Base = LeastBase * Y / N;
    Slope = (Y - N * Base) / X;
  }
  Model.Base = Base / (Y / N);
  Model.PerSquare = Slope / (Y / N);
  return Model;
}

void LineFit::fit(const Dispersion &Everywhere) {
  Dispersion OfLine = noise();
  Noise = OfLine.Freedom >= MinFreedom ? OfLine : Everywhere;
  NoiseFreedom = std::max(Noise.Freedom, MinFreedom);

  auto ByCell = observations();
  Cells = {baselineCell(ByCell[0])};
  double Spread = 0, Number = 0, Visits = 0;
  for (size_t C = 0; C < Speedups.size(); ++C) {
    Cell Here = makeCell(Speedups[C], ByCell[C + 1], Noise);
    Number += Here.Experiments;
    if (Here.Visits <= 0)
      continue;
    Cells.push_back(Here);
    // In visits: what the weights of the fit are in.
    if (Here.Period > 0)
      Spread += Here.Variance / square(Here.Period) * square(Here.Visits);
    Visits += Here.Visits;
  }
  Rule.Dispersion = Spread / Visits;
  Rule.Price = std::log(std::max(Number, 2.0));
  Rule.MayFade = true;
  Rule.MayRise = 2 * Dilated > Treated.size();

  std::vector<CellSum> Sums = sums();
  setPoints(Sums, Level, Points);
  Fit = mixCurves(Points, Rule);
  NoiseModel Model = noiseBySpeedup();
  for (size_t C = 0; C < Speedups.size(); ++C) {
    double Speedup = Speedups[C] / 100.0;
    Precision[C] = 1 / (square(std::max(1 - Fit.at(Speedup), 0.1)) * Model.relative(Speedup));
  }
  setPoints(Sums, Level, Points);
  Fit = mixCurves(Points, Rule);
  if (Treated.size() < MinForModel)
    jackknife();
  FitRule Straight = Rule;
  Straight.MayFade = Straight.MayRise = false;
  Pieces = fitCurve(Points, Straight);
}

/// How much hangs on each experiment: a curve may go through one that is far out, however
/// little it weighs.
void LineFit::jackknife() {
  double N = double(Treated.size());
  std::array<double, GridSize> Sum{}, Squares{};
  std::array<float, GridSize> Here;
  std::vector<CellSum> All = sums();
  for (const Member &M : Treated) {
    std::vector<CellSum> Rest = All;
    Rest[M.Cell].Expected -= M.O.Amount * S->Strata[M.Stratum].rate();
    Rest[M.Cell].Visits -= M.O.Visits;
    setPoints(Rest, Level, Scratch);
    mixCurves(Scratch, Rule).sample(GridStep, Here);
    for (unsigned At = 0; At < GridSize; ++At) {
      Sum[At] += Here[At];
      Squares[At] += square(Here[At]);
    }
  }
  for (unsigned At = 0; At < GridSize; ++At)
    Jackknife[At] = std::sqrt(std::max((N - 1) / N * (Squares[At] - square(Sum[At]) / N), 0.0));
}

void LineFit::replicate(ArrayRef<PerDraw<float>> Weights, ArrayRef<PerDraw<double>> Rates) {
  auto Add = [&](DrawnSums &Sums, const Member &M) {
    const PerDraw<float> &W = Weights[M.Block];
    const PerDraw<double> &Rate = Rates[M.Stratum];
    for (unsigned D = 0; D < Draws; ++D) {
      Sums.Expected[D] += W[D] * M.O.Amount * Rate[D];
      Sums.Visits[D] += W[D] * M.O.Visits;
    }
  };
  std::vector<DrawnSums> Sums(Speedups.size());
  for (const Member &M : Treated)
    Add(Sums[M.Cell], M);
  DrawnSums Baseline;
  if (OwnBaseline)
    for (const Member &M : Own)
      Add(Baseline, M);
  std::vector<CellSum> OfDraw(Speedups.size());
  for (unsigned D = 0; D < Draws; ++D) {
    for (size_t C = 0; C < Sums.size(); ++C)
      OfDraw[C] = {Sums[C].Expected[D], Sums[C].Visits[D]};
    double Here = OwnBaseline ? Baseline.Expected[D] / Baseline.Visits[D] : 1;
    setPoints(OfDraw, Here, Scratch);
    mixCurves(Scratch, Rule).sample(GridStep, Replicates.emplace_back());
  }
}

/// Blocks that the fit rests on, by the weight of each (Kish).
double LineFit::effectiveBlocks() const {
  double Sum = 0, Squares = 0;
  for (size_t I = 0; I < Treated.size();) {
    unsigned Block = Treated[I].Block;
    double Weight = 0;
    for (; I < Treated.size() && Treated[I].Block == Block; ++I)
      Weight +=
          Precision[Treated[I].Cell] * square(Speedups[Treated[I].Cell]) * Treated[I].O.Visits;
    Sum += Weight;
    Squares += square(Weight);
  }
  return Squares > 0 ? square(Sum) / Squares : 0;
}

/// Of few blocks the spread of the replicates is too small and not well known; one block
/// has none, but for rounding. By what to multiply it; 0: it says nothing.
double LineFit::correction() const {
  // The level of the baseline is a parameter as well. Very few blocks are taken
  // for as many as there are experiments: their own noise is looked at besides.
  double Parameters = Fit.parameters() + 1, Blocks = effectiveBlocks();
  bool HaveSpread = Blocks >= LeastBlocks;
  if (Blocks - Parameters < MinBlocks)
    Blocks = double(Treated.size());
  double Freedom = Blocks - Parameters;
  return Freedom >= MinBlocks && HaveSpread
             ? std::sqrt((Blocks + 1) / Freedom) * studentQuantile(Freedom) / Z95
             : 0;
}

/// What is seen is stretched for being of few blocks, or of few degrees of freedom; what is
/// known beforehand is not.
void LineFit::expectUpTo(double PerSpeedup, double Error) {
  double Stretch = correction(), OfFew = studentQuantile(NoiseFreedom) / Z95;
  BootstrapWeights Random(~S->Seed ^ Line);
  std::vector<double> Deviates(Replicates.size());
  for (double &D : Deviates)
    D = Random.normal();
  for (unsigned At = 0; At < GridSize; ++At) {
    double Speedup = At * GridStep / 100.0, Value = Fit.at(Speedup);
    double Spread = 0;
    for (const auto &R : Replicates)
      Spread += square(R[At] - Value);
    Spread = std::sqrt(Spread / double(std::max<size_t>(Replicates.size(), 1)));
    double Noise = std::hypot(std::max(Stretch * Spread, OfFew * cellError(Speedup)),
                              Error * Speedup * (1 - Value));
    double Mean = PerSpeedup * Speedup / 2, Deviation = Mean;
    double Share = Noise > 0 ? 1 / (1 + square(Deviation / Noise)) : 0;
    double Expected = (1 - Share) * Value + Share * Mean;
    Expecting.push_back({Expected, std::hypot((1 - Share) * Noise, Share * Deviation)});
    double Wider = Stretch > 0 && Spread > 0 ? (1 - Share) * Noise / Spread : 0;
    for (size_t R = 0; R < Replicates.size(); ++R) {
      float &Here = Replicates[R][At];
      Here = float(Expected + Wider * (Here - Value) + Share * Deviation * Deviates[R]);
    }
  }
}

void LineFit::finish(double Phase, double PhaseError, double Delays, const MethodError &Method) {
  BootstrapWeights Random(S->Seed ^ Line);
  std::vector<double> Factors(Replicates.size(), Phase);
  if (PhaseError > 0)
    for (double &F : Factors)
      F += PhaseError * Random.normal();
  double Correction = correction(), OfFew = studentQuantile(NoiseFreedom);
  if (!Expecting.empty()) { // Stretched as they are.
    Correction = std::min(Correction, 1.0);
    OfFew = Z95;
  }
  std::vector<float> Values(Replicates.size());
  unsigned End = std::min(Speedups.back() + Reach, 100u);
  double Strongest = -1;
  for (unsigned At = 0; At <= End; At += GridStep) {
    double Speedup = At / 100.0;
    auto [Value, Error] = Expecting.empty() ? std::pair(Fit.at(Speedup), cellError(Speedup))
                                            : Expecting[At / GridStep];
    Estimate E{Value * Phase, std::hypot(Error * Phase, Value * PhaseError)};
    double Width = E.StdErr * OfFew;
    E.Low = E.Value - Width;
    E.High = E.Value + Width;
    double Spread = 0;
    for (size_t R = 0; R < Replicates.size(); ++R) {
      Values[R] = float(Replicates[R][At / GridStep] * Factors[R]);
      Spread += square(Values[R] - E.Value);
    }
    Spread = std::sqrt(Spread / double(Values.size()));
    double Stretch = 0;
    if (Correction > 0 && Spread > 0) {
      Stretch = std::max(Correction, Width / (Z95 * Spread));
      E.Low = E.Value + Stretch * std::min(quantile(Values, 0.025) - E.Value, 0.0);
      E.High = E.Value + Stretch * std::max(quantile(Values, 0.975) - E.Value, 0.0);
      E.StdErr = Stretch * Spread;
    }
    Grid.push_back(E);
    if (std::fabs(E.Value) > Strongest) {
      Strongest = std::fabs(E.Value);
      Chances = chances(E, Values, Stretch, Method.of(Delays * Speedup, E.Value));
    }
  }
}

/// What the noise of the cells, and not to know which curve it is, lets expect of the
/// curve's error, before phases.
double LineFit::cellError(double Speedup) const {
  const Cell &Baseline = Cells.front();
  SmallVector<double, 24> H = fitWeights(Points, Fit, Speedup);
  double OfCells = 0, Shared = 0;
  for (size_t C = 0, K = 1; C < Speedups.size(); ++C) {
    if (K == Cells.size() || Cells[K].Speedup != Speedups[C]) { // Without visits.
      if (Points[C].Weight > 0)
        OfCells += square(H[C]) * Rule.Dispersion * Precision[C] / Points[C].Weight;
      continue;
    }
    OfCells += square(H[C] / Baseline.Period) * Cells[K].Variance;
    Shared += H[C] * Cells[K].Period / Baseline.Period;
    ++K;
  }
  double OfBaseline = square(Shared / Baseline.Period) * Baseline.Variance;
  double OfEach = Jackknife[std::lround(Speedup * 100 / GridStep)];
  return std::sqrt(std::max(OfCells + square(Fit.spread(Speedup)), square(OfEach)) + OfBaseline);
}

/// By the replicates, stretched as the interval is; if there are too few blocks
/// for that, by the normal distribution.
Probability LineFit::chances(const Estimate &E, ArrayRef<float> Values, double Stretch,
                             double Method) {
  auto IsPositive = [](double Value, double Error) {
    return Error > 0 ? normalCDF(Value / Error) : double(Value > 0);
  };
  Probability P;
  if (Stretch > 0) {
    for (float V : Values) {
      double Stretched = E.Value + Stretch * (V - E.Value);
      P.Helps += IsPositive(Stretched - Noticeable, Method);
      P.Hurts += IsPositive(-Noticeable - Stretched, Method);
    }
    P.Helps /= double(Values.size());
    P.Hurts /= double(Values.size());
  } else {
    double Error = std::hypot(E.StdErr, Method);
    P.Helps = IsPositive(E.Value - Noticeable, Error);
    P.Hurts = IsPositive(-Noticeable - E.Value, Error);
  }
  P.Nothing = std::max(1 - P.Helps - P.Hurts, 0.0);
  return P;
}

} // namespace causal
