//===- causal_run_record.cpp - How every record and run begins ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_run_record.h.
//
//===----------------------------------------------------------------------===//
#include "profile/causal_run_record.h"
#include "causal/ProfileFormat.h"

namespace __causal {

void putRecord(JsonRecord &R, const char *Type, const char *RunId) {
  R.begin();
  R.field(record::TypeField, Type);
  R.field(record::Run::run, RunId); // By this name in all records.
}

void putRun(JsonRecord &R, const char *RunId, const RunFacts &F) {
  using Field = record::Run;
  // The version comes first, so that it is known even of a record that is cut off.
  R.begin();
  R.field(record::TypeField, Field::Type);
  R.field(Field::version, CAUSAL_PROFILE_VERSION);
  R.field(Field::run, RunId);
  R.field(Field::mode, F.Mode);
  R.field(Field::exe, F.Exe);
  R.field(Field::build_id, F.BuildId);
  R.field(Field::pid, F.Pid);
  R.field(Field::host, F.Host);
  R.field(Field::time, F.Time);
  R.field(Field::options, F.Options);
  R.field(Field::sampler, F.Sampler);
  if (!F.SamplesKernel)
    R.field(Field::kernel, false);
  R.field(Field::period, F.Period);
  R.field(Field::cores, F.Cores);
  if (F.Cell) {
    R.field(Field::cell, F.Cell);
    R.field(Field::cost, F.Cost);
    R.field(Field::metric, F.Metric);
  }
}

} // namespace __causal
