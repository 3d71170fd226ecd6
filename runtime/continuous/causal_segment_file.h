//===- causal_segment_file.h - This process's segment -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the file DB/spool/HOST.PID.TIME.seg and maps it. No descriptor stays open: the lock
// by which collectors know that the process lives goes with the mapping. Init only, and in
// the child of fork, unless it says otherwise.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SEGMENT_FILE_H
#define CAUSAL_SEGMENT_FILE_H

#include "causal/SegmentFormat.h"

namespace __causal {

namespace segment = ::causal::segment;

/// A new segment in the database. Null, and it has said why, if there cannot be one.
segment::Segment *makeSegment(const char *Database, uint64_t Period);

/// Lets go of a segment that is the parent's.
void dropSegment(segment::Segment *S);

/// No more samples are to come. One without any is removed. Exit only.
void endSegment(segment::Segment *S);

} // namespace __causal

#endif // CAUSAL_SEGMENT_FILE_H
