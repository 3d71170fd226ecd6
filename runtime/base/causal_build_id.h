//===- causal_build_id.h - The program's build-id ---------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Read from the note in memory; no file is opened.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_BUILD_ID_H
#define CAUSAL_BUILD_ID_H

namespace __causal {

/// The main program's build-id in hex, or "" when it has none. Once, at start-up;
/// then any context.
const char *buildId();

} // namespace __causal

#endif // CAUSAL_BUILD_ID_H
