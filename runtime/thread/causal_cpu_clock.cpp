//===- causal_cpu_clock.cpp - A thread's CPU time, cheaply ----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "thread/causal_cpu_clock.h"
#include "base/causal_platform.h"
#include "base/causal_syscall.h"

#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>

using namespace __causal;

// glibc's since 2.35: where the thread's struct rseq lies, from the thread pointer on, and how
// much of it the kernel knows; 0 if it has none.
extern "C" {
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));
}

// A sequence that no thread is ever in, with what the kernel wants to find before the code
// that it would go on with otherwise.
asm(R"(
  .pushsection .text.causal_core_watch, "ax", @progbits
  .byte 0x0f, 0xb9, 0x3d
  .long 0x53053053
.Lcausal_core_watch_abort:
  ud2
.Lcausal_core_watch_begin:
  ud2
.Lcausal_core_watch_end:
  .popsection
  .pushsection .data.rel.ro.causal_core_watch, "aw", @progbits
  .balign 32
  .hidden CausalCoreWatch
  .globl CausalCoreWatch
CausalCoreWatch:
  .long 0, 0
  .quad .Lcausal_core_watch_begin
  .quad .Lcausal_core_watch_end - .Lcausal_core_watch_begin
  .quad .Lcausal_core_watch_abort
  .popsection
)");
extern "C" __attribute__((visibility("hidden"))) const char CausalCoreWatch[32];

namespace {
struct Watching {
  enum Kind : uint8_t { Unknown, Works, Fails };
};

/// As the kernel has it, which writes all of it.
struct rseq {
  uint32_t CoreAtStart, Core;
  uint64_t Sequence; ///< The address of that which the thread is in.
};
} // namespace

static uint8_t State = Watching::Unknown;

static rseq *area() {
  uintptr_t Self;
  asm("mov %%fs:0, %0" : "=r"(Self));
  return reinterpret_cast<rseq *>(Self + static_cast<uintptr_t>(__rseq_offset));
}

static uint64_t *sequence() { return &area()->Sequence; }

// glibc's registration may have failed, or the program have taken it back.
static bool isRegistered() { return static_cast<int32_t>(area()->Core) >= 0; }

static uint64_t watched() { return reinterpret_cast<uintptr_t>(CausalCoreWatch); }

static void watch() { __atomic_store_n(sequence(), watched(), __ATOMIC_RELAXED); }

static bool isWatched() { return __atomic_load_n(sequence(), __ATOMIC_RELAXED) == watched(); }

// Linux 6.19 looks at the pointer no more when a thread gives its core up in a system call; later
// ones do again, but for who registers for their second ABI.
// (Twice, since an interrupt between two instructions makes it look once more.)
static uint8_t tryOut() {
  if (!&__rseq_size || !__rseq_size)
    return Watching::Fails;
  for (int I = 0; I < 2; ++I) {
    timespec Nap = {0, 50000};
    watch();
    if (systemCall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, word(&Nap), 0))
      return Watching::Unknown;
    if (isWatched())
      return Watching::Fails;
  }
  return Watching::Works;
}

bool CPUClock::keepsCore() {
  return __atomic_load_n(&State, __ATOMIC_RELAXED) == Watching::Works && isWatched();
}

uint64_t CPUClock::ask() {
  uint8_t Known = __atomic_load_n(&State, __ATOMIC_RELAXED);
  if (Known == Watching::Unknown) {
    Known = tryOut();
    __atomic_store_n(&State, Known, __ATOMIC_RELAXED);
  }
  if (Known != Watching::Works || !isRegistered())
    return threadCPUTime();
  uint32_t Asking = ++Asked;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  watch();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  uint64_t CPUTime = threadCPUTime();
  Ahead = CPUTime - now();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (Asked != Asking) // A handler has asked meanwhile, and what it was told is overwritten.
    __atomic_store_n(sequence(), 0, __ATOMIC_RELAXED);
  return CPUTime;
}

void CPUClock::restart() {
  if (keepsCore()) // Stacks are used again, with what was in them, and forks copy them.
    __atomic_store_n(sequence(), 0, __ATOMIC_RELAXED);
}
