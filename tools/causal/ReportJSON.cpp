//===- ReportJSON.cpp - The report for programs ---------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schema is docs/formats.md; "version" grows when a field changes its
// meaning.
//
//===----------------------------------------------------------------------===//

#include "Report.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>

using namespace llvm;

namespace causal {

namespace {

constexpr int SchemaVersion = 1;

/// Six decimals at most: more would be noise.
json::Value number(double X) {
  double Rounded = std::round(X * 1e6) / 1e6;
  return std::fabs(Rounded) < 1e15 && Rounded == std::floor(Rounded)
             ? json::Value(int64_t(Rounded))
             : json::Value(Rounded);
}

json::Value percent(double Fraction) { return number(100 * Fraction); }

json::Object run(const Profile &P, const Run &R) {
  json::Object O{{"run", json::fixUTF8(R.Id)},
                 {"experiments", int64_t(R.Experiments.size())},
                 {"final", R.Last && R.Last->Final},
                 {"effective_ns", number(effectiveTime(P, R))}};
  if (R.Last) {
    O["wall_ns"] = R.Last->Wall;
    O["delay_ns"] = R.Last->Delay;
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
  }
  return O;
}

json::Object losses(const Losses &L) {
  return json::Object{
      {"dropped", L.Dropped},        {"late", L.Late},
      {"unmapped", L.Unmapped},      {"out_of_scope", L.OutOfScope},
      {"oversleep_ns", L.Oversleep}, {"forgiven_ns", L.Forgiven},
      {"threads", L.Threads},        {"unsampled_threads", L.UnsampledThreads}};
}

json::Object line(const ReportData &R, const LineCurve &C, unsigned Rank) {
  const SourceLine &L = R.P.lines()[C.Line];
  json::Array Predictions, Cells;
  for (unsigned S : R.At)
    if (std::optional<Estimate> E = C.gainAt(S))
      Predictions.push_back(json::Object{{"line_speedup", S},
                                         {"gain", percent(E->Value)},
                                         {"std_error", percent(E->StdErr)}});
  for (const Cell &Each : C.Cells) {
    Estimate E = C.gainOf(Each);
    Cells.push_back(
        json::Object{{"line_speedup", Each.Speedup},
                     {"experiments", Each.Experiments},
                     {"visits", number(Each.Visits)},
                     {"effective_ns", number(Each.Exposure)},
                     {"period_ns", number(Each.Period)},
                     {"period_std_error_ns", number(std::sqrt(Each.Variance))},
                     {"gain", percent(E.Value)},
                     {"std_error", percent(E.StdErr)}});
  }
  json::Object O{{"rank", Rank},
                 {"file", L.File},
                 {"line", L.Line},
                 {"function", L.Function},
                 {"verdict", toString(C.Says)},
                 {"bound", percent(C.Bound)},
                 {"sample_share", percent(C.SampleShare)},
                 {"experiments", C.Experiments},
                 {"visits", number(C.Visits)},
                 {"baseline", C.PooledBaseline ? "pooled" : "line"},
                 {"phase", json::Object{{"factor", number(C.Phase.Factor)},
                                        {"std_error", number(C.Phase.StdErr)},
                                        {"measured", number(C.Phase.Measured)},
                                        {"status", toString(C.Phase.Why)}}},
                 {"predictions", std::move(Predictions)},
                 {"cells", std::move(Cells)}};
  if (std::optional<std::string> Text = R.Source.line(L.File, L.Line))
    O["source"] = json::fixUTF8(*Text);
  return O;
}

json::Object point(const ReportData &R, const PointReport &PR) {
  const ProgressPoint &Point = R.P.points()[PR.Summary.Point];
  json::Array Lines;
  unsigned Rank = 0;
  for (const LineCurve &C : PR.Curves) {
    if (R.Top && Rank == R.Top)
      break;
    Lines.push_back(line(R, C, ++Rank));
  }
  json::Object O{
      {"name", Point.Name},
      {"kind", Point.Kind == PointKind::Latency ? "latency" : "throughput"},
      {"visits", number(PR.Summary.Visits)},
      {"effective_ns", number(PR.Summary.Exposure)},
      {"ranked_lines", int64_t(PR.Curves.size())},
      {"lines", std::move(Lines)}};
  if (PR.Summary.Baseline.Visits > 0)
    O["baseline_period_ns"] = number(PR.Summary.Baseline.Period);
  return O;
}

} // namespace

void writeJSON(const ReportData &R, raw_ostream &OS) {
  json::Array Runs, Points, Warnings;
  for (const Run &Each : R.P.runs())
    Runs.push_back(run(R.P, Each));
  for (const PointReport &PR : R.Points)
    Points.push_back(point(R, PR));
  for (const std::string &W : R.Warnings)
    Warnings.push_back(W);
  json::Object Document{{"version", SchemaVersion},
                        {"runs", std::move(Runs)},
                        {"losses", losses(R.Sum.Lost)},
                        {"warnings", std::move(Warnings)},
                        {"points", std::move(Points)}};
  if (R.Empty)
    Document["empty"] = json::Object{{"reason", R.Empty->Keyword},
                                     {"message", R.Empty->Sentence}};
  OS << formatv("{0:2}", json::Value(std::move(Document))) << '\n';
}

} // namespace causal
