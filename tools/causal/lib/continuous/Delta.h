//===- Delta.h - What one round of collecting brought -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A delta is one file, so that it comes into being at once for all images. It also says
// which halves of which segments are in it: those must not be counted again.
//
//   "CAUSALD1", claims, {segment, generation} *, records, {epoch, record} *, CRC-32
//
// The N of N.delta grows. An image file says up to which delta it has been brought.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_DELTA_H
#define CAUSAL_CONTINUOUS_DELTA_H

#include "lib/continuous/Files.h"
#include "lib/continuous/ImageFile.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <set>

namespace causal::continuous {

struct Delta {
  /// Segments by file name, with the generation of the half that was folded.
  std::set<std::pair<std::string, uint64_t>> Claims;
  /// By epoch and ImageSamples::key().
  std::map<std::pair<std::string, std::string>, ImageSamples> Records;

  void add(const std::string &Epoch, const ImageSamples &S);
};

std::string encodeDelta(const Delta &D);
std::optional<Delta> decodeDelta(llvm::StringRef Bytes);

/// "12.delta" is 12.
std::optional<uint64_t> deltaNumber(llvm::StringRef Name);
std::string deltaName(uint64_t Number);
/// The deltas of a host's directory by number. \p Warn hears of those that are damaged.
std::map<uint64_t, Delta> readDeltas(const Directory &Host,
                                     llvm::function_ref<void(const llvm::Twine &)> Warn);

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_DELTA_H
