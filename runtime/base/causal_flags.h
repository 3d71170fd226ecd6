//===- causal_flags.h - CAUSAL_OPTIONS --------------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime's flags (causal_flags.inc), with their parser, which the tool uses as
// well. Flags are name=value, separated by ':' or white space; a value with one of
// these in it is quoted, '..' or "..". In free text a ':' needs no quotes unless name=
// of a flag follows (fixed_line=a.c:7). Empty items mean nothing. Commas belong to the
// value, other than in the sanitizers: scope lists need them.
//
// The parser never ends the program: what it cannot use it reports in one line,
// and the flag keeps its value.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_FLAGS_H
#define CAUSAL_FLAGS_H

#include "base/causal_text.h"
#include "causal/ProfileFormat.h"

namespace __causal {

/// The least CPU time between two samples of a thread. The kernel's interrupt and our
/// signal took 20 us of it in a virtual machine; a timer that expires again before its
/// own interrupt is over leaves a thread no time at all (seen for 40 s, at 10 us).
constexpr int LeastSamplePeriodUs = 50;
/// The least CPU time before the first one, by a timer that expires only once. It is the
/// kernel's own.
constexpr int LeastFirstPeriodUs = 10;

struct Flags {
#define CAUSAL_FLAG(Type, Name, Default, Description) Type Name = Default;
#include "base/causal_flags.inc"

  constexpr Flags() = default;
  // The string flags may point into Storage.
  Flags(const Flags &) = delete;
  Flags &operator=(const Flags &) = delete;

  static constexpr unsigned StorageSize = 4096;
  char Storage[StorageSize] = {};
  unsigned StorageUsed = 0;
};

/// Sets the flags named in Text, the last mention wins. Text may be null. Init
/// only; allocates and blocks never. Report gets a line for every flag that is
/// unknown (with the nearest known name), malformed or out of range, and for
/// values that contradict each other (these are brought to agree).
void parseFlags(Flags &F, const char *Text, const LineReporter &Report);

/// Gives every flag with its description and value to Print, line by line, in
/// the form of the sanitizers' help=1. Init only; allocates and blocks never.
void describeFlags(const Flags &F, const LineReporter &Print);

} // namespace __causal

#endif // CAUSAL_FLAGS_H
