//===- causal_records.cpp - The causal mode's records ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_records.h.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_records.h"
#include "causal/ProfileFields.h"
#include "causal/causal_contention.h"

namespace __causal {

namespace record = ::causal::record;

template <typename Field>
static void putTarget(JsonRecord &R, const SourceLines &Lines, const SourceLines::Line &L) {
  R.field(Field::file, Lines.file(L));
  R.field(Field::line, L.Number);
  R.field(Field::function, L.Function);
  if (Lines.kind() == TargetKind::Section)
    R.field(Field::section, true);
}

static void putIfAny(JsonRecord &R, const char *Field, uint64_t Value) {
  if (Value)
    R.field(Field, Value);
}

static void putPoint(JsonRecord &R, const PointVisits &P) {
  using Field = record::Point;
  R.beginObject();
  R.field(Field::name, P.Name);
  R.field(Field::kind, P.Latency ? "latency" : "throughput");
  if (P.Latency) {
    R.field(Field::begins, P.Begins);
    R.field(Field::ends, P.Visits);
    R.fixed(Field::in_flight, P.InFlight);
  } else {
    R.field(Field::visits, P.Visits);
  }
  R.field(Field::span_visits, P.Span.Visits);
  R.field(Field::span, P.Span.Time);
  R.field(Field::span_work, P.Span.Work);
  R.field(Field::late_visits, P.Late.Visits);
  R.field(Field::late_span, P.Late.Time);
  R.field(Field::late_work, P.Late.Work);
  if (P.Latency)
    R.fixed(Field::late_in_flight, P.LateInFlight);
  R.endObject();
}

static void putWholeRun(JsonRecord &R) {
  using Field = record::Point;
  R.beginObject();
  R.field(Field::name, "run");
  R.field(Field::kind, "run");
  R.field(Field::visits, uint64_t(1));
  R.endObject();
}

void putExperiment(JsonRecord &R, const SourceLines &Lines, const ExperimentResult &E,
                   const ExperimentFacts &F) {
  using Field = record::Experiment;
  R.field(Field::index, E.Index);
  putTarget<Field>(R, Lines, *Lines.line(E.Line));
  R.field(Field::speedup, E.Speedup);
  R.field(Field::start, E.Start);
  R.field(Field::wall, E.Wall);
  R.field(Field::delay, E.Delay);
  R.field(Field::pause, E.Pause);
  R.field(Field::samples, E.Samples);
  R.field(Field::work, E.Work);
  putIfAny(R, Field::waited, E.Waited);
  putIfAny(R, Field::idle, E.Idle);
  putIfAny(R, Field::stolen, F.Stolen);
  R.field(Field::unsettled, E.Unsettled);
  R.fixed(Field::core_wait, E.CoreWait / double(Contention::One), 3);
  R.fixed(Field::threads_per_core, E.ThreadsPerCore / double(Contention::One), 3);
  if (E.Dilated)
    R.field(Field::dilated, true);
  if (F.Waits.Count) {
    R.field(Field::lock_waits, F.Waits.Count);
    R.field(Field::lock_wait_time, F.Waits.Time);
  }
  if (E.Spun)
    R.fixed(Field::spun, E.Spun / double(Contention::One), 3);
  R.beginArray(Field::points);
  for (unsigned I = 0; I < F.Points; ++I)
    putPoint(R, F.Visits(I));
  if (F.WholeRun)
    putWholeRun(R);
  R.endArray();
}

void putLine(JsonRecord &R, const SourceLines &Lines, const SourceLines::Line &L,
             uint64_t Snapshot) {
  using Field = record::Line;
  R.field(Field::snapshot, Snapshot);
  putTarget<Field>(R, Lines, L);
  R.field(Field::samples, L.Samples);
  R.field(Field::undelayed_samples, L.UndelayedSamples);
}

static void putLosses(JsonRecord &R, const SnapshotSums &S) {
  using Field = record::Losses;
  R.beginObject(record::Snapshot::losses);
  R.field(Field::dropped, S.Dropped);
  R.field(Field::late, S.Late);
  R.field(Field::unmapped, S.Unmapped);
  R.field(Field::out_of_scope, S.OutOfScope);
  R.field(Field::oversleep, S.Oversleep);
  R.field(Field::forgiven, S.Forgiven);
  R.field(Field::threads, S.Threads);
  R.field(Field::unsampled_threads, S.UnsampledThreads);
  putIfAny(R, Field::timed_threads, S.TimedThreads);
  putIfAny(R, Field::yields, S.Yields);
  R.endObject();
}

void putSnapshot(JsonRecord &R, TargetKind Kind, const SnapshotFacts &F, const SnapshotSums &S) {
  using Field = record::Snapshot;
  R.field(Field::index, F.Index);
  R.field(Field::final, F.Final);
  R.field(Field::wall, F.Wall);
  R.field(Field::delay, F.Delay);
  R.field(Field::paused, S.Paused);
  R.field(Field::undelayed_wall, F.UndelayedWall);
  putIfAny(R, Field::idle, F.Idle);
  putIfAny(R, Field::undelayed_idle, F.UndelayedIdle);
  R.field(Field::cpu_time, F.CPUTime);
  R.field(Field::sampled_time, F.SampledTime);
  if (S.SquaredWeights > S.Weights)
    R.fixed(Field::sample_weight, double(S.SquaredWeights) / double(S.Weights));
  R.field(Field::lines, S.Lines);
  R.field(Field::experiments, F.Experiments);
  if (Kind == TargetKind::Section)
    R.field(Field::unlocked, S.Unlocked);
  if (S.Rewritten)
    R.field(Field::rewritten, true);
  putLosses(R, S);
}

} // namespace __causal
