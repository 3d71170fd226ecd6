//===- SegmentReader.h - What a segment says --------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Folds halves of a segment (causal/SegmentFormat.h), of which it has a copy: nobody changes
// that meanwhile. What it says is not trusted. Pure; the fuzzer runs it.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_SEGMENTREADER_H
#define CAUSAL_CONTINUOUS_SEGMENTREADER_H

#include "lib/continuous/ImageFile.h"

#include "causal/SegmentFormat.h"

#include <vector>

namespace causal::continuous {

/// The samples of one half.
struct FoldedHalf {
  uint64_t Began = 0; ///< In seconds since 1970.
  uint64_t Samples = 0, Dropped = 0, Unmapped = 0;
  /// Of Dropped, those of samples during which the process was killed.
  uint64_t Torn = 0;
  std::vector<ImageSamples> Images;
};

/// Whether a copy of \p Size bytes is a segment.
bool isSegment(const segment::Segment &S, size_t Size);

/// The half of \p Generation. Nothing, if it contradicts itself.
std::optional<FoldedHalf> foldHalf(const segment::Segment &S, uint64_t Generation);

/// The generations that hold samples, of a process that has ended.
std::vector<uint64_t> filledGenerations(const segment::Segment &S);

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_SEGMENTREADER_H
