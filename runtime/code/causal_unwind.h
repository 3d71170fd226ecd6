//===- causal_unwind.h - From a sample to its callers -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps from a frame to its caller by the call frame information (.eh_frame)
// that every x86-64 image carries, frame pointers or not. Called by the
// attribution, in the sample handler, for samples in code that was not
// instrumented.
//
//   UnwindRegisters R = ...;  // from the ucontext; R.IsReturnAddress = false
//   while (!isInstrumented(R.lookupPC()))
//     if (!unwindStep(R, StackLow, StackHigh, Cache))
//       return false;
//
// Stack memory is read in [max(StackLow, SP - UnwindRedZone), StackHigh) only.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_UNWIND_H
#define CAUSAL_UNWIND_H

#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

namespace __causal {

/// The registers that a frame can be found by. One that is not known is 0.
struct UnwindRegisters {
  uintptr_t PC = 0, SP = 0, BP = 0, BX = 0;
  uintptr_t R10 = 0, R12 = 0, R13 = 0, R14 = 0, R15 = 0;
  /// PC follows a call; false for the sampled frame and one that a signal
  /// interrupted. unwindStep() keeps it.
  bool IsReturnAddress = false;

  UnwindRegisters() = default;
  /// Those that a signal handler is given.
  explicit UnwindRegisters(const ucontext_t &Context) {
    const greg_t *G = Context.uc_mcontext.gregs;
    auto Get = [=](int I) { return static_cast<uintptr_t>(G[I]); };
    PC = Get(REG_RIP);
    SP = Get(REG_RSP);
    BP = Get(REG_RBP);
    BX = Get(REG_RBX);
    R10 = Get(REG_R10);
    R12 = Get(REG_R12);
    R13 = Get(REG_R13);
    R14 = Get(REG_R14);
    R15 = Get(REG_R15);
  }

  /// An address within the instruction that the frame is in.
  uintptr_t lookupPC() const { return PC - IsReturnAddress; }
};

/// Remembers how to leave the frame at an address. May be shared by all threads
/// and their handlers: an entry is three words with a checksum, and what a race
/// tears is not used. Zeroed is empty.
struct UnwindCache {
  static constexpr unsigned Size = 4096;
  struct Entry {
    uint64_t Check, Low, High;
  };
  Entry Entries[Size];
};

/// What a function may use below its stack pointer (System V AMD64 ABI, 3.2.2), in bytes.
constexpr uintptr_t UnwindRedZone = 128;

/// Steps R to its caller. At a frame that a signal interrupted the stack may
/// change: R.SP tells, and the next step needs its bounds. Any thread, sample
/// handler included; never allocates or blocks; time is bounded. Returns false,
/// with R unchanged, at the outermost frame, in code without call frame
/// information, and when what is found does not fit the stack.
bool unwindStep(UnwindRegisters &R, uintptr_t StackLow, uintptr_t StackHigh, UnwindCache &Cache);

/// What is known of the frame at an address.
enum class UnwindRow : uint8_t { None, Step, Outermost };
/// Any thread, sample handler included; never allocates or blocks. None: the code there has no
/// call frame information that is understood, or is none.
UnwindRow unwindFindRow(uintptr_t PC, UnwindCache &Cache);

/// Reads anew which images are loaded, and forgets the rules of those that are
/// gone. Not in a handler (takes the loader's lock): at init, and where it is
/// known that dlopen or dlclose have run.
void unwindRefreshModules();

/// Gives the address of glibc's _dl_find_object (2.35 and later; null: none).
/// With it images are found as they are loaded, without a refresh. Init only.
void unwindSetFindObject(void *Function);

} // namespace __causal

#endif // CAUSAL_UNWIND_H
