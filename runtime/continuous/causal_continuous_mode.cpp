//===- causal_continuous_mode.cpp - The mode that is always on ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sample is one count in a segment that outlives the process, however that ends. There is
// nothing to write at the end, no thread, and no file but the segment.
//
//===----------------------------------------------------------------------===//
#include "continuous/causal_continuous_mode.h"
#include "base/causal_flags.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_report.h"
#include "causal/Features.h"
#include "continuous/causal_code_images.h"
#include "continuous/causal_segment_file.h"
#include "sampler/causal_budget.h"
#include "sampler/causal_sampler.h"
#include "thread/causal_thread.h"

using namespace __causal;
using segment::Segment;

// Of what threads that switch often may be slowed down by, by their events alone.
static constexpr uint64_t AffordablePercent = 1;

static Segment *Current;

static Segment *current() { return __atomic_load_n(&Current, __ATOMIC_ACQUIRE); }

static void begin() {
  Segment *S = makeSegment(flags().db, samplePeriod());
  if (S)
    beginCodeImages(*S);
  __atomic_store_n(&Current, S, __ATOMIC_RELEASE);
}

static void keepBudget() {
  uint32_t Budget = parseBudget(flags().budget);
  uint64_t Cost = Budget ? sampleCost() : 0;
  if (!Budget)
    CAUSAL_REPORT("causal: budget=%s is no share between 0.01%% and 50%%: samples come every "
                  "%llu us. Write budget=1%%\n",
                  flags().budget, static_cast<unsigned long long>(samplePeriod() / 1000));
  else if (Cost)
    setSamplePeriod(budgetPeriod(Cost, Budget));
  CAUSAL_VREPORT(1, "causal: a sample costs %llu ns, one comes every %llu us\n",
                 static_cast<unsigned long long>(Cost),
                 static_cast<unsigned long long>(samplePeriod() / 1000));
}

static bool start() {
  if (!*flags().db) {
    CAUSAL_REPORT("causal: mode=continuous needs a database: the program is not profiled. Set "
                  "db= in CAUSAL_OPTIONS to a directory\n");
    return false;
  }
  if (*flags().budget && !flags().sample_period_us)
    keepBudget();
  begin();
  return current() != nullptr;
}

static bool active() { return current() != nullptr; }

static uint64_t seconds() { return realTime() / 1000000000; }

static void sample(ThreadBase &T, ucontext_t &Context, uint64_t) {
  Segment *S = current();
  if (!S)
    return;
  uint64_t Weight = T.SampleWeight < segment::CountMask ? T.SampleWeight : segment::CountMask;
  auto PC = static_cast<uintptr_t>(Context.uc_mcontext.gregs[REG_RIP]);
  unsigned Image;
  uint64_t Address;
  switch (findCodeImage(*S, PC, Image, Address)) {
  case ImageSearch::Found:
    countSample(*S, Image, /*Event=*/0, Address, Weight, seconds);
    break;
  case ImageSearch::Unmapped:
    countUnmapped(*S, Weight);
    break;
  case ImageSearch::NoRoom:
    countDropped(*S, Weight);
    break;
  }
  // There is but one kind of time.
  spaceSamples(T, /*Episode=*/1, AffordablePercent);
}

static void stop() { __atomic_store_n(&Current, nullptr, __ATOMIC_RELEASE); }

// Other threads may be in a sample: what they count is still collected, the mapping stays.
static void finish() {
  Segment *S = current();
  stop();
  if (S)
    endSegment(S);
}

static void forked(ThreadBase *) {
  Segment *Parents = current();
  stop();
  if (Parents) {
    dropSegment(Parents);
    begin();
  }
}

static void ofThread(ThreadBase &) {}
static void construct(ThreadBase &, uintptr_t) {}
static void nothing() {}

const Mode __causal::ContinuousMode = {
    .Name = "continuous",
    .Needs = 0,
    .ThreadSize = sizeof(ThreadBase),
    .SamplesEveryThread = false,
    .DefaultPeriodUs = 2000,
    .PeriodSpread = 25,
    .start = start,
    .active = active,
    .construct = construct,
    .threadBegins = ofThread,
    .threadEnds = ofThread,
    .threadEnded = ofThread,
    .release = ofThread,
    .periodSet = nullptr,
    .sample = sample,
    .beforeExec = nothing,
    .holdOpen = nothing,
    .finish = finish,
    .leave = stop,
    .forget = nullptr,
    .lockTables = nothing,
    .unlockTables = nothing,
    .forked = forked,
};
