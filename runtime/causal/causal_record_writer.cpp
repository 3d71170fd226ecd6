//===- causal_record_writer.cpp - Writes the causal mode's records --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_record_writer.h.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_record_writer.h"
#include "base/causal_executable.h"
#include "base/causal_flags.h"
#include "base/causal_process.h"
#include "causal/ProfileFields.h"
#include "causal/causal_contention.h"
#include "causal/causal_run.h"
#include "causal/causal_thread_part.h"
#include "profile/causal_profile_writer.h"
#include "sampler/causal_lifetime.h"
#include "sampler/causal_sampler.h"

using namespace __causal;

void __causal::writeExperiment(const ExperimentResult &E, const LockWaits &Waits,
                               const SourceLines &Lines) {
  if (!openProfile())
    return;
  ExperimentFacts F;
  F.Waits = Waits;
  F.Stolen = stolenLately();
  F.WholeRun = flags().end_to_end;
  F.Points = pointVisitsCount();
  F.Visits = pointVisits;
  JsonRecord R = beginRecord(record::Experiment::Type);
  putExperiment(R, Lines, E, F);
  endRecord(R);
}

static uint64_t sumOf(uint64_t CausalThread::*Counter) {
  uint64_t Sum = 0;
  for (unsigned I = 0, N = threadSlots(); I < N; ++I)
    Sum += causalSlot(I).*Counter;
  return Sum;
}

static SnapshotSums sumsOverThreads(const SourceLines &Lines) {
  SnapshotSums S = {};
  for (unsigned I = 0, N = threadSlots(); I < N; ++I) {
    const CausalThread &T = causalSlot(I);
    S.Oversleep += T.OversleptBefore + T.Delay.Pausing.Overslept;
    S.Forgiven += T.ForgivenBefore + T.Delay.Forgiven;
  }
  S.Paused = sumOf(&CausalThread::Paused);
  S.Weights = sumOf(&CausalThread::Weights);
  S.SquaredWeights = sumOf(&CausalThread::SquaredWeights);
  S.Unlocked = sumOf(&CausalThread::Unlocked);
  S.Dropped = Lines.dropped() + sumOf(&CausalThread::Dropped);
  S.Late = sumOf(&CausalThread::Late);
  S.Unmapped = sumOf(&CausalThread::Unmapped);
  S.OutOfScope = sumOf(&CausalThread::OutOfScope);
  S.Threads = threadsBegun();
  S.UnsampledThreads = threadsUnsampled();
  S.TimedThreads = samplerKind() == SamplerKind::Timer ? 0 : threadsTimed();
  S.Yields = sumOf(&CausalThread::UnseenYields);
  return S;
}

void __causal::writeSnapshotRecords(const SnapshotFacts &F, const SourceLines &Lines) {
  if (!openProfile())
    return;
  uint64_t Count = 0;
  for (uint32_t I = 0, N = Lines.known(); I < N; ++I) {
    const SourceLines::Line *L = Lines.line(Lines.id(I)); // Null while it is being made.
    if (!L || !L->Samples)
      continue;
    ++Count;
    JsonRecord R = beginRecord(record::Line::Type);
    putLine(R, Lines, *L, F.Index);
    endRecord(R);
  }
  SnapshotSums S = sumsOverThreads(Lines);
  S.Lines = Count;
  S.Rewritten = F.Final && S.Unmapped > S.Weights / 2 && isRewritten();
  JsonRecord R = beginRecord(record::Snapshot::Type);
  putSnapshot(R, Lines.kind(), F, S);
  endRecord(R);
}
