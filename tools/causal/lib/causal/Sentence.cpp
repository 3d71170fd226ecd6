//===- Sentence.cpp -------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/Sentence.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace causal {

namespace {

constexpr double Halfway = 50;
/// A second slope of less than this part of the first is "hardly anything".
constexpr double Hardly = 0.1;
/// Of the scatter, percent; with less --per-cpu-time makes little difference.
constexpr double WorthSaying = 75;

/// Percent of a fraction with no more digits than the interval supports.
std::string percent(double Fraction, double Width) {
  double Value = 100 * Fraction;
  if (std::fabs(Value) < 0.05)
    return "0";
  return (Width < 0.02 ? formatv("{0:f1}", Value) : formatv("{0:f0}", Value)).str();
}

/// "11 % less (9 to 13)", of the size of a gain or, with -1, of a loss.
std::string amount(Estimate E, int Sign, const char *Word) {
  double Low = Sign > 0 ? E.Low : -E.High, High = Sign > 0 ? E.High : -E.Low;
  double Width = High - Low;
  return formatv("{0} % {1} ({2} to {3})", percent(Sign * E.Value, Width), Word,
                 percent(Low, Width), percent(High, Width))
      .str();
}

/// The last gain is less than that at the knee, beyond what their intervals allow.
bool surelyFalls(const LineCurve &C) {
  double Last = GridStep * double(C.Grid.size() - 1);
  return C.gainAt(Last)->High < C.gainAt(std::min(100 * C.Fit.Knee, Last))->Low;
}

/// The curve may be a straight line, for all that is known: at its end the slope before the
/// knee would lead to within the interval; or it is not sure that it begins downhill.
bool mayBeStraight(const LineCurve &C) {
  double Last = GridStep * double(C.Grid.size() - 1);
  if (C.Fit.Slope <= 0)
    return C.gainAt(std::min(100 * C.Fit.Knee, Last))->High > 0;
  double Straight = C.Fit.Slope * Last / 100;
  Estimate End = *C.gainAt(Last);
  return End.Low <= Straight && Straight <= End.High;
}

/// How steep the curve that is drawn, which may be rounder than its pieces, is behind the knee,
/// as a part of what it is before.
double drawnBehindKnee(const LineCurve &C) {
  double Last = GridStep * double(C.Grid.size() - 1), Knee = std::min(100 * C.Fit.Knee, Last);
  double Before = C.gainAt(Knee)->Value, Behind = C.gainAt(Last)->Value - Before;
  return Last > Knee && Before > 0 ? Behind / (Last - Knee) / (Before / Knee) : 0;
}

/// What comes behind the knee; empty for a straight line.
std::string beyond(const LineCurve &C) {
  const CurveFit &F = C.Fit;
  if (F.Knee <= 0 || mayBeStraight(C))
    return "";
  std::string Where = formatv("; beyond {0:f0} % ", 100 * F.Knee).str();
  double Share = F.Slope != 0 ? F.slopeAfter() / F.Slope : 0;
  if (F.isSaturated() || (F.Slope > 0 && F.slopeAfter() < 0 && !surelyFalls(C))) {
    Share = drawnBehindKnee(C);
    if (Share < Hardly)
      return Where + "nothing more";
  } else if (F.slopeAfter() < 0)
    return Where + (F.Slope > 0 ? "it gets slower again" : "it gets worse");
  if (F.Slope <= 0)
    return Where + "it gets better";
  if (Share < Hardly)
    return Where + "hardly anything more";
  return Where + formatv("each further percent brings {0:f1} times as much", Share).str();
}

} // namespace

std::string describe(const LineCurve &C, PointKind Kind) {
  bool Latency = Kind == PointKind::Latency;
  const char *Subject = Latency ? "the latency" : "the program";
  const char *Takes = Latency ? "be" : "take", *Less = Latency ? "lower" : "less",
             *More = Latency ? "higher" : "more";
  double Last = GridStep * double(C.Grid.size() - 1);
  double At = std::min(Halfway, Last);
  switch (C.Says) {
  case Verdict::SpeedsUp: {
    if (C.Fit.Slope > 0 && C.Fit.slopeAfter() < Hardly * C.Fit.Slope)
      At = std::min(100 * C.Fit.Knee, Last);
    // Where the gain is surest, if it is not sure there.
    if (C.gainAt(At)->Low <= 0)
      At = C.Best.Speedup;
    return formatv("if this took {0:f0} % less time, {1} would {2} {3}{4}", At, Subject, Takes,
                   amount(*C.gainAt(At), 1, Less), beyond(C))
        .str();
  }
  case Verdict::SlowsDown: {
    for (double S = GridStep; S <= Last; S += GridStep)
      if (C.gainAt(S)->High < C.gainAt(At)->High)
        At = S;
    return formatv("if this took {0:f0} % less time, {1} would {2} {3}: it feeds "
                   "something contended, a lock or a queue{4}",
                   At, Subject, Takes, amount(*C.gainAt(At), -1, More),
                   C.Best.Gain.Low > 0 ? beyond(C) : "")
        .str();
  }
  case Verdict::NoEffect: {
    double Most = 0;
    for (const Estimate &E : C.Grid)
      Most = std::max(Most, std::max(E.High, -E.Low));
    Most = C.Ceiling > 0 ? std::min(Most, C.Ceiling) : Most;
    return formatv("making this faster changes {0} by less than {1:f1} %", Subject,
                   std::max(std::ceil(1000 * Most) / 10, 0.1))
        .str();
  }
  case Verdict::Unclear:
    break;
  }
  Estimate E = *C.gainAt(At);
  return formatv("not known yet: if this took {0:f0} % less time, {1} would {2} {3:f0} % {4} to "
                 "{5:f0} % "
                 "{6}{7}",
                 At, Subject, Takes, std::fabs(100 * E.Low), E.Low < 0 ? More : Less,
                 std::fabs(100 * E.High), E.High < 0 ? More : Less,
                 C.WithinMethodError
                     ? "; more experiments will not tell: virtual speedups err by as much"
                     : "")
      .str();
}

std::string describeWork(const PointSummary &Summary, WorkPrior Prior, bool AnyUnclear) {
  bool SaidSo = Prior == WorkPrior::Independent;
  double Percent = 100 * Summary.Work.Explains;
  if (!Summary.Work.Applies)
    return SaidSo ? formatv("--per-cpu-time is of no use here: CPU time explains {0:f0} % of the "
                            "scatter",
                            Percent)
                        .str()
                  : "";
  const char *More = "";
  if (SaidSo)
    More = Summary.Work.Depends
               ? ". Threads contend for caches or memory, or spin, whatever --per-cpu-time says: "
                 "what a unit takes depends on the delays"
               : ", and which delays do not change (--per-cpu-time)";
  else if (AnyUnclear && Summary.Work.MayDepend && !Summary.Work.Depends && Percent >= WorthSaying)
    More = ". Should threads contend for no cache or memory, --per-cpu-time makes intervals "
           "narrower yet";
  return formatv("units of work or the machine's speed differ: compared by what is done per "
                 "CPU time, which explains {0:f0} % of the scatter{1}",
                 Percent, More)
      .str();
}

std::string describeSum(ArrayRef<const LineCurve *> Curves, StringRef Target) {
  constexpr double Sure = 1.96;
  for (unsigned Percent : {50, 25}) {
    double Sum = 0, Variance = 0;
    unsigned Lines = 0;
    for (const LineCurve *C : Curves)
      if (C->Says == Verdict::SpeedsUp)
        if (std::optional<Estimate> Gain = C->gainAt(Percent)) {
          Sum += Gain->Value;
          Variance += Gain->StdErr * Gain->StdErr;
          ++Lines;
        }
    if (Lines > 1 && 100 * (Sum - Sure * std::sqrt(Variance)) > Percent)
      return formatv("gains do not add up: of {0} {1}s, each {2} % faster, they come to {3:f0} %, "
                     "and all code that much faster would bring {2} %. To know what several bring "
                     "together, list them: fixed_line=A,B",
                     Lines, Target, Percent, 100 * Sum)
          .str();
  }
  return "";
}

} // namespace causal
