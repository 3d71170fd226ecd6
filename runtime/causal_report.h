//===- causal_report.h - Messages to the user --------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is said on stderr, or in log_path. A message may come from a sample handler, and
// where it goes may be a pipe that nobody reads, or a full disk: neither ends the program,
// nor does a lock hold it up.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_REPORT_H
#define CAUSAL_REPORT_H

#include "causal_runtime_lock.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_flags.h"

#include <signal.h>
#include <time.h>

namespace __causal {

/// Held for every message, and by fork.
inline __sanitizer::StaticSpinMutex MessageMutex;

/// While it lives a message may be written: no handler comes in between, and SIGPIPE and
/// SIGXFSZ, which that may cause, reach nobody.
class MessageScope {
public:
  MessageScope() : Lock(MessageMutex) {
    systemCall(SYS_rt_sigpending, word(&Before), sizeof(Before));
  }
  ~MessageScope() {
    uint64_t Ours = (1ull << (SIGXFSZ - 1) | 1ull << (SIGPIPE - 1)) & ~Before;
    timespec Now = {};
    while (Ours && systemCall(SYS_rt_sigtimedwait, word(&Ours), 0, word(&Now), sizeof(Ours)) > 0)
      ;
  }
  MessageScope(const MessageScope &) = delete;

private:
  RuntimeLock Lock;
  uint64_t Before = 0;
};

/// As sanitizer_common's Report(). Any context.
#define CAUSAL_REPORT(...)                                                     \
  do {                                                                         \
    ::__causal::MessageScope Scope;                                            \
    __sanitizer::Report(__VA_ARGS__);                                          \
  } while (0)
/// The same with verbosity= of Level or more.
#define CAUSAL_VREPORT(Level, ...)                                             \
  do {                                                                         \
    if (__sanitizer::common_flags()->verbosity >= (Level))                     \
      CAUSAL_REPORT(__VA_ARGS__);                                              \
  } while (0)

} // namespace __causal

#endif // CAUSAL_REPORT_H
