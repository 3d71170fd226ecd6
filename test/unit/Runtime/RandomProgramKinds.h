//===- RandomProgramKinds.h - The kinds of random programs ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list that RandomProgram.cpp draws from.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_RANDOM_PROGRAM_KINDS_H
#define CAUSAL_TEST_RANDOM_PROGRAM_KINDS_H

#include "RandomProgram.h"

namespace __causal {

struct ProgramKind {
  const char *Name;
  unsigned Lines, MinThreads;
  RandomProgram::Main Run;
};
extern const ProgramKind ProgramKinds[14];

} // namespace __causal

#endif // CAUSAL_TEST_RANDOM_PROGRAM_KINDS_H
