//===- causal_contention.cpp - How contended the cores are ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_contention.h. Where the kernel does not tell (no /proc, or no
// descriptor to spare), a thread believes what the others have seen lately.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_contention.h"
#include "base/causal_platform.h"
#include "base/causal_syscall.h"
#include "causal/causal_core_times.h"
#include "sampler/causal_schedstat.h"

#include <fcntl.h>

using namespace __causal;

void __causal::observeContention(CausalThread &T, GlobalDelay &G, CPUTimes Since, uint64_t CPUTime,
                                 uint64_t Elapsed) {
  uint64_t Waited = 0, Elsewhere = 0, MoreSlices = 0, Wait, Slices, First = T.UntilFirst;
  bool WaitedElsewhere = T.Spinning;
  uint64_t Undisturbed = First ? First + Role::wakeUp(G.isCrowded()) : CPUTime;
  T.UntilFirst = 0;
  if (Elapsed > Undisturbed + Undisturbed / 8) {
    if (!askForWait(T, &Wait, &Slices)) {
      T.Delay.waits(); // For all that is known.
      return T.Delay.expect(G);
    }
    // A count that went back belongs to an earlier thread of the slot.
    Waited = Wait > T.SeenWait ? Wait - T.SeenWait : 0;
    T.SeenWait = Wait;
    MoreSlices = Slices - T.SeenSlices;
    T.SeenSlices = Slices;
    WaitedElsewhere |= ThreadDelay::waitedElsewhere(Elapsed, CPUTime + Waited);
    Elsewhere = Elapsed > CPUTime + Waited ? Elapsed - CPUTime - Waited : 0;
    if (First && T.Plays)
      Waited = T.Plays->waitedBeforeFirst(Waited, CPUTime, G.isCrowded());
  }
  uint64_t Slept = T.SleptOutside;
  T.SleptOutside = 0;
  if (G.sharesCores())
    T.Delay.InKernel.tookOnSharedCore(T.Outside >= OutsideCall::MayWait ? Since.Work : 0,
                                      Elsewhere > Slept ? Elsewhere - Slept : 0);
  T.Delay.observe(G, Since.Ran, Waited, WaitedElsewhere);
  // Who yields, or is woken very often, does not use its slices up.
  constexpr uint64_t FewSlices = 4;
  T.Delay.observeSlice(G, Since, T.Spinning, Waited && MoreSlices <= FewSlices);
}

namespace {
/// The lines of /proc/stat, whatever their number.
class StatisticsLines {
public:
  StatisticsLines() {
    Fd = systemCall(SYS_openat, static_cast<uint64_t>(AT_FDCWD), word("/proc/stat"),
                    O_RDONLY | O_CLOEXEC);
  }
  ~StatisticsLines() {
    if (Fd >= 0)
      systemCall(SYS_close, static_cast<uint64_t>(Fd));
  }
  StatisticsLines(const StatisticsLines &) = delete;

  /// The next line, as much of it as there is room for. False at the end.
  template <unsigned N> bool next(char (&Line)[N]) {
    unsigned Length = 0;
    for (;;) {
      if (At == Size && !refill())
        return false;
      char C = Text[At++];
      if (C == '\n')
        break;
      if (Length + 1 < N)
        Line[Length++] = C;
    }
    Line[Length] = 0;
    return true;
  }

private:
  bool refill() {
    At = Size = 0;
    if (Fd >= 0)
      Size = systemCall(SYS_read, static_cast<uint64_t>(Fd), word(Text), sizeof(Text));
    return Size > 0;
  }

  OwnOpening Here;
  long Fd, At = 0, Size = 0;
  char Text[256];
};
} // namespace

// Those of the calling thread's cores so far, all together, and what tells them from others.
// False if the kernel does not tell.
static bool readCores(CoreTimes *Times, uint64_t *Cores) {
  constexpr uint64_t MostCores = 1024;
  uint64_t Mask[MostCores / 64] = {};
  systemCall(SYS_sched_getaffinity, 0, sizeof(Mask), word(Mask));
  StatisticsLines Lines;
  char Line[160];
  bool Any = false;
  *Cores = 0;
  for (uint64_t Word : Mask)
    *Cores = (*Cores + Word) * 0x9E3779B97F4A7C15ull;
  // One line of all comes first.
  while (Lines.next(Line) && !__builtin_memcmp(Line, "cpu", 3))
    Any |= Times->add(Line, [&](uint64_t Core) {
      return Core < MostCores && (Mask[Core / 64] >> (Core % 64) & 1);
    });
  return Any;
}

void __causal::observeOthers(GlobalDelay &G) {
  CoreTimes Times;
  uint64_t Cores;
  if (!readCores(&Times, &Cores))
    return;
  uint64_t Now = now(), All = G.cores() * Now, Own = processCPUTime();
  G.noteOthers(All > Times.Idle + Own ? All - Times.Idle - Own : 0, Now, Cores);
}

uint64_t __causal::stolenLately() {
  static StolenTime Lately;
  CoreTimes Times;
  uint64_t Cores;
  return readCores(&Times, &Cores) ? Lately.since(Times.Stolen, Cores) : 0;
}
