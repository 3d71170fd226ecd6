//===- causal_init.h - Start and end of the runtime -------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who starts what in which order; see causal_init.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INIT_H
#define CAUSAL_INIT_H

namespace __causal {

struct Flags;
/// Parsed at start-up, constant afterwards. Any context.
const Flags &flags();
/// CAUSAL_OPTIONS as it was given.
const char *optionsText();

/// The value of a variable in the environment that the program was started with, or
/// "". Start-up and fork only.
const char *environmentValue(const char *Name);

/// False in a vfork child: it shares our memory and must not touch any. A system
/// call; any context.
bool inOwnProcess();

/// Ends the profile: once per process, whoever is first of exit, quick_exit and
/// _exit. Does nothing in a vfork child. Not for handlers.
void finishProfile();

/// The calling thread is about to be forbidden system calls (seccomp): the profile
/// ends, and from then on the runtime makes none. Not for handlers.
void leaveBeforeSandbox();

} // namespace __causal

#endif // CAUSAL_INIT_H
