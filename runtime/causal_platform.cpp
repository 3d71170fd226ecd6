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
#include "causal_platform.h"
#include "causal_syscall.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

using namespace __causal;

uint64_t __causal::now() { return __sanitizer::MonotonicNanoTime(); }

uint64_t __causal::realTime() {
  timespec T;
  systemCall(SYS_clock_gettime, CLOCK_REALTIME, word(&T));
  return static_cast<uint64_t>(T.tv_sec) * 1000000000 +
         static_cast<uint64_t>(T.tv_nsec);
}

void __causal::sleepUntil(uint64_t Until) {
  timespec T;
  T.tv_sec = static_cast<time_t>(Until / 1000000000);
  T.tv_nsec = static_cast<long>(Until % 1000000000);
  long Slack = systemCall(SYS_prctl, PR_GET_TIMERSLACK);
  systemCall(SYS_prctl, PR_SET_TIMERSLACK, 1);
  while (systemCall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME,
                    word(&T)) == -EINTR)
    ;
  if (Slack > 0)
    systemCall(SYS_prctl, PR_SET_TIMERSLACK, static_cast<uint64_t>(Slack));
}

void *__causal::mapMemory(size_t Size) {
  long P = systemCall(SYS_mmap, 0, Size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, ~0ull);
  return P < 0 && P > -4096 ? nullptr : reinterpret_cast<void *>(P);
}

int __causal::moveDescriptorUp(int Fd) {
  rlimit Limit;
  long Lowest = 1024;
  if (systemCall(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, word(&Limit)) == 0 &&
      Limit.rlim_cur < 2048)
    Lowest = static_cast<long>(Limit.rlim_cur / 2);
  long Moved =
      systemCall(SYS_fcntl, Fd, F_DUPFD_CLOEXEC, static_cast<uint64_t>(Lowest));
  if (Moved < 0)
    return Fd;
  systemCall(SYS_close, static_cast<uint64_t>(Fd));
  return static_cast<int>(Moved);
}

int __causal::threadId() { return static_cast<int>(systemCall(SYS_gettid)); }
int __causal::processId() { return static_cast<int>(systemCall(SYS_getpid)); }

bool __causal::isTraced() {
  long Fd = systemCall(SYS_openat, static_cast<uint64_t>(AT_FDCWD),
                       word("/proc/self/status"), O_RDONLY | O_CLOEXEC);
  if (Fd < 0)
    return false;
  char Text[2048];
  long Size = systemCall(SYS_read, static_cast<uint64_t>(Fd), word(Text),
                         sizeof(Text) - 1);
  systemCall(SYS_close, static_cast<uint64_t>(Fd));
  if (Size <= 0)
    return false;
  Text[Size] = 0;
  const char *Field = __sanitizer::internal_strstr(Text, "TracerPid:\t");
  return Field && Field[11] != '0';
}
