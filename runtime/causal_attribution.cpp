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
#include "causal_attribution.h"
#include "causal_images.h"
#include "causal_run.h"
#include "causal_syscall.h"
#include "causal_unwind.h"

#include <dlfcn.h>
#include <errno.h>

using namespace __causal;

static constexpr unsigned CacheSize = 1 << 14;
static uint64_t Cache[CacheSize];
static uint64_t CacheGeneration;
static UnwindCache Rules;

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

void __causal::forgetAttributions() {
  for (uint64_t &Word : Cache)
    __atomic_store_n(&Word, 0, __ATOMIC_RELAXED);
}

// Another thread may find an entry before it is dropped: a line of an image that has
// just gone, which is a line all the same.
static void dropStaleCache() {
  uint64_t Generation = imageGeneration();
  if (__atomic_exchange_n(&CacheGeneration, Generation, __ATOMIC_RELAXED) !=
      Generation)
    forgetAttributions();
}

// Where the stack that SP lies on is known to end. The thread's own stack ends where
// the thread began; on another one (a coroutine's, an alternative one for signals)
// only what can be read now may be read: the kernel is asked, page by page.
static uintptr_t stackHigh(const Thread &T, uintptr_t SP) {
  constexpr uintptr_t Page = 4096, MaxForeign = 32 * Page;
  if (SP < T.StackHigh && SP >= T.StackLow)
    return T.StackHigh;
  uintptr_t High = SP & ~(Page - 1);
  // An impossible `how`: EFAULT if the set cannot be read, EINVAL otherwise.
  while (High < SP + MaxForeign &&
         systemCall(SYS_rt_sigprocmask, ~0ull, High, 0, 8) == -EINVAL)
    High += Page;
  return High;
}

uint32_t __causal::attribute(Thread &T, const ucontext_t &Context) {
  if (__atomic_load_n(&CacheGeneration, __ATOMIC_RELAXED) != imageGeneration())
    dropStaleCache();
  UnwindRegisters R(Context);
  uintptr_t StackLow = R.SP, High = stackHigh(T, R.SP);
  bool Instrumented = false;
  for (unsigned I = 0; I < MaxCallers; ++I) {
    uint32_t Line = lookup(R.lookupPC());
    if (Line == SourceLines::Undecided)
      return 0;
    if (Line && Line != NotInstrumented)
      return Line;
    Instrumented |= Line == 0;
    if (!unwindStep(R, StackLow, High, Rules))
      break;
    // A signal has switched stacks.
    if (R.SP < StackLow || R.SP >= High) {
      StackLow = R.SP;
      High = stackHigh(T, R.SP);
    }
  }
  ++(Instrumented ? T.OutOfScope : T.Unmapped);
  return 0;
}

void __causal::initAttribution() {
#ifndef CAUSAL_STATIC
  unwindSetFindObject(dlsym(RTLD_DEFAULT, "_dl_find_object"));
#endif
  unwindRefreshModules();
}
