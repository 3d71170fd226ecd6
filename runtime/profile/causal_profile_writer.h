//===- causal_profile_writer.h - Appends records to the profile --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The container that every mode writes into (ProfileFormat.h): every record is one
// line and one write(2), so that what has been written survives whatever ends the
// program. The file is opened at the first record. A failure is reported once and
// the program goes on.
//
//   if (openProfile()) {
//     JsonRecord R = beginRecord(record::Line::Type);
//     R.field(record::Line::samples, Samples);
//     endRecord(R);
//   }
//
// Context: one thread at a time, the sample handler included: the caller holds a
// lock of its mode. Start and fork are not for handlers.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PROFILE_WRITER_H
#define CAUSAL_PROFILE_WRITER_H

#include "profile/causal_run_record.h"

namespace __causal {

/// Gathers what the run record says. Mode: its "mode", which outlives the run. Forgets an
/// open file, so that a child of fork opens its own.
void initProfileWriter(uint64_t RunId, const char *Mode);

/// What the run record says in mode input besides. Before the first record.
void setRunInput(unsigned Cell, const char *Cost, const char *Metric);

/// Opens the profile without a record in it.
void holdProfileOpen();

/// Opens the profile if it is not, and writes the run record if it is the first one. False
/// if there is no profile to write to.
bool openProfile();
/// In the writer's one buffer, after openProfile(). The type and the run are in it.
JsonRecord beginRecord(const char *Type);
/// Writes it, behind those that were gathered. One that is too long, or not closed, is left
/// out.
void endRecord(JsonRecord &R);
/// Keeps it, to be written together with those that follow: by writeGathered(), or when they
/// are many.
void gatherRecord(JsonRecord &R);
void writeGathered();

/// The descriptor that the profile's path is relative to, or -1: where the program
/// began, whatever it changes its root or directory to. Children of fork keep it.
int profileDirectory();

/// The expanded path of the profile.
const char *profilePath();

} // namespace __causal

#endif // CAUSAL_PROFILE_WRITER_H
