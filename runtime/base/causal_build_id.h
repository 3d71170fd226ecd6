//===- causal_build_id.h - The build-ids of images --------------*- C++ -*-===//
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

/// A build-id in hex.
struct BuildIdText {
  char Text[2 * 64 + 1];
};
/// Finds one among the notes of an image; false, and nothing changes, if there is none. Any
/// context.
bool readBuildId(const char *Notes, const char *End, BuildIdText &Id);

} // namespace __causal

#endif // CAUSAL_BUILD_ID_H
