//===- causal_signal_mask.h - The program's masks, and the kernel's -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sampler's signal has to stay open. So in the kernel's masks a signal that no program
// uses stands in for it: where that one is blocked the program has blocked the sampler's
// number. The kernel and libc keep it with the rest of the mask: when a handler returns, at
// jumps, in new threads and processes. What comes for the program under the sampler's number
// while it has that blocked is sent on under the stand-in's.
//
// Where the sampler's own number is blocked nobody may be sampled: in some handlers.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SIGNAL_MASK_H
#define CAUSAL_SIGNAL_MASK_H

#include "base/causal_syscall.h"
#include "sampler/causal_sampler.h"

#include <signal.h>

namespace __causal {

/// Was for a fault of the x87, and is never sent.
constexpr int StandInSignal = SIGSTKFLT;
/// Whoever blocks this one blocks all, and so the one that is used to stand in.
constexpr int BlockedWithStandIn = SIGPWR;

constexpr uint64_t signalBit(int Signal) { return Signal ? 1ull << (Signal - 1) : 0; }

/// A mask or set of the program's, as the kernel is to have it. Sampler: its signal.
constexpr uint64_t maskForKernel(uint64_t Program, int Sampler) {
  uint64_t Others = Program & ~(signalBit(Sampler) | signalBit(StandInSignal));
  return Program & signalBit(Sampler) ? Others | signalBit(StandInSignal) : Others;
}
/// The other way round.
constexpr uint64_t maskForProgram(uint64_t Kernel, int Sampler) {
  return (Kernel & ~(signalBit(Sampler) | signalBit(StandInSignal))) |
         (Kernel & signalBit(StandInSignal) ? signalBit(Sampler) : 0) |
         (Kernel & signalBit(BlockedWithStandIn) ? signalBit(StandInSignal) : 0);
}

/// libc's sets are longer than the kernel's.
inline uint64_t firstWord(const sigset_t &Set) {
  uint64_t Word;
  __builtin_memcpy(&Word, &Set, sizeof(Word));
  return Word;
}
inline void setFirstWord(sigset_t &Set, uint64_t Word) {
  __builtin_memcpy(&Set, &Word, sizeof(Word));
}
inline bool has(const sigset_t *Set, int Signal) {
  return Set && firstWord(*Set) & signalBit(Signal);
}

/// What the kernel has, as the program is to see it.
inline void showToProgram(sigset_t &Set) {
  if (int Sampler = samplerSignal())
    setFirstWord(Set, maskForProgram(firstWord(Set), Sampler));
}

/// What the program gave, as the kernel is to have it. Also: bits to add.
class KernelMask {
public:
  explicit KernelMask(const sigset_t *Program, uint64_t Also = 0) : Set(Program) {
    int Sampler = samplerSignal();
    if (!Program || !Sampler)
      return;
    Copy = *Program;
    setFirstWord(Copy, maskForKernel(firstWord(Copy), Sampler) | Also);
    Set = &Copy;
  }
  KernelMask(const KernelMask &) = delete;
  const sigset_t *get() const { return Set; }

private:
  const sigset_t *Set;
  sigset_t Copy;
};

/// The mask for a wait, in which the sampler is shut out unless the program waits for its
/// number: a sample that is delivered ahead of the signal that ends the wait closes the wait's
/// mask, and the program would see EINTR before its handler has run.
class MaskForWait {
public:
  explicit MaskForWait(const sigset_t *Set)
      : Waits(isWaitedFor(Set)), Mask(Set, Waits ? 0 : signalBit(samplerSignal())) {
    tell(Waits);
  }
  ~MaskForWait() { tell(false); }
  MaskForWait(const MaskForWait &) = delete;
  const sigset_t *get() const { return Mask.get(); }

private:
  static bool isWaitedFor(const sigset_t *Set) {
    const struct sigaction *Action = programAction(samplerSignal());
    return Set && Action && Action->sa_handler != SIG_DFL && Action->sa_handler != SIG_IGN &&
           !has(Set, samplerSignal());
  }
  static void tell(bool Waits) {
    if (ThreadBase *T = currentThread())
      T->WaitsForSamplerNumber = Waits;
  }

  bool Waits;
  KernelMask Mask;
};

/// libc's sigaction, past our own; the wrapper defines it. Any context.
int realSigaction(int Signal, const struct sigaction *New, struct sigaction *Old);

/// The calling thread's, as the kernel has it.
inline uint64_t kernelMask() {
  uint64_t Mask = 0;
  systemCall(SYS_rt_sigprocmask, SIG_BLOCK, 0, word(&Mask), sizeof(Mask));
  return Mask;
}
inline void setKernelMask(uint64_t Mask) {
  systemCall(SYS_rt_sigprocmask, SIG_SETMASK, word(&Mask), 0, sizeof(Mask));
}

/// For the calling thread, blocked as they are.
inline uint64_t pendingSignals() {
  uint64_t Pending = 0;
  systemCall(SYS_rt_sigpending, word(&Pending), sizeof(Pending));
  return Pending;
}

/// Takes a signal of Set that is pending for the calling thread. False if there is none.
inline bool takePending(uint64_t Set, siginfo_t *Info) {
  timespec Now = {};
  return systemCall(SYS_rt_sigtimedwait, word(&Set), word(Info), word(&Now), sizeof(Set)) > 0;
}

/// Sends the calling thread a signal as it came before.
inline void sendToSelf(const siginfo_t &Info) {
  systemCall(SYS_rt_tgsigqueueinfo, static_cast<uint64_t>(systemCall(SYS_getpid)),
             static_cast<uint64_t>(systemCall(SYS_gettid)), static_cast<uint64_t>(Info.si_signo),
             word(&Info));
}

} // namespace __causal

#endif // CAUSAL_SIGNAL_MASK_H
