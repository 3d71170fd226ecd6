//===- causal_interceptors_outside.cpp - Waiting for the outside world ----===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sleeps, and transfers that only a disk can take part in. No thread ends these waits, so
// there is no credit: they last as long as they do, and for the delays that came up
// meanwhile (law 5). Descriptors that may lead to another thread are dealt with in
// causal_interceptors_fd.cpp.
//
//===----------------------------------------------------------------------===//
#include "causal/causal_sync.h"
#include "intercept/causal_interceptors.h"

#include <threads.h>
#include <time.h>
#include <unistd.h>

using namespace __causal;

//===-- Sleeps ------------------------------------------------------------===//

// A signal ends a sleep.
template <typename Function, typename Test> static auto sleepOutside(Function Sleep, Test Waits) {
  return waitOutside(Sleep, BreaksOff::Always, Waits);
}
static bool leave(const timespec *Time, timespec *Left) {
  if (Left)
    *Left = *Time;
  return true;
}

CAUSAL_WAITS(Sleep, nullptr, CAUSAL_WEAK_INTERPOSER, int, nanosleep,
             (const timespec *Time, timespec *Left), (Time, Left)) {
  return sleepOutside([=] { return blocking_nanosleep(Time, Left); },
                      [=] { return leave(Time, Left); });
}
CAUSAL_WAITS(Sleep, nullptr, CAUSAL_WEAK_INTERPOSER, int, clock_nanosleep,
             (clockid_t Clock, int Flags, const timespec *Time, timespec *Left),
             (Clock, Flags, Time, Left)) {
  int Error = sleepOutside([=] { return blocking_clock_nanosleep(Clock, Flags, Time, Left); },
                           [=] { return leave(Time, Flags & TIMER_ABSTIME ? nullptr : Left); });
  return Error < 0 ? EINTR : Error;
}
CAUSAL_WAITS(Sleep, nullptr, CAUSAL_WEAK_INTERPOSER, int, usleep, (useconds_t Time), (Time)) {
  return sleepOutside([=] { return blocking_usleep(Time); }, [] { return true; });
}
CAUSAL_WAITS(Sleep, nullptr, CAUSAL_WEAK_INTERPOSER, unsigned, sleep, (unsigned Seconds),
             (Seconds)) {
  unsigned Left = sleepOutside([=] { return blocking_sleep(Seconds); }, [] { return true; });
  return Left < Seconds ? Left : Seconds;
}
CAUSAL_WAITS(Sleep, nullptr, CAUSAL_WEAK_INTERPOSER, int, thrd_sleep,
             (const timespec *Time, timespec *Left), (Time, Left)) {
  return sleepOutside([=] { return blocking_thrd_sleep(Time, Left); },
                      [=] { return leave(Time, Left); });
}

//===-- Files -------------------------------------------------------------===//

CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, ssize_t, pread,
             (int Fd, void *Buffer, size_t Size, off_t Offset), (Fd, Buffer, Size, Offset)) {
  return waitOutside([=] { return blocking_pread(Fd, Buffer, Size, Offset); });
}
CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, ssize_t, pread64,
             (int Fd, void *Buffer, size_t Size, off64_t Offset), (Fd, Buffer, Size, Offset)) {
  return waitOutside([=] { return blocking_pread64(Fd, Buffer, Size, Offset); });
}
CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, ssize_t, pwrite,
             (int Fd, const void *Buffer, size_t Size, off_t Offset), (Fd, Buffer, Size, Offset)) {
  return waitOutside([=] { return blocking_pwrite(Fd, Buffer, Size, Offset); });
}
CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, ssize_t, pwrite64,
             (int Fd, const void *Buffer, size_t Size, off64_t Offset),
             (Fd, Buffer, Size, Offset)) {
  return waitOutside([=] { return blocking_pwrite64(Fd, Buffer, Size, Offset); });
}
CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, int, fsync, (int Fd), (Fd)) {
  return waitOutside([=] { return blocking_fsync(Fd); });
}
CAUSAL_WAITS(IO, nullptr, CAUSAL_WEAK_INTERPOSER, int, fdatasync, (int Fd), (Fd)) {
  return waitOutside([=] { return blocking_fdatasync(Fd); });
}
