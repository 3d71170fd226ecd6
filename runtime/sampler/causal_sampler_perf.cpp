//===- causal_sampler_perf.cpp - Samples from perf task-clock events ------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One perf event per thread, opened by the thread itself. No ring buffer: the
// signal is all that is needed, since its handler has the registers.
//
//===----------------------------------------------------------------------===//
#include "base/causal_flags.h"
#include "base/causal_platform.h"
#include "base/causal_process.h"
#include "base/causal_syscall.h"
#include "sampler/causal_sampler.h"

#include "sanitizer_common/sanitizer_libc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/utsname.h>

using namespace __causal;
using namespace __sanitizer;

// Kernel time is sampled where that is allowed: the work of a system call belongs
// to the line that made it. Unprivileged users at perf_event_paranoid 2 may not.
static bool ExcludeKernel;
// An event can be asked to expire only once.
static bool CanExpireOnce;

// Samples between two changes of the period, and those after one by which a thread's spacing
// is judged.
static constexpr uint32_t GridLength = 32, JudgedSamples = 8;

static int openEvent(bool Sigtrap, uint64_t Period) {
  perf_event_attr A;
  __builtin_memset(&A, 0, sizeof(A));
  A.size = sizeof(A);
  A.type = PERF_TYPE_SOFTWARE;
  A.config = PERF_COUNT_SW_TASK_CLOCK;
  A.sample_period = Period;
  A.sample_type = PERF_SAMPLE_IP;
  A.exclude_kernel = ExcludeKernel;
  A.exclude_hv = 1;
  A.disabled = 1;
  A.wakeup_events = 1;
  if (Sigtrap) {
    A.sigtrap = 1;
    A.remove_on_exec = 1; // The kernel asks for it with sigtrap.
    A.sig_data = SampleCookie;
  }
  return static_cast<int>(
      systemCall(SYS_perf_event_open, word(&A), 0, ~0ull, ~0ull, PERF_FLAG_FD_CLOEXEC));
}

static bool kernelIsAtLeast(uint64_t WantedMajor, uint64_t WantedMinor) {
  utsname System;
  if (systemCall(SYS_uname, word(&System)) < 0)
    return false;
  const char *Rest = System.release;
  uint64_t Major = internal_simple_strtoll(Rest, &Rest, 10);
  uint64_t Minor = *Rest == '.' ? internal_simple_strtoll(Rest + 1, &Rest, 10) : 0;
  return Major > WantedMajor || (Major == WantedMajor && Minor >= WantedMinor);
}

// Before 5.18 a sigtrap event that expires while SIGTRAP is blocked, as it is in its
// own handler, ends the process.
static bool sigtrapIsSafe() { return kernelIsAtLeast(5, 18); }

bool __causal::perfAvailable(bool Sigtrap, uint64_t Period, int *Error) {
  if (Sigtrap && !sigtrapIsSafe()) {
    *Error = ENOSYS;
    return false;
  }
  // A signal that comes in a system call cuts it short: write() to a pipe returns with less,
  // others with EINTR. One that is forced comes when the call is done.
  for (int Attempt = Sigtrap ? 0 : 1; Attempt < 2; ++Attempt) {
    ExcludeKernel = Attempt == 1;
    int Fd = openEvent(Sigtrap, Period);
    if (Fd >= 0) {
      systemCall(SYS_close, static_cast<uint64_t>(Fd));
      // Linux 6.16 and 6.17 stand still for ever when the last expiry asked for comes,
      // and distributions may have taken that over into kernels of lower numbers: the
      // timer is stopped, and waited for, by its own interrupt. Before 6.1 SIGTRAP itself
      // was raised by the number of expiries asked for. And expiries in the kernel do not
      // count where they are excluded.
      CanExpireOnce = Sigtrap && !ExcludeKernel && kernelIsAtLeast(6, 18);
      return true;
    }
    *Error = -Fd;
  }
  return false;
}

// The first write to a page of memory faults, and perf says where the kernel saw that: if not
// here, then what was executed is not this code but a translation of it.
bool __causal::isExecutedByOthers() {
  constexpr size_t Page = 4096;
  perf_event_attr A;
  __builtin_memset(&A, 0, sizeof(A));
  A.size = sizeof(A);
  A.type = PERF_TYPE_SOFTWARE;
  A.config = PERF_COUNT_SW_PAGE_FAULTS;
  A.sample_period = 1;
  A.sample_type = PERF_SAMPLE_IP;
  A.exclude_kernel = A.exclude_hv = A.disabled = 1;
  long Fd = systemCall(SYS_perf_event_open, word(&A), 0, ~0ull, ~0ull, PERF_FLAG_FD_CLOEXEC);
  if (Fd < 0)
    return false;
  uint64_t Event = static_cast<uint64_t>(Fd);
  long Ring = systemCall(SYS_mmap, 0, 2 * Page, PROT_READ | PROT_WRITE, MAP_SHARED, Event);
  void *Fresh = mapMemory(Page);
  uint64_t Samples = 0;
  bool Here = false;
  if (Ring > 0 && Fresh) {
    auto *Control = reinterpret_cast<volatile perf_event_mmap_page *>(Ring);
    const auto *Data = reinterpret_cast<const volatile uint64_t *>(Ring + static_cast<long>(Page));
    Samples = *Data; // Faults are over where the ring is concerned.
    systemCall(SYS_ioctl, Event, PERF_EVENT_IOC_ENABLE, 0);
    uint64_t Place;
    asm volatile("lea 0f(%%rip), %0\n0: movb $0, (%1)" : "=&r"(Place) : "r"(Fresh) : "memory");
    systemCall(SYS_ioctl, Event, PERF_EVENT_IOC_DISABLE, 0);
    // Each record is a header and an address, two words.
    Samples = __atomic_load_n(&Control->data_head, __ATOMIC_ACQUIRE) / 16;
    for (uint64_t I = 0; I < Samples && I < Page / 16; ++I)
      Here |= Data[2 * I + 1] == Place;
  }
  if (Ring > 0)
    systemCall(SYS_munmap, static_cast<uint64_t>(Ring), 2 * Page);
  if (Fresh)
    systemCall(SYS_munmap, word(Fresh), Page);
  systemCall(SYS_close, Event);
  return Samples && !Here;
}

bool __causal::samplesKernel() { return !ExcludeKernel; }

bool __causal::startPerf(ThreadBase &T, bool Sigtrap) {
  // The first sample comes at a random time of the first period and stands for a whole
  // one: threads that live for a part of it are sampled as often as that part.
  T.Period = samplePeriod();
  constexpr uint64_t Least = 1000 * LeastSamplePeriodUs;
  T.UntilFirst =
      drawFirstPeriod(T.Rng, T.Period, CanExpireOnce ? 1000 * LeastFirstPeriodUs : Least);
  bool Once = T.UntilFirst < Least;
  T.SamplesOnGrid = GridLength; // The first sample sets the second period.
  int Fd;
  {
    OwnOpening Here;
    Fd = openEvent(Sigtrap, T.UntilFirst);
    if (Fd >= 0)
      Fd = moveDescriptorUp(Fd);
  }
  if (Fd < 0)
    return false;
  uint64_t Descriptor = static_cast<uint64_t>(Fd);
  if (!Sigtrap) {
    f_owner_ex Owner = {F_OWNER_TID, threadId()};
    if (systemCall(SYS_fcntl, Descriptor, F_SETFL, O_ASYNC | O_NONBLOCK) < 0 ||
        systemCall(SYS_fcntl, Descriptor, F_SETSIG, SIGPROF) < 0 ||
        systemCall(SYS_fcntl, Descriptor, F_SETOWN_EX, word(&Owner)) < 0) {
      closeOwnDescriptor(Fd);
      return false;
    }
  }
  T.PerfFd = Fd;
  return systemCall(SYS_ioctl, Descriptor, Once ? PERF_EVENT_IOC_REFRESH : PERF_EVENT_IOC_ENABLE,
                    1 /* expiry */) == 0;
}

void __causal::stopPerf(ThreadBase &T) {
  if (!T.PerfFd)
    return;
  // Disabled, since a child of fork may hold it open. The program may have closed it
  // by a system call of its own, and the number may be another file's.
  uint64_t Fd = static_cast<uint64_t>(T.PerfFd), Id;
  if (isOwnDescriptor(T.PerfFd) && systemCall(SYS_ioctl, Fd, PERF_EVENT_IOC_ID, word(&Id)) == 0) {
    systemCall(SYS_ioctl, Fd, PERF_EVENT_IOC_DISABLE, 0);
    closeOwnDescriptor(T.PerfFd);
  }
  disownDescriptor(T.PerfFd);
  T.ClosedPerfFd = T.PerfFd;
  T.PerfFd = 0;
}

void __causal::quietPerf(const ThreadBase &T) {
  if (isOwnDescriptor(T.PerfFd)) {
    systemCall(SYS_ioctl, static_cast<uint64_t>(T.PerfFd), PERF_EVENT_IOC_DISABLE, 0);
    disownDescriptor(T.PerfFd);
  }
}

// The kernel's own grid of expiries is exact, whatever the handler costs, so it is
// left alone but for a new spacing now and then. Restarting the timer at every sample
// would lose the latency of each (measured: 20 us of 250 in a virtual machine).
void __causal::varyPerfPeriod(ThreadBase &T) {
  if (++T.SamplesOnGrid < GridLength || !isOwnDescriptor(T.PerfFd))
    return;
  T.SamplesOnGrid = 0;
  T.Period = drawPeriod(T.Rng) * T.Spacing.periods();
  uint64_t Fd = static_cast<uint64_t>(T.PerfFd);
  systemCall(SYS_ioctl, Fd, PERF_EVENT_IOC_PERIOD, word(&T.Period));
  // The first sample may have been the only one asked for.
  systemCall(SYS_ioctl, Fd, PERF_EVENT_IOC_ENABLE, 0);
}

// CPU time of the calling thread for some work that is always the same.
static uint64_t timeOfWork() {
  constexpr unsigned Rounds = 1000000;
  uint64_t Before = threadCPUTime();
  for (unsigned I = 0; I < Rounds; ++I)
    asm volatile("");
  return threadCPUTime() - Before;
}

uint64_t __causal::sampleCost() {
  if (samplerKind() != SamplerKind::PerfSigtrap)
    return 0;
  constexpr uint64_t Period = 2 * 1000 * LeastSamplePeriodUs, Tries = 5;
  int Fd = openEvent(/*Sigtrap=*/true, Period);
  if (Fd < 0)
    return 0;
  // The least of several: other work on the core takes time as well.
  uint64_t Event = static_cast<uint64_t>(Fd), With = ~0ull, Without = ~0ull;
  for (uint64_t I = 0; I < Tries; ++I) {
    uint64_t Time = timeOfWork();
    Without = Time < Without ? Time : Without;
    systemCall(SYS_ioctl, Event, PERF_EVENT_IOC_ENABLE, 0);
    Time = timeOfWork();
    systemCall(SYS_ioctl, Event, PERF_EVENT_IOC_DISABLE, 0);
    With = Time < With ? Time : With;
  }
  systemCall(SYS_close, Event);
  return With > Without ? (With - Without) * Period / With : 0;
}

// What the kernel does with an event each time its thread gives a core up and gets one again.
// Measured once, with the period that all begin with.
static uint64_t switchCost(uint64_t Event) {
  static uint64_t Known;
  if (uint64_t Cost = __atomic_load_n(&Known, __ATOMIC_RELAXED))
    return Cost;
  uint64_t Least = ~0ull;
  for (int I = 0; I < 4; ++I) {
    uint64_t Before = now();
    systemCall(SYS_ioctl, Event, PERF_EVENT_IOC_DISABLE, 0);
    systemCall(SYS_ioctl, Event, PERF_EVENT_IOC_ENABLE, 0);
    uint64_t Took = now() - Before;
    Least = Took < Least ? Took : Least;
  }
  __atomic_store_n(&Known, Least, __ATOMIC_RELAXED);
  return Least;
}

bool __causal::spaceSamples(ThreadBase &T, uint64_t Episode, uint64_t Affordable) {
  bool Looks = T.SamplesOnGrid == 0 || T.SamplesOnGrid == JudgedSamples;
  // With end_to_end= a run is a baseline or is not, and each would space for itself.
  if (!Looks || !isOwnDescriptor(T.PerfFd) || flags().sample_period_us || flags().end_to_end)
    return false;
  ThreadUsage Usage = threadUsage();
  uint64_t Cost = switchCost(static_cast<uint64_t>(T.PerfFd));
  if (!T.Spacing.observe(Usage.CPUTime, Usage.Switches, Cost, Episode, Affordable))
    return false;
  T.SamplesOnGrid = GridLength; // The next sample sets the next period.
  return true;
}
