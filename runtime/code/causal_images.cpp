//===- causal_images.cpp - The line tables of the loaded images -----------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fixed table; a slot is published by its Begin, so that the sample handler
// reads it without a lock. Code that is being sampled is loaded, and so is its
// table: dlclose of code that still runs is the program's own error. Of an image that may
// be unloaded, one that came later than the program's start, nothing else is read: what
// other code would be looked up in, the range and whether it is sorted, is known beforehand.
//
//===----------------------------------------------------------------------===//
#include "code/causal_images.h"
#include "base/causal_report.h"
#include "base/causal_runtime_lock.h"
#include "code/causal_unwind.h"

#include "sanitizer_common/sanitizer_common.h"

using namespace __causal;
using linemap::FunctionRecord;

namespace {
struct Image {
  const FunctionRecord *Begin, *End;
  uintptr_t Low, High;
  /// Linkers sort the table. One that was merged by `ld -r` may not be: then it
  /// is searched from end to end.
  enum : uint8_t { Unknown, Sorted, Unsorted } Order;
};
constexpr unsigned MaxImages = 1024;
} // namespace

static Image Images[MaxImages];
static unsigned Used;
static uint64_t Generation;
static __sanitizer::StaticSpinMutex Mutex;

void __causal::lockImages() { Mutex.Lock(); }
void __causal::unlockImages() { Mutex.Unlock(); }

static void voidCachedLookups() { __atomic_fetch_add(&Generation, 1, __ATOMIC_RELEASE); }

static const FunctionRecord *beginOf(const Image &I) {
  return __atomic_load_n(&I.Begin, __ATOMIC_ACQUIRE);
}

static void findOrder(Image &I, const FunctionRecord *Begin) {
  I.Order = linemap::isSorted(Begin, I.End) ? Image::Sorted : Image::Unsorted;
  if (I.Order == Image::Sorted)
    return;
  for (const FunctionRecord *Each = Begin; Each != I.End; ++Each) {
    uintptr_t Low = linemap::start(Each), High = Low + Each->Size;
    I.Low = Low < I.Low ? Low : I.Low;
    I.High = High > I.High ? High : I.High;
  }
}

void __causal::registerImage(const FunctionRecord *Begin, const FunctionRecord *End,
                             bool StaysLoaded) {
  if (Begin == End)
    return; // Nothing in this image was instrumented.
  {
    RuntimeLock Lock(Mutex);
    Image *Free = nullptr;
    for (unsigned I = 0; I < Used; ++I) {
      if (Images[I].Begin == Begin)
        return;
      if (!Images[I].Begin)
        Free = &Images[I];
    }
    if (!Free && Used < MaxImages)
      Free = &Images[Used];
    if (!Free) {
      CAUSAL_REPORT("causal: more than %u instrumented images are "
                    "loaded: the rest is not "
                    "profiled\n",
                    MaxImages);
      return;
    }
    Free->End = End;
    Free->Low = linemap::start(Begin);
    Free->High = linemap::start(End - 1) + End[-1].Size;
    Free->Order = Image::Unknown;
    if (!StaysLoaded)
      findOrder(*Free, Begin);
    __atomic_store_n(&Free->Begin, Begin, __ATOMIC_RELEASE);
    if (Free == &Images[Used])
      __atomic_store_n(&Used, Used + 1, __ATOMIC_RELEASE);
    voidCachedLookups();
  }
  unwindRefreshModules();
}

void __causal::unregisterImage(const FunctionRecord *Begin) {
  RuntimeLock Lock(Mutex);
  for (unsigned I = 0; I < Used; ++I)
    if (Images[I].Begin == Begin)
      __atomic_store_n(&Images[I].Begin, nullptr, __ATOMIC_RELEASE);
  voidCachedLookups();
}

static const FunctionRecord *searchUnsorted(const FunctionRecord *Begin, const FunctionRecord *End,
                                            uintptr_t PC) {
  for (; Begin != End; ++Begin)
    if (PC - linemap::start(Begin) < Begin->Size)
      return Begin;
  return nullptr;
}

static const FunctionRecord *search(Image &I, const FunctionRecord *Begin, uintptr_t PC) {
  bool InRange = PC >= I.Low && PC < I.High;
  if (I.Order != Image::Unsorted && InRange)
    if (const FunctionRecord *Record = linemap::find(Begin, I.End, PC))
      return Record;
  // Not there: in a gap between functions, another image, or the table is not
  // sorted. That is found out once, on the first such miss.
  if (I.Order == Image::Unknown) {
    findOrder(I, Begin);
    InRange = PC >= I.Low && PC < I.High;
  }
  return I.Order == Image::Unsorted && InRange ? searchUnsorted(Begin, I.End, PC) : nullptr;
}

unsigned __causal::lookupFrames(uintptr_t PC, linemap::Frame *Out, unsigned Max) {
  for (unsigned I = 0, E = __atomic_load_n(&Used, __ATOMIC_ACQUIRE); I < E; ++I)
    if (const FunctionRecord *Begin = beginOf(Images[I]))
      if (const FunctionRecord *Record = search(Images[I], Begin, PC))
        return linemap::lookup(Record, PC, Out, Max);
  return 0;
}

uint64_t __causal::imageGeneration() { return __atomic_load_n(&Generation, __ATOMIC_ACQUIRE); }

unsigned __causal::imageCount() {
  unsigned Count = 0;
  for (unsigned I = 0, E = __atomic_load_n(&Used, __ATOMIC_ACQUIRE); I < E; ++I)
    Count += beginOf(Images[I]) != nullptr;
  return Count;
}
