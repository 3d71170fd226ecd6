//===- causal_empty_profile.cpp - Why a profile is empty ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An empty profile is what users of causal profilers ask about most.
//
//===----------------------------------------------------------------------===//
#include "base/causal_executable.h"
#include "base/causal_flags.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_report.h"
#include "causal/causal_run.h"
#include "causal/experiment/causal_progress.h"
#include "code/causal_images.h"
#include "profile/causal_profile_writer.h"
#include "sampler/causal_sampler.h"

using namespace __causal;

static constexpr uint64_t Millisecond = 1000000;

static void explainUnvisitedPoints() {
  char Names[256];
  TextBuffer Unvisited(Names, sizeof(Names));
  if (listUnvisitedPoints(Unvisited, /*HaveFunctions=*/true))
    CAUSAL_REPORT(
        "causal: no experiment was made: %s, named by -fcausal-progress or progress=, was "
        "found and never reached. Name a function or a line that is called for each unit of work\n",
        Names);
  else if (listUnvisitedPoints(Unvisited, /*HaveFunctions=*/false))
    CAUSAL_REPORT("causal: no experiment was made: no call was seen of %s, named by "
                  "-fcausal-progress. Look at the spelling, and that the file with the function "
                  "is built with both flags: -Rpass=causal shows there which functions were "
                  "found\n",
                  Names);
  else
    CAUSAL_REPORT("causal: no experiment was made: no progress point was reached. For a program "
                  "that does one job and ends use causal run --end-to-end; else put "
                  "CAUSAL_PROGRESS (causal/causal.h) or COZ_PROGRESS where a unit of work is "
                  "done, and build that file with -fcausal-profile\n");
}

// Experiments begin when a progress point has been visited. \p At: since the start.
static void explainLateVisits(uint64_t At, uint64_t Wall) {
  char Text[256];
  TextBuffer Visits(Text, sizeof(Text));
  listVisits(Visits);
  CAUSAL_REPORT("causal: no experiment was finished: the first visit of a progress point, before "
                "which there is none, came after %llu of %llu ms (visits: %s). Put CAUSAL_PROGRESS "
                "where a unit of work is done, in code that runs all the time, or use causal run "
                "--end-to-end\n",
                static_cast<unsigned long long>(At / Millisecond),
                static_cast<unsigned long long>(Wall / Millisecond), Text);
}

void Run::explainEmptyProfile() {
  if (Scheduler.finished()) {
    CAUSAL_VREPORT(1, "causal: %llu experiments in %s\n",
                   static_cast<unsigned long long>(Scheduler.finished()), profilePath());
    return;
  }
  uint64_t Samples = samples(), Wall = now() - Scheduler.begin();
  uint64_t Idle = FirstVisit ? FirstVisit - Scheduler.begin() : Wall;
  if (samplerKind() == SamplerKind::None)
    return; // initSampler() has said it.
  if (didNextToNothing() || (flags().end_to_end && InForkedChild))
    return;
  // A helper of a build or a test, whose caller may take a word on stderr for a failure.
  if (Samples < FewSamples && Wall < 100 * Millisecond && !flags().verbosity)
    return;
  if (!anyPointVisited() && !flags().end_to_end)
    explainUnvisitedPoints();
  else if (!imageCount())
    CAUSAL_REPORT("causal: no experiment was made: nothing in this program was "
                  "compiled with "
                  "-fcausal-profile (or it was stripped of its line table by -flto "
                  "without lld)\n");
  else if (Recent.empty() && Samples && targetKind() == TargetKind::Section)
    CAUSAL_REPORT("causal: no experiment was made: none of %llu samples fell into a critical "
                  "section whose lock is taken in a source file in scope. Locks are those of "
                  "POSIX, C11 and OpenMP; a program that waits without them is profiled by "
                  "target=line in CAUSAL_OPTIONS\n",
                  static_cast<unsigned long long>(Samples));
  else if (Recent.empty() && Samples && isRewritten())
    CAUSAL_REPORT("causal: no experiment was made: none of %llu samples fell into a source line: "
                  "the program was rewritten after it was linked (llvm-bolt), which its line "
                  "table does not follow. Profile the program that llvm-bolt was given\n",
                  static_cast<unsigned long long>(Samples));
  else if (Recent.empty() && Samples)
    CAUSAL_REPORT("causal: no experiment was made: none of %llu samples fell into a "
                  "source line in scope. "
                  "Build the code that does the work with -fcausal-profile, and look "
                  "at scope= and "
                  "exclude= in CAUSAL_OPTIONS\n",
                  static_cast<unsigned long long>(Samples));
  else if (*flags().fixed_line && !FixedLine)
    CAUSAL_REPORT("causal: no experiment was made: no sample fell into fixed_line=%s. "
                  "Give a line that %s%s\n",
                  flags().fixed_line,
                  targetKind() == TargetKind::Section
                      ? "takes a lock, in the function that gives it back as well"
                      : "code was generated for and that runs",
                  textHas(flags().fixed_line, ',') ? "; several are given with a file each" : "");
  else if (flags().end_to_end)
    CAUSAL_REPORT("causal: no experiment was made: the program ran for %llu ms, too short for "
                  "a sample in a line. Give it more work\n",
                  static_cast<unsigned long long>(Wall / Millisecond));
  else if (uint64_t WarmUp = static_cast<uint64_t>(flags().warmup_ms) * Millisecond;
           WarmUp > Wall / 2)
    CAUSAL_REPORT("causal: no experiment was finished: warmup_ms=%d puts the first one off, and "
                  "the program ran for %llu ms. Set it lower in CAUSAL_OPTIONS, or give the "
                  "program more work\n",
                  flags().warmup_ms, static_cast<unsigned long long>(Wall / Millisecond));
  else if (Wall > 2 * static_cast<uint64_t>(flags().experiment_ms) * Millisecond && Idle > Wall / 2)
    explainLateVisits(Idle, Wall);
  else
    CAUSAL_REPORT("causal: no experiment was finished: the program ran for %llu ms, "
                  "and an experiment "
                  "takes %d ms. Give it more work, or set experiment_ms= lower\n",
                  static_cast<unsigned long long>(Wall / Millisecond), flags().experiment_ms);
}
