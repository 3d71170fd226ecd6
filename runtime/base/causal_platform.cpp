//===- causal_platform.cpp - What the runtime needs of Linux --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_platform.h.
//
//===----------------------------------------------------------------------===//
#include "base/causal_platform.h"
#include "base/causal_rules.h"
#include "base/causal_syscall.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>

using namespace __causal;

uint64_t __causal::now() { return __sanitizer::MonotonicNanoTime(); }

uint64_t __causal::realTime() {
  timespec T;
  systemCall(SYS_clock_gettime, CLOCK_REALTIME, word(&T));
  return static_cast<uint64_t>(T.tv_sec) * 1000000000 + static_cast<uint64_t>(T.tv_nsec);
}

uint64_t __causal::randomWord() {
  uint64_t Word = 0;
  if (systemCall(SYS_getrandom, word(&Word), sizeof(Word), GRND_NONBLOCK) != sizeof(Word))
    Word = realTime() ^ static_cast<uint64_t>(processId()) << 40;
  return Word;
}

void __causal::sleepUntil(uint64_t Until) {
  timespec T;
  T.tv_sec = static_cast<time_t>(Until / 1000000000);
  T.tv_nsec = static_cast<long>(Until % 1000000000);
  long Slack = systemCall(SYS_prctl, PR_GET_TIMERSLACK);
  systemCall(SYS_prctl, PR_SET_TIMERSLACK, 1);
  while (systemCall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, word(&T)) == -EINTR)
    ;
  if (Slack > 0)
    systemCall(SYS_prctl, PR_SET_TIMERSLACK, static_cast<uint64_t>(Slack));
}

static uint64_t timeOf(clockid_t Clock) {
  timespec T = {};
  systemCall(SYS_clock_gettime, static_cast<uint64_t>(Clock), word(&T));
  return static_cast<uint64_t>(T.tv_sec) * 1000000000 + static_cast<uint64_t>(T.tv_nsec);
}

uint64_t __causal::threadCPUTime() { return timeOf(CLOCK_THREAD_CPUTIME_ID); }
// As the kernel makes clocks of thread ids.
uint64_t __causal::threadCPUTimeOf(int Id) {
  constexpr unsigned PerThreadSchedulerClock = 6;
  return timeOf(static_cast<clockid_t>(~static_cast<unsigned>(Id) << 3 | PerThreadSchedulerClock));
}
uint64_t __causal::processCPUTime() { return timeOf(CLOCK_PROCESS_CPUTIME_ID); }

ThreadUsage __causal::threadUsage() {
  rusage U = {};
  systemCall(SYS_getrusage, RUSAGE_THREAD, word(&U));
  auto Microseconds = [](const timeval &T) {
    return static_cast<uint64_t>(T.tv_sec) * 1000000 + static_cast<uint64_t>(T.tv_usec);
  };
  return {1000 * (Microseconds(U.ru_utime) + Microseconds(U.ru_stime)),
          static_cast<uint64_t>(U.ru_nvcsw) + static_cast<uint64_t>(U.ru_nivcsw)};
}

// A section of its own, so that a sample in it is told from the caller's work. All
// that it calls is to be inlined.
extern "C" __attribute__((visibility("hidden"))) const char __start_causal_burn[],
    __stop_causal_burn[];

__attribute__((section("causal_burn"), noinline)) uint64_t __causal::burnCPU(uint64_t Nanoseconds,
                                                                             uint64_t &Seen) {
  timespec T;
  uint64_t Begin = 0, Elapsed = 0;
  do {
    for (int I = 0; Begin && I < 16; ++I)
      __builtin_ia32_pause();
    systemCall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, word(&T));
    uint64_t Now = static_cast<uint64_t>(T.tv_sec) * 1000000000 + static_cast<uint64_t>(T.tv_nsec);
    if (!Begin)
      Begin = Now;
    Elapsed = Now - Begin;
    __atomic_store_n(&Seen, Now, __ATOMIC_RELAXED);
  } while (Elapsed < Nanoseconds);
  return Elapsed;
}

__attribute__((section("causal_burn"), noinline)) void __causal::burnBriefly() {
  for (int I = 0; I < 2; ++I)
    __builtin_ia32_pause();
}

bool __causal::inBurn(uintptr_t PC) {
  return PC >= reinterpret_cast<uintptr_t>(__start_causal_burn) &&
         PC < reinterpret_cast<uintptr_t>(__stop_causal_burn);
}

void *__causal::mapMemory(size_t Size) {
  checkNotInHandler("the sample handler maps memory");
  long P = systemCall(SYS_mmap, 0, Size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, ~0ull);
  return P < 0 && P > -4096 ? nullptr : reinterpret_cast<void *>(P);
}

// One bit for each number. Higher ones are no number that programs close unseen.
static constexpr int MaxOwnDescriptor = 1 << 16;
static uint64_t OwnDescriptors[MaxOwnDescriptor / 64];

static uint64_t *ownWord(int Fd) { return &OwnDescriptors[Fd / 64]; }
static uint64_t ownBit(int Fd) { return 1ull << (Fd % 64); }

bool __causal::isOwnDescriptor(int Fd) {
  return Fd >= 0 && Fd < MaxOwnDescriptor &&
         (__atomic_load_n(ownWord(Fd), __ATOMIC_RELAXED) & ownBit(Fd));
}

int __causal::nextOwnDescriptor(int First) {
  for (int Fd = First < 0 ? 0 : First; Fd < MaxOwnDescriptor;) {
    uint64_t Word = __atomic_load_n(ownWord(Fd), __ATOMIC_RELAXED) >> Fd % 64;
    if (Word)
      return Fd + __builtin_ctzll(Word);
    Fd += 64 - Fd % 64;
  }
  return -1;
}

void __causal::disownDescriptor(int Fd) {
  if (Fd >= 0 && Fd < MaxOwnDescriptor)
    __atomic_fetch_and(ownWord(Fd), ~ownBit(Fd), __ATOMIC_RELAXED);
}

void __causal::closeOwnDescriptor(int Fd) {
  if (!isOwnDescriptor(Fd))
    return;
  disownDescriptor(Fd);
  systemCall(SYS_close, static_cast<uint64_t>(Fd));
}

int __causal::moveDescriptorUp(int Fd) {
  rlimit Limit;
  // Above most of the program's, but within FD_SETSIZE: of the sets of a select() with a
  // large count the kernel takes as much as the process's table of descriptors has. Of a
  // small limit no more than a quarter, and of a very small one none: threads beyond are sampled
  // by timers.
  constexpr rlim_t VerySmall = 64;
  long Lowest = 768;
  if (systemCall(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, word(&Limit)) == 0 && Limit.rlim_cur < 1024)
    Lowest =
        static_cast<long>(Limit.rlim_cur < VerySmall ? Limit.rlim_cur : Limit.rlim_cur * 3 / 4);
  long Moved = systemCall(SYS_fcntl, static_cast<uint64_t>(Fd), F_DUPFD_CLOEXEC,
                          static_cast<uint64_t>(Lowest));
  systemCall(SYS_close, static_cast<uint64_t>(Fd));
  if (Moved >= MaxOwnDescriptor) {
    systemCall(SYS_close, static_cast<uint64_t>(Moved));
    return -1;
  }
  if (Moved < 0)
    return -1;
  __atomic_fetch_or(ownWord(static_cast<int>(Moved)), ownBit(static_cast<int>(Moved)),
                    __ATOMIC_RELAXED);
  return static_cast<int>(Moved);
}

int OwnOpening::Count;

void OwnOpening::waitForSome() {
  // On a loaded machine whoever opens may have to wait for a core.
  constexpr uint64_t Longest = 200000000;
  uint64_t Begin = now();
  while (any()) {
    if (now() - Begin > Longest)
      return forgetOthers();
    systemCall(SYS_sched_yield);
  }
}

// Where the kernel tells threads their core (rseq) this is a load.
unsigned __causal::currentCore() {
  int Core = sched_getcpu();
  return Core < 0 ? 0 : static_cast<unsigned>(Core);
}

unsigned __causal::coreCount() {
  uint64_t Mask[128];
  long Size = systemCall(SYS_sched_getaffinity, 0, sizeof(Mask), word(Mask));
  unsigned Count = 0;
  for (long I = 0; I < Size / static_cast<long>(sizeof(*Mask)); ++I)
    Count += static_cast<unsigned>(__builtin_popcountll(Mask[I]));
  return Count ? Count : 1;
}

int __causal::threadId() { return static_cast<int>(systemCall(SYS_gettid)); }
int __causal::processId() { return static_cast<int>(systemCall(SYS_getpid)); }

static bool Sandboxed;
bool __causal::isSandboxed() { return __atomic_load_n(&Sandboxed, __ATOMIC_RELAXED); }
void __causal::noteSandbox() { __atomic_store_n(&Sandboxed, true, __ATOMIC_SEQ_CST); }

bool __causal::isTraced() {
  long Fd = systemCall(SYS_openat, static_cast<uint64_t>(AT_FDCWD), word("/proc/self/status"),
                       O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return false;
  char Text[2048];
  long Size = systemCall(SYS_read, static_cast<uint64_t>(Fd), word(Text), sizeof(Text) - 1);
  systemCall(SYS_close, static_cast<uint64_t>(Fd));
  if (Size <= 0)
    return false;
  Text[Size] = 0;
  const char *Field = __sanitizer::internal_strstr(Text, "TracerPid:\t");
  return Field && Field[11] != '0';
}
