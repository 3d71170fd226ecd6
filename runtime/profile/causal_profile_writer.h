//===- causal_profile_writer.h - Appends records to the profile --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes ProfileFormat.h: every record is one line and one write(2), so that what
// has been written survives whatever ends the program. The file is opened at the
// first record. A failure is reported once and the program goes on.
//
// Context: the holder of the scheduler's lock, the sample handler included; start
// and fork are not for handlers.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PROFILE_WRITER_H
#define CAUSAL_PROFILE_WRITER_H

#include "causal/experiment/causal_experiment.h"
#include "code/causal_source_lines.h"

namespace __causal {

struct LockWaits;

/// Gathers what the run record says, and draws a run id. Forgets an open file, so
/// that a child of fork opens its own.
void initProfileWriter(uint64_t RunId);

/// Opens the profile, which otherwise the first record does.
void holdProfileOpen();

/// The experiment that endPointVisits() has just ended, with the waits for locks in it.
void writeExperiment(const ExperimentResult &E, const LockWaits &Waits, const SourceLines &Lines);

struct SnapshotFacts {
  uint64_t Index, Wall, Delay, UndelayedWall, Idle, UndelayedIdle;
  uint64_t SampledTime, Experiments, CPUTime;
  bool Final;
};
/// All sampled lines, and the losses.
void writeSnapshotRecords(const SnapshotFacts &F, const SourceLines &Lines);

/// The descriptor that the profile's path is relative to, or -1: where the program
/// began, whatever it changes its root or directory to. Children of fork keep it.
int profileDirectory();

/// The expanded path of the profile.
const char *profilePath();

} // namespace __causal

#endif // CAUSAL_PROFILE_WRITER_H
