//===- ProfileFormat.h - The .causal profile ---------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile is JSON Lines: one record a line, appended, each line written by one
// write(2). The runtime writes it and never reads it; the tool reads it. Several
// runs may stand in one file, of several modes, interleaved: every record names its
// run. A reader skips (and counts) lines that do not parse and unknown types, and
// ignores unknown fields. ProfileFormat.def has the records.
//
// Version 2 has "mode" in the run record; version 1, which lacks it, is read.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PROFILEFORMAT_H
#define CAUSAL_PROFILEFORMAT_H

#define CAUSAL_PROFILE_VERSION 2
#define CAUSAL_PROFILE_DEFAULT_NAME "default.causal"

// A run with CAUSAL_OPTIONS=control=FILE looks into FILE before each experiment. As
// long as it begins with this word no experiment begins; the runtime writes a
// snapshot and then disturbs the program no more than its samples do. A file that
// is empty, missing or says anything else lets the experiments go on.
#define CAUSAL_CONTROL_STOP "stop"

#endif // CAUSAL_PROFILEFORMAT_H
