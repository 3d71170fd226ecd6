//===- SpeedupModel.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpeedupModel.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <tuple>

using namespace llvm;

namespace causal {

namespace {

constexpr double MinBaselineVisits = 5;
constexpr unsigned MinFreedom = 10, MinExperiments = 3;
constexpr unsigned GridStep = 5;
constexpr double RankZ = 1.64;
/// The verdict looks at many points of a curve and at many curves, so it asks
/// more.
constexpr double VerdictZ = 2.58;
constexpr double Noticeable = 0.005, Little = 0.03;

using Groups = std::map<unsigned, std::vector<Observation>>; // By speedup.

/// Nothing if the point did not exist yet when the experiment began.
std::optional<Observation> observe(const Experiment &E, unsigned Point,
                                   PointKind Kind) {
  for (const Measurement &M : E.Points) {
    if (M.Point != Point)
      continue;
    double Exposure = double(E.effective());
    double Amount =
        Kind == PointKind::Latency ? M.InFlight * Exposure : Exposure;
    return Observation{Exposure, Amount, double(M.Visits)};
  }
  return std::nullopt;
}

Dispersion dispersionOf(const Groups &G) {
  Dispersion D;
  for (const auto &[Speedup, Cell] : G)
    D.add(Cell);
  return D;
}

/// Of the experiments on one line.
double largestDelayShare(ArrayRef<const Experiment *> Experiments) {
  std::map<unsigned, std::pair<double, double>> BySpeedup; // Delay, wall.
  for (const Experiment *E : Experiments) {
    BySpeedup[E->Speedup].first += double(E->Delay);
    BySpeedup[E->Speedup].second += double(E->Wall);
  }
  double Largest = 0;
  for (const auto &[Speedup, Times] : BySpeedup)
    if (Times.second > 0)
      Largest = std::max(Largest, Times.first / Times.second);
  return Largest;
}

Verdict judge(const LineCurve &C) {
  unsigned Above = 0; // One experiment or two may just have been lucky.
  for (const Cell &Each : C.Cells)
    Above += Each.Speedup ? Each.Experiments : 0;
  if (Above < MinExperiments)
    return Verdict::Unclear;
  if (C.Ceiling < Noticeable)
    return Verdict::NoEffect;
  double Lower = -HUGE_VAL, Upper = -HUGE_VAL, LeastUpper = HUGE_VAL;
  bool Far = false; // A verdict of "no effect" needs to have looked far enough.
  for (unsigned S = 25; S <= 100; S += 25)
    if (std::optional<Estimate> E = C.gainAt(S)) {
      Lower = std::max(Lower, E->Value - VerdictZ * E->StdErr);
      Upper = std::max(Upper, E->Value + VerdictZ * E->StdErr);
      LeastUpper = std::min(LeastUpper, E->Value + VerdictZ * E->StdErr);
      Far |= S >= 75;
    }
  if (Lower > Noticeable)
    return Verdict::SpeedsUp;
  if (LeastUpper < -Noticeable)
    return Verdict::SlowsDown;
  return Far && Upper < Little ? Verdict::NoEffect : Verdict::Unclear;
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

Estimate LineCurve::corrected(Estimate Raw) const {
  return {Raw.Value * Phase.Factor,
          std::hypot(Raw.StdErr * Phase.Factor, Raw.Value * Phase.StdErr)};
}

std::optional<Estimate> LineCurve::gainAt(double Speedup) const {
  std::optional<SmallVector<double, 24>> Weights =
      localLinearWeights(Cells, Speedup);
  if (!Weights)
    return std::nullopt;
  return corrected(gainOver(baseline(), Cells, *Weights));
}

Estimate LineCurve::gainOf(const Cell &C) const {
  return corrected(gainOver(baseline(), C, 1.0));
}

std::vector<std::vector<const Experiment *>>
experimentsByLine(const Profile &P) {
  std::vector<std::vector<const Experiment *>> ByLine(P.lines().size());
  for (const Experiment &E : P.experiments())
    ByLine[E.Line].push_back(&E);
  return ByLine;
}

std::vector<LineCounts> samplesByLine(const Profile &P) {
  std::vector<LineCounts> Counts(P.lines().size());
  for (const Run &R : P.runs())
    if (R.Last)
      for (const auto &[Line, C] : R.Last->Lines) {
        Counts[Line].Samples += C.Samples;
        Counts[Line].UndelayedSamples += C.UndelayedSamples;
      }
  return Counts;
}

PointSummary summarize(const Profile &P, unsigned Point) {
  PointSummary Summary{};
  Summary.Point = Point;
  std::vector<Observation> Baseline;
  for (const Experiment &E : P.experiments())
    if (std::optional<Observation> O =
            observe(E, Point, P.points()[Point].Kind)) {
      Summary.Visits += O->Visits;
      Summary.Exposure += O->Exposure;
      if (E.Speedup == 0)
        Baseline.push_back(*O);
    }
  Dispersion Noise;
  Noise.add(Baseline);
  Summary.Baseline = makeCell(0, Baseline, Noise);
  return Summary;
}

std::vector<LineCurve> rankLines(const Profile &P, unsigned Point,
                                 const ModelOptions &Options) {
  PointKind Kind = P.points()[Point].Kind;
  auto ByLine = experimentsByLine(P);
  std::vector<Groups> ByCell(ByLine.size());
  Dispersion Everywhere;
  for (size_t Line = 0; Line < ByLine.size(); ++Line) {
    for (const Experiment *E : ByLine[Line])
      if (std::optional<Observation> O = observe(*E, Point, Kind))
        ByCell[Line][E->Speedup].push_back(*O);
    Dispersion D = dispersionOf(ByCell[Line]);
    Everywhere.SquaredResiduals += D.SquaredResiduals;
    Everywhere.Freedom += D.Freedom;
  }
  Cell Pooled = summarize(P, Point).Baseline;

  std::vector<LineCounts> Counts = samplesByLine(P);
  double AllSamples = 0;
  for (const LineCounts &C : Counts)
    AllSamples += double(C.Samples);

  std::vector<LineCurve> Curves;
  for (size_t Line = 0; Line < ByLine.size(); ++Line) {
    const Groups &G = ByCell[Line];
    Dispersion Own = dispersionOf(G);
    const Dispersion &Noise = Own.Freedom >= MinFreedom ? Own : Everywhere;
    LineCurve C{};
    C.Line = Line;
    Cell Baseline;
    for (const auto &[Speedup, Observations] : G) {
      Cell Here = makeCell(Speedup, Observations, Noise);
      C.Experiments += Here.Experiments;
      C.Visits += Here.Visits;
      if (Speedup == 0)
        Baseline = Here;
      else if (Here.Visits > 0)
        C.Cells.push_back(Here);
    }
    if (C.Cells.empty())
      continue;
    if (Baseline.Visits < MinBaselineVisits) {
      C.PooledBaseline = true;
      Baseline = Pooled;
    }
    // A latency of zero cannot become shorter.
    if (Baseline.Visits < MinBaselineVisits || Baseline.Period <= 0)
      continue;
    C.Cells.insert(C.Cells.begin(), Baseline);
    if (AllSamples > 0)
      C.SampleShare = double(Counts[Line].Samples) / AllSamples;
    if (Options.PhaseCorrection)
      C.Phase = phaseCorrection(P, Line, ByLine[Line]);
    else
      C.Phase.Why = PhaseFactor::Disabled;
    C.Bound = -HUGE_VAL;
    for (unsigned S = GridStep; S <= 100; S += GridStep)
      if (std::optional<Estimate> E = C.gainAt(S))
        C.Bound = std::max(C.Bound, E->Value - RankZ * E->StdErr);
    C.Ceiling = largestDelayShare(ByLine[Line]) * C.Phase.Factor;
    C.Bound = std::min(C.Bound, C.Ceiling);
    C.Says = judge(C);
    Curves.push_back(std::move(C));
  }
  llvm::sort(Curves, [](const LineCurve &A, const LineCurve &B) {
    return std::tie(B.Bound, A.Line) < std::tie(A.Bound, B.Line);
  });
  return Curves;
}

} // namespace causal
