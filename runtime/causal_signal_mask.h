//===- causal_signal_mask.h - Masks of the program, without our signal -----===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For the wrappers of functions that take a set of signals. Context: any thread.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SIGNAL_MASK_H
#define CAUSAL_SIGNAL_MASK_H

#include "causal_sampler.h"
#include "causal_syscall.h"

#include <signal.h>

namespace __causal {

/// Sends the calling thread a signal as it came before.
inline void sendToSelf(const siginfo_t &Info) {
  systemCall(SYS_rt_tgsigqueueinfo, static_cast<uint64_t>(systemCall(SYS_getpid)),
             static_cast<uint64_t>(systemCall(SYS_gettid)),
             static_cast<uint64_t>(Info.si_signo), word(&Info));
}

/// A set of signals to wait for or to block, without the sampler's.
class WithoutSamplerSignal {
public:
  explicit WithoutSamplerSignal(const sigset_t *Set) : Set(Set) {
    int Signal = samplerSignal();
    if (!Set || !Signal || sigismember(Set, Signal) != 1)
      return;
    Copy = *Set;
    sigdelset(&Copy, Signal);
    this->Set = &Copy;
    Removed = true;
  }
  WithoutSamplerSignal(const WithoutSamplerSignal &) = delete;
  const sigset_t *get() const { return Set; }
  bool removed() const { return Removed; }

private:
  const sigset_t *Set;
  sigset_t Copy;
  bool Removed = false;
};

/// The mask for a wait: as the program gave it, but that a sampler whose signal ends
/// waits is shut out. Never opened for the sampler: a sample that is delivered ahead of
/// the signal that ends the wait closes the wait's mask, and the program would see
/// EINTR before its handler has run.
class MaskForWait {
public:
  explicit MaskForWait(const sigset_t *Set) : Set(Set) {
    int Signal = samplerSignal();
    bool Handled = programAction()->sa_handler != SIG_DFL &&
                   programAction()->sa_handler != SIG_IGN;
    if (!Set || !Signal || Handled || sigismember(Set, Signal) == 1)
      return;
    Copy = *Set;
    sigaddset(&Copy, Signal);
    this->Set = &Copy;
  }
  MaskForWait(const MaskForWait &) = delete;
  const sigset_t *get() const { return Set; }

private:
  const sigset_t *Set;
  sigset_t Copy;
};

} // namespace __causal

#endif // CAUSAL_SIGNAL_MASK_H
