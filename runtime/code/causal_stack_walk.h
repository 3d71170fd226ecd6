//===- causal_stack_walk.h - From frame to frame of a thread ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frames of the calling thread, innermost first, across the stacks that signals
// switch to. Context: any thread, sample handler included; nothing allocates or blocks.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_STACK_WALK_H
#define CAUSAL_STACK_WALK_H

#include "code/causal_unwind.h"

namespace __causal {

/// Between the two all memory is the thread's stack; no frame of the program lies above High,
/// which is 0 if that is not known.
struct StackBounds {
  uintptr_t Low, High;
  bool contains(uintptr_t SP) const { return SP < High && SP >= Low; }
};

class StackWalk {
public:
  /// Begins at the frame that R are the registers of. Own: of the calling thread.
  StackWalk(const StackBounds &Own, const UnwindRegisters &R);

  /// Of the frame that the walk is at.
  const UnwindRegisters &registers() const { return R; }
  /// To the caller; false, and nothing changes, where none is found.
  bool up();
  /// The same, where the frame's code has no call frame information: to the nearest caller that
  /// IsWanted (causal_unwind_scan.h).
  bool scanUp(bool (*IsWanted)(uintptr_t PC));

private:
  StackBounds Own;
  UnwindRegisters R;
  uintptr_t Low, High; ///< What may be read of the stack.
};

/// The registers of the frame that calls this.
__attribute__((always_inline)) inline UnwindRegisters ownRegisters() {
  UnwindRegisters R;
  asm("leaq (%%rip), %0\n\tmovq %%rsp, %1\n\tmovq %%rbp, %2\n\tmovq %%rbx, %3"
      : "=&r"(R.PC), "=&r"(R.SP), "=&r"(R.BP), "=&r"(R.BX));
  asm("movq %%r12, %0\n\tmovq %%r13, %1\n\tmovq %%r14, %2\n\tmovq %%r15, %3"
      : "=m"(R.R12), "=m"(R.R13), "=m"(R.R14), "=m"(R.R15));
  return R;
}

/// A hash of where the calling thread is, whose stack is Own: of the calls that led here, but for those that
/// are far up. 0 where it is not on its own stack.
uintptr_t callPath(const StackBounds &Own);

/// Finds glibc's lock-free object lookup for the unwinder. At start-up.
void initStackWalk();

} // namespace __causal

#endif // CAUSAL_STACK_WALK_H
