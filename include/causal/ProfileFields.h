//===- ProfileFields.h - Names of records and fields ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ProfileFormat.def as constants: record::Experiment::Type is "experiment" and
// record::Experiment::wall is "wall". The runtime's writers and the tool's readers
// write no such name themselves.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PROFILEFIELDS_H
#define CAUSAL_PROFILEFIELDS_H

namespace causal::record {

// clang-format off
#define CAUSAL_RECORD(Record, Text, Modes, Doc) struct Record { static constexpr char Type[] = Text;
#define CAUSAL_OBJECT(Record, Doc) struct Record {
#define CAUSAL_FIELD(Record, Name, Kind, Need, Doc) static constexpr char Name[] = #Name;
#define CAUSAL_RECORD_END(Record) };
// clang-format on
#include "causal/ProfileFormat.def"

/// Of every record.
inline constexpr char TypeField[] = "type";

} // namespace causal::record

#endif // CAUSAL_PROFILEFIELDS_H
