//===- causal_schedstat.cpp - How long threads wait for a core ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_schedstat.h.
//
//===----------------------------------------------------------------------===//
#include "sampler/causal_schedstat.h"
#include "base/causal_platform.h"
#include "base/causal_syscall.h"
#include "base/causal_text.h"

#include <fcntl.h>

using namespace __causal;

// Descriptors belong to the program. Beyond these, threads ask the others.
static constexpr int MaxDescriptors = 128;
static int Descriptors;

static bool openStatistics(ThreadBase &T) {
  if (__atomic_fetch_add(&Descriptors, 1, __ATOMIC_RELAXED) < MaxDescriptors) {
    OwnOpening Here;
    long Fd = systemCall(SYS_openat, static_cast<uint64_t>(AT_FDCWD),
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

// "<time on a core> <time on a run queue> <how often it got a core>", in nanoseconds.
static bool readWait(const ThreadBase &T, uint64_t *Wait, uint64_t *Slices) {
  char Text[80];
  if (!isOwnDescriptor(T.WaitFd))
    return false;
  long Size =
      systemCall(SYS_pread64, static_cast<uint64_t>(T.WaitFd), word(Text), sizeof(Text) - 1, 0);
  if (Size <= 0)
    return false;
  Text[Size] = 0;
  const char *P = Text;
  takeNumber(P);
  *Wait = takeNumber(P);
  *Slices = takeNumber(P);
  return true;
}

bool __causal::askForWait(ThreadBase &T, uint64_t *Wait, uint64_t *Slices) {
  return T.WaitFd >= 0 && (T.WaitFd || openStatistics(T)) && readWait(T, Wait, Slices);
}

uint64_t __causal::waitedForCore(ThreadBase &T) {
  uint64_t Wait, Slices;
  return askForWait(T, &Wait, &Slices) ? Wait : 0;
}

void __causal::closeSchedstat(ThreadBase &T) {
  if (T.WaitFd > 0) {
    closeOwnDescriptor(T.WaitFd);
    __atomic_fetch_sub(&Descriptors, 1, __ATOMIC_RELAXED);
  }
  T.WaitFd = 0;
}

void __causal::forgetSchedstats() { Descriptors = 0; }
