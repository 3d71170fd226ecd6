//===- PerfRing.cpp - Samples from the kernel, without signals ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/probe/PerfRing.h"

#include "llvm/ADT/SmallVector.h"

#include <cstring>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;

namespace causal::probe {
namespace {

/// A power of two, and one more page for the header. 512 KB are what an unprivileged user may lock.
constexpr size_t DataPages = 64;
constexpr size_t PageSize = 4096;

Error refused(const Twine &What) {
  int Number = errno;
  StringRef Remedy =
      Number == EACCES || Number == EPERM ? "; sysctl kernel.perf_event_paranoid=2 allows it" : "";
  return createStringError(std::error_code(Number, std::generic_category()),
                           What + ": " + strerror(Number) + Remedy);
}

int openEvent(perf_event_attr &Attributes, int Pid, int CPU) {
  return syscall(SYS_perf_event_open, &Attributes, Pid, CPU, -1, PERF_FLAG_FD_CLOEXEC);
}

} // namespace

perf_event_attr cpuTimeEvent(uint64_t PeriodNs) {
  perf_event_attr A;
  memset(&A, 0, sizeof A);
  A.size = sizeof A;
  A.type = PERF_TYPE_SOFTWARE;
  A.config = PERF_COUNT_SW_TASK_CLOCK;
  A.sample_period = PeriodNs;
  A.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;
  A.exclude_kernel = 1;
  A.exclude_hv = 1;
  A.disabled = 1;
  return A;
}

Expected<PerfRing> PerfRing::open(perf_event_attr Attributes, int Pid, int CPU) {
  int Fd = openEvent(Attributes, Pid, CPU);
  if (Fd < 0)
    return refused("the kernel allows no samples");
  PerfRing Ring(Fd);
  Ring.Pages = mmap(nullptr, (DataPages + 1) * PageSize, PROT_READ | PROT_WRITE, MAP_SHARED, Fd, 0);
  if (Ring.Pages == MAP_FAILED) {
    Ring.Pages = nullptr;
    return refused("the kernel gives no buffer for samples");
  }
  return Ring;
}

Error PerfRing::openInto(const PerfRing &Other, perf_event_attr Attributes, int Pid, int CPU,
                         uint64_t &ID) {
  int Fd = openEvent(Attributes, Pid, CPU);
  if (Fd < 0)
    return refused("the kernel refuses an event");
  if (ioctl(Fd, PERF_EVENT_IOC_SET_OUTPUT, Other.Fd) < 0 || ioctl(Fd, PERF_EVENT_IOC_ID, &ID) < 0) {
    Error E = refused("the kernel refuses an event");
    close(Fd);
    return E;
  }
  const_cast<PerfRing &>(Other).Others.push_back(Fd);
  return Error::success();
}

PerfRing::PerfRing(PerfRing &&Other) noexcept
    : Fd(Other.Fd), Pages(Other.Pages), Others(std::move(Other.Others)) {
  Other.Fd = -1;
  Other.Pages = nullptr;
  Other.Others.clear();
}

PerfRing::~PerfRing() {
  if (Pages)
    munmap(Pages, (DataPages + 1) * PageSize);
  for (int Each : Others)
    close(Each);
  if (Fd >= 0)
    close(Fd);
}

void PerfRing::enable() { ioctl(Fd, PERF_EVENT_IOC_ENABLE, 0); }
void PerfRing::disable() { ioctl(Fd, PERF_EVENT_IOC_DISABLE, 0); }

uint64_t PerfRing::id() const {
  uint64_t ID = 0;
  ioctl(Fd, PERF_EVENT_IOC_ID, &ID);
  return ID;
}

void PerfRing::setPeriod(uint64_t Period) { ioctl(Fd, PERF_EVENT_IOC_PERIOD, &Period); }

void PerfRing::drain(function_ref<void(uint32_t, StringRef)> Take) {
  drainAll([&](const perf_event_header &H, StringRef Record) { Take(H.type, Record); });
}

void PerfRing::drainAll(function_ref<void(const perf_event_header &, StringRef)> Take) {
  auto *Header = static_cast<perf_event_mmap_page *>(Pages);
  const char *Data = static_cast<char *>(Pages) + PageSize;
  constexpr uint64_t Size = DataPages * PageSize;
  uint64_t Head = __atomic_load_n(&Header->data_head, __ATOMIC_ACQUIRE);
  uint64_t Tail = Header->data_tail;
  SmallVector<char, 256> Copy;
  auto Read = [&](uint64_t At, char *To, size_t N) {
    for (size_t I = 0; I < N; ++I)
      To[I] = Data[(At + I) % Size];
  };
  while (Tail < Head) {
    perf_event_header H;
    Read(Tail, reinterpret_cast<char *>(&H), sizeof H);
    if (H.size < sizeof H)
      break;
    Copy.resize(H.size - sizeof H);
    Read(Tail + sizeof H, Copy.data(), Copy.size());
    Take(H, StringRef(Copy.data(), Copy.size()));
    Tail += H.size;
  }
  __atomic_store_n(&Header->data_tail, Head, __ATOMIC_RELEASE);
}

} // namespace causal::probe
