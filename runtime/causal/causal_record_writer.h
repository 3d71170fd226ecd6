//===- causal_record_writer.h - Writes the causal mode's records *- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gathers what causal_records.h puts into records, for the run.
//
// Context: the holder of the scheduler's lock, the sample handler included.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_RECORD_WRITER_H
#define CAUSAL_RECORD_WRITER_H

#include "causal/causal_records.h"

namespace __causal {

/// The experiment that endPointVisits() has just ended, with the waits for locks in it.
void writeExperiment(const ExperimentResult &E, const LockWaits &Waits, const SourceLines &Lines);

/// All sampled lines, and the losses.
void writeSnapshotRecords(const SnapshotFacts &F, const SourceLines &Lines);

} // namespace __causal

#endif // CAUSAL_RECORD_WRITER_H
