//===- CozExport.cpp ------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/export/CozExport.h"

#include "lib/container/SourceText.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace llvm;

namespace causal {

namespace {

struct Exported {
  double Samples = 0, Time = 0;
};

/// What readers will find of each line, over the exported experiments.
struct Selection {
  std::set<std::tuple<unsigned, unsigned, unsigned>> Visited; // Line, speedup, point.
  std::vector<Exported> Lines;
  unsigned Experiments = 0;

  explicit Selection(const Profile &P) : Lines(P.lines().size()) {
    for (const Experiment &E : P.experiments())
      for (const Measurement &M : E.Points)
        if (M.Visits > 0)
          Visited.insert({E.Line, E.Speedup, M.Point});
    for (const Experiment &E : P.experiments()) {
      if (!holds(E))
        continue;
      ++Experiments;
      Lines[E.Line].Samples += double(E.Samples);
      Lines[E.Line].Time += double(E.effective());
    }
  }
  bool holds(const Experiment &E, const Measurement &M) const {
    return Visited.count({E.Line, E.Speedup, M.Point});
  }
  bool holds(const Experiment &E) const {
    return std::any_of(E.Points.begin(), E.Points.end(),
                       [&](const Measurement &M) { return holds(E, M); });
  }
};

} // namespace

Error exportCoz(const Profile &P, const ModelOptions &Options, raw_ostream &OS) {
  Selection Chosen(P);
  if (!Chosen.Experiments)
    return createStringError(inconvertibleErrorCode(),
                             "there is no experiment with a visited progress "
                             "point to export; causal report says why");

  int64_t Startup = 0;
  double Runtime = 0;
  for (const Run &R : P.runs()) {
    Runtime += effectiveTime(P, R);
    if (R.HasHeader && (!Startup || R.Time < Startup))
      Startup = R.Time;
  }
  OS << "startup\ttime=" << Startup << '\n';

  for (const Run &R : P.runs())
    for (auto [Index, Id] : R.Experiments) {
      const Experiment &E = P.experiments()[Id];
      if (!Chosen.holds(E))
        continue;
      const SourceLine &L = P.lines()[E.Line];
      OS << "experiment\tselected=" << placeOf(L, L.File)
         << "\tspeedup=" << format("%.2f", E.Speedup / 100.0) << "\tduration=" << E.effective()
         << "\tselected-samples=" << E.Samples << '\n';
      for (const Measurement &M : E.Points) {
        if (!Chosen.holds(E, M))
          continue;
        const ProgressPoint &Point = P.points()[M.Point];
        if (Point.Kind != PointKind::Latency)
          OS << "throughput-point\tname=" << printable(Point.Name) << "\tdelta=" << M.Visits
             << '\n';
        else
          OS << "latency-point\tname=" << printable(Point.Name) << "\tarrivals=" << M.Begins
             << "\tdepartures=" << M.Visits
             << "\tdifference=" << std::llround(std::max(M.InFlight, 0.0)) << '\n';
      }
    }

  OS << "runtime\ttime=" << std::llround(Runtime) << '\n';
  auto ByLine = experimentsByLine(P);
  Discards Discarded(P);
  for (unsigned Line = 0; Line < P.lines().size(); ++Line) {
    const Exported &X = Chosen.Lines[Line];
    double Density = undelayedDensity(P, Line, Discarded).value();
    if (X.Time > 0) {
      double Factor =
          Options.PhaseCorrection ? phaseCorrection(P, Line, ByLine[Line], Discarded).Factor : 1;
      Density = X.Samples / X.Time * Factor;
    }
    if (int64_t Count = std::llround(Runtime * Density))
      OS << "samples\tlocation=" << placeOf(P.lines()[Line], P.lines()[Line].File)
         << "\tcount=" << Count << '\n';
  }
  return Error::success();
}

} // namespace causal
