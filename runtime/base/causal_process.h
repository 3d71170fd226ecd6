//===- causal_process.h - Options and owner of this process -----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the whole runtime asks about the process that it is in: the options that it was
// started with, and whether a vfork child has borrowed its memory. init/ sets it up.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PROCESS_H
#define CAUSAL_PROCESS_H

namespace __causal {

struct Flags;
/// Parsed at start-up, constant afterwards. Any context.
const Flags &flags();
/// CAUSAL_OPTIONS as it was given. Any context.
const char *optionsText();

/// The value of a variable in the environment that the program was started with, or
/// "". Init only, and in the child of fork.
const char *environmentValue(const char *Name);

/// False in a vfork child: it shares our memory and must not touch any. A system
/// call; any context.
bool inOwnProcess();

/// Remembers the environment, and returns the flags for init/ to fill in. Init only.
Flags &beginProcess(char **Environment);
/// The calling process is the one that the runtime's state belongs to. Init only, and in the
/// child of fork.
void ownProcess();

} // namespace __causal

#endif // CAUSAL_PROCESS_H
