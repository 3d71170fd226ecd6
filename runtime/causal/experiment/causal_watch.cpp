//===- causal_watch.cpp - Progress points without a change of source ------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_watch.h. An event is opened by the thread that loads the image, which at
// start-up is the only one, and is inherited by the threads that are made later; a read of
// it adds them up. No signal is raised: a visit costs the exception alone.
//
//===----------------------------------------------------------------------===//
#include "causal/experiment/causal_watch.h"
#include "base/causal_flags.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_report.h"
#include "base/causal_syscall.h"
#include "causal/experiment/causal_progress.h"
#include "code/causal_images.h"
#include "code/causal_line_starts.h"
#include "mode/causal_mode.h"

#include <errno.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>

using namespace __causal;

/// Of the processor, for each thread.
static constexpr unsigned Breakpoints = 4;

struct __causal::Watch {
  SourcePlace Place;
  bool Sampled;
  bool Found;
  unsigned Count; ///< Of addresses that are counted.
  uintptr_t Addresses[Breakpoints];
  int Events[Breakpoints];
  uint64_t Samples;
  uint64_t Seen; ///< Of its visits, when they were last looked at.
  bool GivenUp;
  char Name[128];
};

static constexpr unsigned MaxWatches = 8;
static Watch Watches[MaxWatches];
static unsigned Used, UsedBreakpoints;
static bool AnySampled, SaidRefused;
static uint64_t LimitedAt, LimitedCPUTime;

uint64_t __causal::visitsOf(const Watch &W) {
  uint64_t Visits = __atomic_load_n(&W.Samples, __ATOMIC_RELAXED);
  for (unsigned I = 0, N = __atomic_load_n(&W.Count, __ATOMIC_ACQUIRE); I < N; ++I) {
    uint64_t Count = 0;
    if (W.Events[I] > 0 && isOwnDescriptor(W.Events[I]) &&
        systemCall(SYS_read, static_cast<uint64_t>(W.Events[I]), word(&Count), sizeof(Count)) ==
            sizeof(Count))
      Visits += Count;
  }
  return Visits;
}

static int openBreakpoint(uintptr_t Address, bool ThreadsOnly) {
  perf_event_attr A;
  __builtin_memset(&A, 0, sizeof(A));
  A.size = sizeof(A);
  A.type = PERF_TYPE_BREAKPOINT;
  A.bp_type = HW_BREAKPOINT_X;
  A.bp_addr = Address;
  A.bp_len = sizeof(long);
  A.inherit = 1;
  A.inherit_thread = ThreadsOnly;
  A.exclude_kernel = A.exclude_hv = 1;
  OwnOpening Here;
  long Fd = systemCall(SYS_perf_event_open, word(&A), 0, ~0ull, ~0ull, PERF_FLAG_FD_CLOEXEC);
  return Fd < 0 ? static_cast<int>(Fd) : moveDescriptorUp(static_cast<int>(Fd));
}

// Kernels before 5.13 cannot leave processes out, whose visits then count as well.
static int openBreakpoint(uintptr_t Address) {
  int Fd = openBreakpoint(Address, /*ThreadsOnly=*/true);
  return Fd == -EINVAL ? openBreakpoint(Address, /*ThreadsOnly=*/false) : Fd;
}

__attribute__((noinline)) static void probe() { asm volatile(""); }

// What a visit of a breakpoint takes here, in nanoseconds: the processor's exception, and a
// hypervisor's part of it. Measured once, by one of our own.
static uint64_t visitCost() {
  static uint64_t Cost;
  constexpr unsigned Visits = 32;
  if (Cost)
    return Cost;
  int Fd = openBreakpoint(reinterpret_cast<uintptr_t>(&probe));
  if (Fd < 0)
    return 0;
  uint64_t Begin = threadCPUTime();
  for (unsigned I = 0; I < Visits; ++I)
    probe();
  Cost = (threadCPUTime() - Begin) / Visits + 1;
  closeOwnDescriptor(Fd);
  return Cost;
}

static void refuse(const Watch &W, int Error) {
  if (SaidRefused)
    return;
  SaidRefused = true;
  CAUSAL_REPORT("causal: no breakpoint for progress=%s (errno %d): its visits are not counted. Use "
                "progress=%s:sampled\n",
                W.Name, Error, W.Name);
}

static bool openEvent(Watch &W, unsigned I) {
  int Fd = openBreakpoint(W.Addresses[I]);
  W.Events[I] = Fd < 0 ? 0 : Fd;
  if (Fd < 0)
    refuse(W, -Fd);
  return Fd >= 0;
}

static void watchIn(Watch &W, const linemap::FunctionRecord *Begin,
                    const linemap::FunctionRecord *End) {
  uintptr_t Addresses[Breakpoints];
  unsigned Places = findStarts(Begin, End, W.Place, Addresses, Breakpoints);
  W.Found |= Places != 0;
  if (W.Sampled || !Places)
    return;
  unsigned Room = Breakpoints - UsedBreakpoints, Counted = 0;
  for (unsigned I = 0; I < Places && Counted < Room; ++I, ++Counted) {
    visitCost(); // Not in a handler, later.
    W.Addresses[W.Count] = Addresses[I];
    if (!openEvent(W, W.Count))
      return;
    __atomic_store_n(&W.Count, W.Count + 1, __ATOMIC_RELEASE);
    ++UsedBreakpoints;
  }
  if (Counted < Places)
    CAUSAL_REPORT("causal: progress=%s begins at %u places in the code, and %u of them have a "
                  "breakpoint: the processor has %u. The rest is not counted; progress=%s:sampled "
                  "counts all\n",
                  W.Name, Places, Counted, Breakpoints, W.Name);
}

void __causal::watchImage(const linemap::FunctionRecord *Begin,
                          const linemap::FunctionRecord *End) {
  if (Begin == End || !isProfiling())
    return;
  for (unsigned I = 0; I < Used; ++I)
    watchIn(Watches[I], Begin, End);
}

void __causal::restartWatches() {
  for (unsigned I = 0; I < Used; ++I) {
    Watches[I].Samples = 0;
    for (unsigned J = 0; J < Watches[I].Count; ++J)
      openEvent(Watches[I], J);
  }
}

static bool takeSuffix(const char *Text, size_t &Size, const char *Suffix) {
  size_t Length = textLength(Suffix);
  if (Size < Length || __builtin_memcmp(Text + Size - Length, Suffix, Length))
    return false;
  Size -= Length;
  return true;
}

// Text is of the flag, and stays.
static Watch *addWatch(const char *Text, size_t Size) {
  if (Used == MaxWatches) {
    CAUSAL_REPORT("causal: progress= names more than %u places: the rest is not counted\n",
                  MaxWatches);
    return nullptr;
  }
  Watch &W = Watches[Used];
  W.Sampled = takeSuffix(Text, Size, ":sampled");
  if (!W.Place.parse(Text, Size) || Size >= sizeof(W.Name)) {
    CAUSAL_REPORT("causal: progress= names no place that can be counted: write file.c:123, or a "
                  "function's name, and :sampled behind it to count samples\n");
    return nullptr;
  }
  __builtin_memcpy(W.Name, Text, Size);
  W.Name[Size] = 0;
  AnySampled |= W.Sampled;
  ++Used;
  return &W;
}

static Watch *addWatch(const char *Text) { return addWatch(Text, textLength(Text)); }

void __causal::initWatches() {
  for (const char *P = flags().progress; *P;) {
    const char *End = P;
    while (*End && *End != ',')
      ++End;
    if (Watch *W = End == P ? nullptr : addWatch(P, static_cast<size_t>(End - P)))
      watchPoint(W->Name, W, nullptr);
    P = *End ? End + 1 : End;
  }
  const char *Begin = flags().progress_begin, *End = flags().progress_end;
  if (!*Begin != !*End) {
    CAUSAL_REPORT("causal: progress_begin= and progress_end= make one latency point together: "
                  "give both\n");
    return;
  }
  if (!*Begin)
    return;
  Watch *First = addWatch(Begin), *Last = First ? addWatch(End) : nullptr;
  if (Last)
    watchPoint(First->Name, First, Last);
}

static void giveUp(Watch &W) {
  W.GivenUp = true;
  for (unsigned I = 0; I < W.Count; ++I)
    if (W.Events[I] > 0 && isOwnDescriptor(W.Events[I]))
      systemCall(SYS_ioctl, static_cast<uint64_t>(W.Events[I]), PERF_EVENT_IOC_DISABLE, 0);
  CAUSAL_REPORT(
      "causal: progress=%s is reached so often that its breakpoint, of %llu ns each time, "
      "takes most of the program's time: it is counted no more. Use progress=%s:sampled\n",
      W.Name, static_cast<unsigned long long>(visitCost()), W.Name);
}

void __causal::limitWatches(uint64_t Now) {
  constexpr uint64_t LookEach = 100000000;
  if (!UsedBreakpoints || Now - LimitedAt < LookEach)
    return;
  uint64_t CPUTime = processCPUTime(), Worked = CPUTime - LimitedCPUTime;
  bool First = !LimitedAt;
  LimitedAt = Now;
  LimitedCPUTime = CPUTime;
  for (unsigned I = 0; I < Used; ++I) {
    Watch &W = Watches[I];
    if (W.Sampled || W.GivenUp || !W.Count)
      continue;
    uint64_t Visits = visitsOf(W), More = Visits - W.Seen;
    W.Seen = Visits;
    if (!First && More * visitCost() > Worked / 2)
      giveUp(W);
  }
}

bool __causal::watchesSamples() { return AnySampled; }

void __causal::noteWatchedSample(uintptr_t PC, uint64_t Weight) {
  constexpr unsigned MaxFrames = 64;
  linemap::Frame Frames[MaxFrames];
  unsigned Count = lookupFrames(PC, Frames, MaxFrames);
  for (unsigned I = 0; I < Used; ++I) {
    Watch &W = Watches[I];
    bool Hit = false;
    for (unsigned J = 0; W.Sampled && !Hit && J < Count; ++J)
      Hit = W.Place.matches(Frames[J]);
    if (Hit)
      __atomic_fetch_add(&W.Samples, Weight, __ATOMIC_RELAXED);
  }
}

bool __causal::reportUnfoundPlaces() {
  bool Any = false;
  for (unsigned I = 0; I < Used; ++I)
    if (!Watches[I].Found) {
      CAUSAL_REPORT("causal: no code was found for progress=%s, and nothing is counted there. Give "
                    "a line that code is generated for, in a file that is built with "
                    "-fcausal-profile, or a function's name\n",
                    Watches[I].Name);
      Any = true;
    }
  return Any;
}
