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
#include "causal_contention.h"
#include "causal_platform.h"
#include "causal_syscall.h"

#include <fcntl.h>

using namespace __causal;

// Descriptors belong to the program. Beyond these, threads ask the others.
static constexpr int MaxDescriptors = 128;
static int Descriptors;

static bool openStatistics(Thread &T) {
  if (__atomic_fetch_add(&Descriptors, 1, __ATOMIC_RELAXED) < MaxDescriptors) {
    OwnOpening Here;
    long Fd =
        systemCall(SYS_openat, static_cast<uint64_t>(AT_FDCWD),
                   word("/proc/thread-self/schedstat"), O_RDONLY | O_CLOEXEC);
    if (Fd >= 0) {
      T.WaitFd = moveDescriptorUp(static_cast<int>(Fd));
      if (T.WaitFd >= 0)
        return true;
    }
  }
  __atomic_fetch_sub(&Descriptors, 1, __ATOMIC_RELAXED);
  T.WaitFd = -1;
  return false;
}

// The second number: nanoseconds on a run queue, so far.
static bool readWait(const Thread &T, uint64_t *Wait) {
  char Text[80];
  if (!isOwnDescriptor(T.WaitFd))
    return false;
  long Size = systemCall(SYS_pread64, static_cast<uint64_t>(T.WaitFd),
                         word(Text), sizeof(Text) - 1, 0);
  if (Size <= 0)
    return false;
  Text[Size] = 0;
  const char *P = Text;
  while (*P && *P != ' ')
    ++P;
  if (*P != ' ')
    return false;
  uint64_t N = 0;
  for (++P; *P >= '0' && *P <= '9'; ++P)
    N = N * 10 + static_cast<uint64_t>(*P - '0');
  *Wait = N;
  return true;
}

void __causal::observeContention(Thread &T, GlobalDelay &G, uint64_t Ran,
                                 uint64_t CPUTime, uint64_t Elapsed) {
  uint64_t Waited = 0, Wait, First = T.UntilFirst;
  uint64_t Undisturbed = First ? First + Role::WakeUp : CPUTime;
  T.UntilFirst = 0;
  if (Elapsed > Undisturbed + Undisturbed / 8) {
    if (T.WaitFd < 0 || (!T.WaitFd && !openStatistics(T)) ||
        !readWait(T, &Wait))
      return T.Delay.expect(G.contention());
    // A count that went back belongs to an earlier thread of the slot.
    Waited = Wait > T.SeenWait ? Wait - T.SeenWait : 0;
    T.SeenWait = Wait;
    if (First && T.Plays)
      Waited = T.Plays->waitedBeforeFirst(Waited, CPUTime);
  }
  T.Delay.observe(G, Ran, Waited);
}

void __causal::closeContention(Thread &T) {
  if (T.WaitFd > 0) {
    closeOwnDescriptor(T.WaitFd);
    __atomic_fetch_sub(&Descriptors, 1, __ATOMIC_RELAXED);
  }
  T.WaitFd = 0;
  T.SeenWait = 0;
}
