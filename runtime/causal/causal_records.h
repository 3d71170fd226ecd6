//===- causal_records.h - The causal mode's records -------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills the records that ProfileFormat.def has for mode causal, each after
// beginRecord(). Called by causal_record_writer.cpp. Pure code: the unit tests read
// with the tool's reader what this writes.
//
// Context: any; allocates and blocks never.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_RECORDS_H
#define CAUSAL_RECORDS_H

#include "base/causal_json.h"
#include "causal/experiment/causal_experiment.h"
#include "causal/experiment/causal_progress.h"
#include "code/causal_source_lines.h"

namespace __causal {

/// How often threads slept for locks, and for how long, all together; in nanoseconds.
struct LockWaits {
  uint64_t Count = 0, Time = 0;
};

/// What an experiment saw beside its result.
struct ExperimentFacts {
  LockWaits Waits;
  uint64_t Stolen = 0; ///< By the host of a virtual machine.
  bool WholeRun = false;
  unsigned Points = 0;
  PointVisits (*Visits)(unsigned) = nullptr; ///< Of each below Points.
};
void putExperiment(JsonRecord &R, const SourceLines &Lines, const ExperimentResult &E,
                   const ExperimentFacts &F);

void putLine(JsonRecord &R, const SourceLines &Lines, const SourceLines::Line &L,
             uint64_t Snapshot);

struct SnapshotFacts {
  uint64_t Index, Wall, Delay, UndelayedWall, Idle, UndelayedIdle;
  uint64_t SampledTime, Experiments, CPUTime;
  bool Final;
};
/// Sums over all threads.
struct SnapshotSums {
  uint64_t Lines, Paused, Weights, SquaredWeights, Unlocked;
  uint64_t Dropped, Late, Unmapped, OutOfScope, Oversleep, Forgiven;
  uint64_t Threads, UnsampledThreads, TimedThreads, Yields;
  bool Rewritten; ///< isRewritten(), where most samples have no line.
};
void putSnapshot(JsonRecord &R, TargetKind Kind, const SnapshotFacts &F, const SnapshotSums &S);

} // namespace __causal

#endif // CAUSAL_RECORDS_H
