//===- causal_runtime_lock.h - The locks of the runtime ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Who holds a lock of the runtime is not interrupted: neither by a handler of the program,
// which might fork, nor by a sample, which might pause. fork() takes them all.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_RUNTIME_LOCK_H
#define CAUSAL_RUNTIME_LOCK_H

#include "base/causal_platform.h"
#include "base/causal_rules.h"
#include "base/causal_syscall.h"

#include "sanitizer_common/sanitizer_mutex.h"

#include <signal.h>

namespace __causal {

/// All signals of the calling thread are blocked while it lives; in a sandbox, where no sample
/// comes, none.
class SignalsBlocked {
public:
  SignalsBlocked() : Old(block()) {}
  ~SignalsBlocked() { restore(Old); }
  SignalsBlocked(const SignalsBlocked &) = delete;

  /// Blocks them; returns the mask before.
  static uint64_t block() {
    uint64_t All = ~0ull, Before = 0;
    if (isSandboxed())
      return 0;
    systemCall(SYS_rt_sigprocmask, SIG_SETMASK, word(&All), word(&Before), sizeof(All));
    return Before;
  }
  static void restore(uint64_t Mask) {
    if (!isSandboxed())
      systemCall(SYS_rt_sigprocmask, SIG_SETMASK, word(&Mask), 0, sizeof(Mask));
  }

private:
  uint64_t Old;
};

class RuntimeLock {
public:
  /// InHandlers: the sample handler may take it, too.
  explicit RuntimeLock(__sanitizer::StaticSpinMutex &Mutex, bool InHandlers = false)
      : Checked(&Mutex, InHandlers), Lock(&Mutex) {}

private:
  SignalsBlocked Signals; // Before the lock is taken, and until it is given back.
  LockScope Checked;
  __sanitizer::SpinMutexLock Lock;
};

} // namespace __causal

#endif // CAUSAL_RUNTIME_LOCK_H
