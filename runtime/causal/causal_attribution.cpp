//===- causal_attribution.cpp - From a sample to its source line ----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses repeat, so what an address means is cached in one word: the address in
// the upper 48 bits, the line's id, or what else is known of it, in the lower 16.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_attribution.h"
#include "causal/causal_run.h"
#include "causal/experiment/causal_watch.h"
#include "causal/section/causal_critical_section.h"
#include "code/causal_images.h"
#include "code/causal_stack_walk.h"

using namespace __causal;

static constexpr unsigned CacheSize = 1 << 14;
static uint64_t Cache[CacheSize];
static uint64_t CacheGeneration;

// Id 0 of SourceLines is taken for "instrumented, but out of scope"; this one for
// "no line table here".
static constexpr uint32_t NotInstrumented = SourceLines::FirstReserved + 1;

static constexpr unsigned MaxInlineFrames = 64;
static constexpr unsigned MaxCallers = 256;

static uint32_t lookupUncached(uintptr_t PC) {
  linemap::Frame Frames[MaxInlineFrames];
  unsigned Count = lookupFrames(PC, Frames, MaxInlineFrames);
  if (!Count)
    return NotInstrumented;
  for (unsigned I = 0; I < Count; ++I)
    if (uint32_t Line = run().internLine(Frames[I]))
      return Line;
  return 0;
}

static uint32_t lookup(uintptr_t PC) {
  uint64_t *Entry = &Cache[(PC * 0x9E3779B97F4A7C15ull) >> 50];
  uint64_t Word = __atomic_load_n(Entry, __ATOMIC_RELAXED);
  if (Word >> 16 == PC)
    return static_cast<uint32_t>(Word & 0xffff);
  uint64_t Generation = imageGeneration();
  uint32_t Result = lookupUncached(PC);
  if (Result != SourceLines::Undecided && Generation == imageGeneration())
    __atomic_store_n(Entry, PC << 16 | Result, __ATOMIC_RELAXED);
  return Result;
}

static bool isInstrumented(uintptr_t PC) {
  linemap::Frame Innermost;
  return lookupFrames(PC, &Innermost, 1);
}

void __causal::forgetAttributions() {
  for (uint64_t &Word : Cache)
    __atomic_store_n(&Word, 0, __ATOMIC_RELAXED);
  forgetSections();
}

// Another thread may find an entry before it is dropped: a line of an image that has
// just gone, which is a line all the same.
static void dropStaleCache() {
  uint64_t Generation = imageGeneration();
  if (__atomic_exchange_n(&CacheGeneration, Generation, __ATOMIC_RELAXED) != Generation)
    forgetAttributions();
}

// progress=...:sampled counts samples by the innermost code that has a line table.
static void noteForProgress(const CausalThread &T, const ucontext_t &Context) {
  StackWalk Walk(T.Stack, UnwindRegisters(Context));
  for (unsigned I = 0; I < MaxCallers; ++I) {
    uintptr_t PC = Walk.registers().lookupPC();
    if (isInstrumented(PC))
      return noteWatchedSample(PC, T.SampleWeight);
    if (!Walk.up() && !Walk.scanUp(isInstrumented))
      return;
  }
}

uint32_t __causal::attribute(CausalThread &T, const ucontext_t &Context) {
  if (__atomic_load_n(&CacheGeneration, __ATOMIC_RELAXED) != imageGeneration())
    dropStaleCache();
  if (watchesSamples())
    noteForProgress(T, Context);
  if (T.TracksLocks) {
    uint32_t Section = T.Held.innermost();
    bool Known = Section != SourceLines::Undecided;
    T.Unlocked += Section ? 0 : T.SampleWeight;
    T.Dropped += !Known;
    return Known ? Section : 0;
  }
  StackWalk Walk(T.Stack, UnwindRegisters(Context));
  bool Instrumented = false;
  for (unsigned I = 0; I < MaxCallers; ++I) {
    uint32_t Line = lookup(Walk.registers().lookupPC());
    if (Line == SourceLines::Undecided)
      return 0;
    if (Line && Line != NotInstrumented)
      return Line;
    Instrumented |= Line == 0;
    if (!Walk.up() && !Walk.scanUp(isInstrumented))
      break;
  }
  (Instrumented ? T.OutOfScope : T.Unmapped) += T.SampleWeight;
  return 0;
}
