//===- ReportJSON.cpp - The report for programs ---------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schema is docs/reference/formats.md; "version" grows when a field changes its
// meaning.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "lib/causal/Discards.h"
#include "lib/causal/RunTarget.h"
#include "lib/causal/Sentence.h"
#include "lib/causal/Unmeasured.h"
#include "lib/container/RunModes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace llvm;

namespace causal {

namespace {

constexpr int SchemaVersion = 1;
/// Source lines before and after.
constexpr unsigned Around = 3;
/// Points of the curve of a line that is not shown in detail: 0, 25, 50 %, ...
constexpr size_t CoarseStep = 5;

/// Six decimals at most: more would be noise. JSON has no number for what is not finite.
json::Value number(double X) {
  if (!std::isfinite(X))
    return nullptr;
  double Rounded = std::round(X * 1e6) / 1e6;
  return std::fabs(Rounded) < 1e15 && Rounded == std::floor(Rounded) ? json::Value(int64_t(Rounded))
                                                                     : json::Value(Rounded);
}

json::Value percent(double Fraction) { return number(100 * Fraction); }

json::Object run(const Profile &P, const Run &R, const Discards &Discarded) {
  int64_t Disturbed = 0, Idle = 0;
  for (auto [Index, Id] : R.Experiments) {
    Disturbed += Discarded.isDisturbed(P.experiments()[Id]);
    Idle += Discarded.isIdle(P.experiments()[Id]);
  }
  json::Object O{{"run", json::fixUTF8(R.Id)},
                 {"mode", toString(R.Mode)},
                 {"experiments", int64_t(R.Experiments.size())},
                 {"disturbed", Disturbed},
                 {"idle", Idle},
                 {"final", R.Last && R.Last->Final},
                 {"effective_ns", number(effectiveTime(P, R))}};
  if (R.Last) {
    O["wall_ns"] = R.Last->Wall;
    O["delay_ns"] = R.Last->Delay;
    O["idle_ns"] = R.Last->Idle;
  }
  if (R.HasHeader) {
    O["exe"] = R.Exe;
    O["build_id"] = R.BuildId;
    O["pid"] = R.Pid;
    O["host"] = R.Host;
    O["time"] = R.Time;
    O["options"] = R.Options;
    O["sampler"] = R.Sampler;
    O["period_ns"] = R.Period;
    O["kernel"] = R.SamplesKernel;
    if (R.Cores)
      O["cores"] = R.Cores;
  }
  return O;
}

json::Object losses(const Losses &L) {
  return json::Object{{"dropped", L.Dropped},        {"late", L.Late},
                      {"unmapped", L.Unmapped},      {"out_of_scope", L.OutOfScope},
                      {"oversleep_ns", L.Oversleep}, {"forgiven_ns", L.Forgiven},
                      {"threads", L.Threads},        {"unsampled_threads", L.UnsampledThreads},
                      {"yields", L.Yields},          {"timed_threads", L.TimedThreads},
                      {"cpu_time_ns", L.CPUTime},    {"sampled_time_ns", L.SampledTime}};
}

/// Value and 95 % interval, in percent.
json::Object gain(double Speedup, const Estimate &E) {
  return json::Object{{"line_speedup", number(Speedup)},
                      {"gain", percent(E.Value)},
                      {"low", percent(E.Low)},
                      {"high", percent(E.High)}};
}

json::Array predictions(const ReportData &R, const LineCurve &C) {
  json::Array Predictions;
  for (unsigned S : R.At)
    if (std::optional<Estimate> E = C.gainAt(S)) {
      json::Object O = gain(S, *E);
      O["std_error"] = percent(E->StdErr);
      Estimate Scatter = *C.scatterAt(S);
      O["scatter_low"] = percent(Scatter.Low);
      O["scatter_high"] = percent(Scatter.High);
      O["scatter_std_error"] = percent(Scatter.StdErr);
      Predictions.push_back(std::move(O));
    }
  return Predictions;
}

json::Array cells(const LineCurve &C) {
  json::Array Cells;
  for (const Cell &Each : C.Cells) {
    Estimate E = C.gainOf(Each);
    json::Object O = gain(Each.Speedup, E);
    O["experiments"] = Each.Experiments;
    O["visits"] = number(Each.Visits);
    O["effective_ns"] = number(Each.Exposure);
    O["period_ns"] = number(Each.Period);
    O["period_std_error_ns"] = number(std::sqrt(Each.Variance));
    O["std_error"] = percent(E.StdErr);
    Cells.push_back(std::move(O));
  }
  return Cells;
}

json::Object fit(const CurveFit &F) {
  bool Bent = F.Knee > 0;
  return json::Object{{"knee", Bent ? percent(F.Knee) : json::Value(nullptr)},
                      {"slope_before", number(F.Slope)},
                      {"slope_after", number(F.slopeAfter())},
                      {"gain_at_knee", Bent ? percent(F.at(F.Knee)) : json::Value(nullptr)}};
}

json::Array context(const ReportData &R, const SourceLine &L) {
  json::Array Lines;
  unsigned First = L.Line > Around ? L.Line - Around : 1;
  for (unsigned N = First; N <= L.Line + Around; ++N)
    if (std::optional<std::string> Text = R.Source.indented(L.File, N))
      Lines.push_back(json::Object{{"line", N}, {"text", json::fixUTF8(*Text)}});
  return Lines;
}

json::Array points(const LineCurve &C, size_t Step) {
  json::Array Points;
  for (size_t I = 0; I < C.Points.size(); I += Step) {
    const RawPoint &P = C.Points[I];
    Points.push_back(json::Array{P.Speedup, percent(P.Gain), number(P.Effective), P.Run});
  }
  return Points;
}

json::Array membersOf(const SourceLine &L) {
  json::Array Members;
  std::string Of = L.Kind == TargetKind::Function ? L.Function : std::to_string(L.Line);
  std::string Place = L.File + ":" + Of;
  for (StringRef Member : splitGroup(Place))
    Members.push_back(Member.str());
  return Members;
}

json::Object line(const ReportData &R, PointKind Kind, const LineCurve &C, unsigned Rank,
                  const JSONDetail &Detail) {
  bool Detailed = Rank <= Detail.Lines;
  const SourceLine &L = R.P.lines()[C.Line];
  json::Array Curve;
  for (size_t I = 0; I < C.Grid.size(); ++I)
    if (Detailed || I % CoarseStep == 0 || I + 1 == C.Grid.size())
      Curve.push_back(gain(double(I * GridStep), C.Grid[I]));
  json::Object O{{"rank", Rank},
                 {"file", L.File},
                 {"line", L.Line},
                 {"function", L.Function},
                 {"target", toString(L.Kind)},
                 {"verdict", toString(C.Says)},
                 {"sentence", describe(C, Kind)},
                 {"bound", percent(C.Bound)},
                 {"best", gain(C.Best.Speedup, C.Best.Gain)},
                 {"probability", json::Object{{"helps", number(C.Chances.Helps)},
                                              {"hurts", number(C.Chances.Hurts)},
                                              {"nothing", number(C.Chances.Nothing)}}},
                 {"sample_share", percent(C.SampleShare)},
                 {"delay_share", percent(C.Delays)},
                 {"experiments", C.Experiments},
                 {"visits", number(C.Visits)},
                 {"baseline", C.PooledBaseline ? "pooled" : "line"},
                 {"phase", json::Object{{"factor", number(C.Phase.Factor)},
                                        {"std_error", number(C.Phase.StdErr)},
                                        {"measured", number(C.Phase.Measured)},
                                        {"status", toString(C.Phase.Why)}}},
                 {"fit", fit(C.Fit)},
                 {"curve", std::move(Curve)}};
  if (isGroup(L))
    O["group"] = membersOf(L);
  std::optional<std::string> Text = R.Source.line(L.File, L.Line);
  if (Text)
    O["source"] = json::fixUTF8(*Text);
  if (!Detailed)
    return O;
  O["predictions"] = predictions(R, C);
  O["cells"] = cells(C);
  O["points"] = points(C, Detail.PointStep);
  if (Text)
    O["context"] = context(R, L);
  return O;
}

json::Object unmeasured(const Profile &P) {
  Unmeasured U = unmeasuredTargets(P);
  json::Object O{{"targets", U.Number}, {"sample_share", percent(U.Share)}};
  if (!U.Number)
    return O;
  const SourceLine &L = P.lines()[U.Hottest];
  O["hottest"] = json::Object{{"file", L.File},
                              {"line", L.Line},
                              {"function", L.Function},
                              {"target", toString(L.Kind)},
                              {"sample_share", percent(U.HottestShare)}};
  return O;
}

json::Object point(const ReportData &R, const PointReport &PR, const JSONDetail &Detail) {
  const ProgressPoint &Point = R.P.points()[PR.Summary.Point];
  json::Array Lines;
  unsigned Rank = 0;
  for (const LineCurve &C : PR.Curves) {
    if (R.Top && Rank == R.Top)
      break;
    ++Rank;
    Lines.push_back(line(R, Point.Kind, C, Rank, Detail));
  }
  json::Object O{{"name", Point.Name},
                 {"kind", wordsFor(Point.Kind).Kind},
                 {"visits", number(PR.Summary.Visits)},
                 {"effective_ns", number(PR.Summary.Exposure)},
                 {"ranked_lines", int64_t(PR.Curves.size())},
                 {"lines", std::move(Lines)}};
  if (PR.Summary.Baseline.Visits > 0)
    O["baseline_period_ns"] = number(PR.Summary.Baseline.Period);
  if (std::optional<double> Left = timeUntilClear(PR.Curves, KnownWell, R.Sum.Wall))
    O["time_until_clear_ns"] = number(*Left);
  if (!PR.Note.empty())
    O["note"] = PR.Note;
  return O;
}

} // namespace

json::Object makeJSON(const ReportData &R, const JSONDetail &Detail) {
  json::Array Runs, Points, Warnings;
  const Profile &All = R.All ? *R.All : R.P;
  Discards Discarded(All);
  for (const Run &Each : All.runs())
    Runs.push_back(run(All, Each, Discarded));
  for (const PointReport &PR : R.Points)
    Points.push_back(point(R, PR, Detail));
  for (const std::string &W : R.Warnings)
    Warnings.push_back(W);
  std::optional<TargetKind> Kind = targetKind(R.P);
  json::Object Document{
      {"version", SchemaVersion},        {"target", Kind ? toString(*Kind) : "target"},
      {"runs", std::move(Runs)},         {"losses", losses(R.Sum.Lost)},
      {"warnings", std::move(Warnings)}, {"unmeasured", unmeasured(R.P)},
      {"points", std::move(Points)}};
  if (!R.Group.empty())
    Document["group"] = json::fixUTF8(R.Group);
  for (const std::unique_ptr<ReportPart> &Part : R.Parts)
    Part->addJSON(R, Detail.ForPage, Document);
  if (R.Empty)
    Document["empty"] = json::Object{{"reason", R.Empty->Keyword}, {"message", R.Empty->Sentence}};
  return Document;
}

void writeJSON(const ReportData &R, raw_ostream &OS) {
  OS << formatv("{0:2}", json::Value(makeJSON(R, {}))) << '\n';
}

} // namespace causal
