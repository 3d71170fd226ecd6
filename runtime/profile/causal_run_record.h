//===- causal_run_record.h - How every record and run begins ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills records in a buffer; the profile writer writes them. Pure code: the unit
// tests read with the tool's reader what this writes.
//
// Context: any; allocates and blocks never.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_RUN_RECORD_H
#define CAUSAL_RUN_RECORD_H

#include "base/causal_json.h"
#include "causal/ProfileFields.h"

namespace __causal {

namespace record = ::causal::record;

struct RunFacts {
  const char *Mode, *Exe, *BuildId, *Host, *Options, *Sampler;
  uint64_t Pid, Time, Period;
  unsigned Cores;
  bool SamplesKernel;
  /// Mode input. A cell of 0 bytes: another mode.
  unsigned Cell = 0;
  const char *Cost = nullptr, *Metric = nullptr;
};

/// Begins a record of that type (record::Experiment::Type) of the run.
void putRecord(JsonRecord &R, const char *Type, const char *RunId);

/// All of a run record but its end.
void putRun(JsonRecord &R, const char *RunId, const RunFacts &F);

} // namespace __causal

#endif // CAUSAL_RUN_RECORD_H
