//===- causal_progress.h - Progress points ----------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counters behind causal.h and coz.h, and what an experiment makes of them.
// Sites add to a counter themselves; the runtime only reads.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PROGRESS_H
#define CAUSAL_PROGRESS_H

#include "base/causal_text.h"
#include "causal/causal.h"
#include "causal/experiment/causal_visit_span.h"

#include <stdint.h>

namespace __causal {

/// The counter for a kind and name, made on first use; null when there is no room.
/// Kind: see causal.h. Any thread, also before start-up; not the sample handler.
causal_counter *getCounter(int Kind, const char *Name);

struct Watch;
/// A point whose visits Begins counts; with Ends, which may be null, a latency point. Name
/// stays. Init only.
void watchPoint(const char *Name, const Watch *Begins, const Watch *Ends);

/// The calling thread, the Index-th, counts where few others do from now on.
void countApart(unsigned Index);

/// For fork: nobody makes a point meanwhile.
void lockProgressPoints();
void unlockProgressPoints();

/// What one experiment saw of a point.
struct PointVisits {
  const char *Name;
  bool Latency;
  uint64_t Visits;     ///< Throughput: visits. Latency: ends.
  uint64_t Begins;     ///< Latency only.
  double InFlight;     ///< Latency only: averaged over effective time.
  VisitSpan Span;      ///< Of visits, or ends.
  VisitSpan Late;      ///< Of the last two fifths of the experiment.
  double LateInFlight; ///< Latency only.
};

// The following for the holder of the scheduler's lock. Times are effective (wall
// less delays), in nanoseconds; Work is the CPU time that the program has worked.
void beginPointVisits(uint64_t Time, uint64_t Work, bool WholeRun);
/// Points that have come up since then take part, with all of their visits: a WholeRun
/// begins before any, and with none.
void beginLatePointVisits(uint64_t Time, uint64_t Work);
/// Integrates the requests in flight (Little's law wants their time average), and
/// notes when visits are seen.
void pollPointVisits(uint64_t Time, ExperimentPart Part, uint64_t Work);
/// Ends the experiment; returns the visits of the least visited point among those
/// that were visited at all, 0 if none was.
uint64_t endPointVisits(uint64_t Time, uint64_t Work);
/// Whether, by this and earlier experiments, a point takes longer to get used to speedups
/// than they last (causal_settling.h). Once after endPointVisits().
bool settlesLate(uint32_t Line, uint32_t Speedup);
/// Number of points of the experiment just ended, and what it saw of each.
unsigned pointVisitsCount();
PointVisits pointVisits(unsigned Index);

/// Whether any point was ever visited.
bool anyPointVisited();
/// Names of those that never were: what -fcausal-progress made, and no function visited. Only
/// those of which a function was found, or only the others. Whether there are any.
bool listUnvisitedPoints(TextBuffer &To, bool HaveFunctions);
/// Names of those that were, with the number of their visits: "item: 1".
void listVisits(TextBuffer &To);

} // namespace __causal

#endif // CAUSAL_PROGRESS_H
