//===- causal_watch.h - Progress points without a change of source -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The other two kinds of progress points of the Coz paper (SOSP'15, 3.3). progress=PLACE
// counts how often a place in the source is executed, by breakpoints of the processor that
// the kernel counts in every thread; progress=PLACE:sampled counts the samples in it.
// progress_begin= and progress_end= are the ends of one latency point.
//
// A processor has four breakpoints; a place that was inlined takes several.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_WATCH_H
#define CAUSAL_WATCH_H

#include "causal/LineMapFormat.h"

#include <stdint.h>

namespace __causal {

/// One place that is counted.
struct Watch;
/// How often it was visited. Any context; a few system calls.
uint64_t visitsOf(const Watch &W);

/// Reads progress=, progress_begin= and progress_end=. Init only.
void initWatches();
/// An image has come: its places are counted from now on, in this thread and those that it
/// makes. Not for handlers.
void watchImage(const ::causal::linemap::FunctionRecord *Begin,
                const ::causal::linemap::FunctionRecord *End);
/// In the child of fork, which has none of the parent's events.
void restartWatches();

/// Now and then: a place that is executed so often that its breakpoint would take much of the
/// program's time is counted no more, and that is said. The holder of the scheduler's lock.
void limitWatches(uint64_t Now);

/// Whether samples are counted in places at all. Any context.
bool watchesSamples();
/// A sample that counts Weight times has PC as its first instrumented address. Sample handler.
void noteWatchedSample(uintptr_t PC, uint64_t Weight);

/// Says for which places no instrumented code was found. True if there are any. Not for
/// handlers.
bool reportUnfoundPlaces();

} // namespace __causal

#endif // CAUSAL_WATCH_H
