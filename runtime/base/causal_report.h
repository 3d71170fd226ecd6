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

#include "base/causal_runtime_lock.h"

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_flags.h"

#include <poll.h>
#include <signal.h>
#include <time.h>

namespace __causal {

/// Held for every message, and by fork.
inline __sanitizer::StaticSpinMutex MessageMutex;

/// While it lives a message may be written: no handler comes in between, and SIGPIPE and
/// SIGXFSZ, which that may cause, reach nobody.
class MessageScope {
public:
  MessageScope() : Lock(MessageMutex, /*InHandlers=*/true) {
    systemCall(SYS_rt_sigpending, word(&Before), sizeof(Before));
  }
  ~MessageScope() {
    uint64_t Ours = (1ull << (SIGXFSZ - 1) | 1ull << (SIGPIPE - 1)) & ~Before;
    timespec Now = {};
    while (Ours && systemCall(SYS_rt_sigtimedwait, word(&Ours), 0, word(&Now), sizeof(Ours)) > 0)
      ;
  }
  MessageScope(const MessageScope &) = delete;

  /// False, after a while, where who is to read does not: then it may be this program, or
  /// one that waits for its end. What comes later is then not waited for.
  bool hasRoom() const {
    constexpr uint64_t Longest = 200; // ms
    static bool IsFull;
    pollfd To = {__sanitizer::report_file.fd, POLLOUT, 0};
    if (To.fd < 0) // A file of log_path=, which the first message opens.
      return true;
    IsFull = systemCall(SYS_poll, word(&To), 1, IsFull ? 0 : Longest) == 0;
    return !IsFull;
  }

private:
  RuntimeLock Lock;
  uint64_t Before = 0;
};

/// As sanitizer_common's Report(). Any context.
#define CAUSAL_REPORT(...)                                                                         \
  do {                                                                                             \
    ::__causal::MessageScope Scope;                                                                \
    if (Scope.hasRoom())                                                                           \
      __sanitizer::Report(__VA_ARGS__);                                                            \
  } while (0)
/// The same with verbosity= of Level or more.
#define CAUSAL_VREPORT(Level, ...)                                                                 \
  do {                                                                                             \
    if (__sanitizer::common_flags()->verbosity >= (Level))                                         \
      CAUSAL_REPORT(__VA_ARGS__);                                                                  \
  } while (0)

} // namespace __causal

#endif // CAUSAL_REPORT_H
