//===- causal_stack_walk.cpp - From frame to frame of a thread ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_stack_walk.h.
//
//===----------------------------------------------------------------------===//
#include "code/causal_stack_walk.h"
#include "base/causal_syscall.h"
#include "code/causal_unwind_scan.h"

#include <dlfcn.h>

using namespace __causal;

static UnwindCache Rules;

// Where the stack that SP lies on is known to end. The thread's own stack ends where
// the thread began; on another one (a coroutine's, an alternative one for signals)
// only what can be read now may be read: the kernel is asked, page by page.
static uintptr_t stackHigh(const StackBounds &Own, uintptr_t SP) {
  constexpr uintptr_t Page = 4096, MaxForeign = 32 * Page;
  if (Own.contains(SP))
    return Own.High;
  uintptr_t High = SP & ~(Page - 1);
  while (High < SP + MaxForeign && isReadable(High))
    High += Page;
  return High;
}

// What a function has taken off the stack with its last instructions still lies in the red
// zone, and compilers do not always say that the register has it back.
static uintptr_t stackLow(const StackBounds &Own, uintptr_t SP) {
  uintptr_t Low = SP - UnwindRedZone;
  if (Own.contains(SP))
    return Low < Own.Low ? Own.Low : Low;
  return isReadable(Low) ? Low : SP;
}

StackWalk::StackWalk(const StackBounds &Own, const UnwindRegisters &R)
    : Own(Own), R(R), Low(stackLow(Own, R.SP)), High(stackHigh(Own, R.SP)) {}

bool StackWalk::up() {
  if (!unwindStep(R, Low, High, Rules))
    return false;
  if (R.SP < Low || R.SP >= High) { // A signal has switched stacks.
    Low = stackLow(Own, R.SP);
    High = stackHigh(Own, R.SP);
  }
  return true;
}

bool StackWalk::scanUp(bool (*IsWanted)(uintptr_t PC)) {
  return R.SP >= Low && R.SP < High && unwindScan(R, High, Rules, IsWanted);
}

__attribute__((noinline)) uintptr_t __causal::callPath(const StackBounds &Own) {
  constexpr unsigned Frames = 7; // Two or three are ours.
  UnwindRegisters Here = ownRegisters();
  if (!Own.contains(Here.SP))
    return 0;
  StackWalk Walk(Own, Here);
  uintptr_t Path = 0;
  for (unsigned I = 0; I != Frames && Walk.up(); ++I)
    Path = (Path + Walk.registers().PC) * 0x9E3779B97F4A7C15ull;
  return Path;
}

void __causal::initStackWalk() {
#ifndef CAUSAL_STATIC
  unwindSetFindObject(dlsym(RTLD_DEFAULT, "_dl_find_object"));
#endif
  unwindRefreshModules();
}
