//===- Execute.h - Become clang ---------------------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_WRAPPER_EXECUTE_H
#define CAUSAL_WRAPPER_EXECUTE_H

#include "CommandLine.h"

namespace causal {

/// Replaces this process by \p Cmd. Returns only on failure. A command line
/// that is too long for the kernel goes through a response file in memory.
llvm::Error execute(const Command &Cmd);

} // namespace causal

#endif // CAUSAL_WRAPPER_EXECUTE_H
