//===- causal_sampler_timer.cpp - Samples from POSIX CPU-time timers ------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fallback where perf is refused, and for threads that no descriptor is left for:
// a timer on the thread's own CPU clock. The kernel looks at it at its ticks (1 to 10 ms), so
// no sample stands for less.
//
//===----------------------------------------------------------------------===//
#include "base/causal_flags.h"
#include "base/causal_platform.h"
#include "base/causal_syscall.h"
#include "mode/causal_mode.h"
#include "sampler/causal_sampler.h"

#include <time.h>

using namespace __causal;

static timespec toTimespec(uint64_t Nanos) {
  timespec T;
  T.tv_sec = static_cast<time_t>(Nanos / 1000000000);
  T.tv_nsec = static_cast<long>(Nanos % 1000000000);
  return T;
}

// Coarse clocks go on at each tick.
uint64_t __causal::timerPeriod(uint64_t Period) {
  timespec Tick = {};
  systemCall(SYS_clock_getres, CLOCK_MONOTONIC_COARSE, word(&Tick));
  uint64_t Nanos =
      static_cast<uint64_t>(Tick.tv_sec) * 1000000000 + static_cast<uint64_t>(Tick.tv_nsec);
  return Period < Nanos ? Nanos : Period;
}

bool __causal::startTimer(ThreadBase &T) {
  struct sigevent E;
  __builtin_memset(&E, 0, sizeof(E));
  E.sigev_notify = SIGEV_THREAD_ID;
  E.sigev_signo = samplerSignal();
  E.sigev_value.sival_ptr = reinterpret_cast<void *>(SampleCookie);
  E._sigev_un._tid = threadId();
  int Id = 0;
  if (systemCall(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, word(&E), word(&Id)) < 0)
    return false;
  T.Period = timerPeriod(samplePeriod());
  T.UntilFirst = drawFirstPeriod(T.Rng, T.Period, 1000 * LeastSamplePeriodUs);
  itimerspec Spec = {toTimespec(T.Period), toTimespec(T.UntilFirst)};
  if (mode()->periodSet)
    mode()->periodSet(T);
  T.TimerId = Id + 1;
  return systemCall(SYS_timer_settime, static_cast<uint64_t>(Id), 0, word(&Spec), 0) == 0;
}

void __causal::quietTimer(const ThreadBase &T) {
  itimerspec Never = {};
  if (T.TimerId)
    systemCall(SYS_timer_settime, static_cast<uint64_t>(T.TimerId - 1), 0, word(&Never), 0);
}

void __causal::stopTimer(ThreadBase &T) {
  if (!T.TimerId)
    return;
  systemCall(SYS_timer_delete, static_cast<uint64_t>(T.TimerId - 1));
  T.TimerId = 0;
}
