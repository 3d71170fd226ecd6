//===- causal_critical_section.cpp - Critical sections as targets ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_critical_section.h.
//
//===----------------------------------------------------------------------===//
#include "causal/section/causal_critical_section.h"
#include "causal/causal_run.h"
#include "code/causal_images.h"
#include "code/causal_stack_walk.h"

using namespace __causal;

static SectionTable Sections;
static_assert(SourceLines::FirstReserved <= SectionTable::Deeper,
              "ids of lines are not told from what is known of addresses");

void __causal::forgetSections() { Sections.clear(); }

static constexpr unsigned MaxInlineFrames = 64;

namespace {
/// A call of the program's, and then its callers.
class Callers {
public:
  /// From the call that returns to PC; the walk to it begins at R, a frame of ours.
  Callers(const CausalThread &T, const UnwindRegisters &R, uintptr_t PC) : Walk(T.Stack, R) {
    constexpr unsigned OwnFrames = 8;
    for (unsigned I = 0; I != OwnFrames && !Found; ++I)
      Found = Walk.up() && Walk.registers().PC == PC;
  }
  /// Of the frame that the call returns to, before the first next().
  uintptr_t stackPointer() const { return Walk.registers().SP; }
  /// The next frame. False if there is none.
  bool next(CallFrame &F) {
    if (!Found)
      return false;
    F.PC = Walk.registers().PC;
    Found = Walk.up();
    F.CFA = Found ? Walk.registers().SP : 0;
    F.Caller = Found ? Walk.registers().PC : 0;
    return true;
  }

private:
  StackWalk Walk;
  bool Found = false;
};
} // namespace

// The section that begins in this function, by a call that returns to Taking, and ends by
// one that returns to Giving, if that is known. 0 if nothing there is in scope.
static uint32_t sectionBetween(uintptr_t Taking, uintptr_t Giving) {
  linemap::Frame T[MaxInlineFrames], G[MaxInlineFrames];
  unsigned TCount = lookupFrames(Taking - 1, T, MaxInlineFrames);
  unsigned GCount = Giving ? lookupFrames(Giving - 1, G, MaxInlineFrames) : 0;
  unsigned I = TCount && GCount ? whereCallsPart(T, TCount, G, GCount) : 0;
  for (; I < TCount; ++I)
    if (uint32_t Section = run().internLine(T[I]))
      return Section;
  return 0;
}

// The thread gives back, by a call that returns to PC, the lock whose taking it has kept.
// Returns what section that is, or Undecided.
__attribute__((noinline)) static uint32_t learnSection(CausalThread &T, uintptr_t PC) {
  const CallChain &Taking = T.Taking;
  T.LearnsOf = 0;
  CallChain Giving;
  Callers Each(T, ownRegisters(), PC);
  Giving.Count = 0;
  while (Giving.Count != CallChain::Most && Each.next(Giving.Frames[Giving.Count]))
    ++Giving.Count;
  unsigned I, J;
  bool HaveCommon = findCommonFrame(Taking, Giving, I, J);
  if (!HaveCommon)
    I = 0;
  uint64_t Key = 0;
  for (unsigned At = 0; At != Taking.Count; ++At) {
    Key = SectionTable::key(Taking.Frames[At].PC, Key);
    uint32_t Section = 0;
    if (At >= I)
      Section =
          sectionBetween(Taking.Frames[At].PC, HaveCommon && At == I ? Giving.Frames[J].PC : 0);
    if (Section == SourceLines::Undecided)
      return Section; // Another time.
    bool Known = Section || At + 1 == Taking.Count;
    if (!Known) {
      Sections.setDeeper(Key, Taking.toReturnAddress(At));
      continue;
    }
    Sections.set(Key, Section);
    return Section;
  }
  return SourceLines::Undecided;
}

__attribute__((noinline)) static uint32_t sectionByCallers(CausalThread &T, uintptr_t Lock,
                                                           uintptr_t PC) {
  CallChain Chain;
  Callers Each(T, ownRegisters(), PC);
  Chain.SP = Each.stackPointer();
  uint64_t Key = 0;
  uint32_t Found = SectionTable::Deeper;
  for (Chain.Count = 0; Chain.Count != CallChain::Most && Each.next(Chain.Frames[Chain.Count]);
       ++Chain.Count) {
    if (Found != SectionTable::Deeper)
      continue;
    Key = SectionTable::key(Chain.Frames[Chain.Count].PC, Key);
    Found = Sections.find(Key);
    if (Found < SectionTable::Deeper)
      return Found;
  }
  if (!Chain.Count) { // No way to the caller.
    Sections.set(SectionTable::key(PC), 0);
    return 0;
  }
  // The innermost: those around it are held for longer, perhaps for ever.
  T.Taking = Chain;
  T.LearnsOf = Lock;
  return SourceLines::Undecided;
}

__attribute__((preserve_most, noinline)) void
__causal::beginSection(CausalThread &T, uintptr_t Lock, uintptr_t PC, uintptr_t SP) {
  bool OnOwnStack = T.Stack.contains(SP);
  uint32_t Section = Sections.find(PC, OnOwnStack ? SP : 0, T.Stack.High);
  if (Section >= SectionTable::Deeper)
    Section = sectionByCallers(T, Lock, PC);
  T.Held.took(Lock, Section);
}

__attribute__((preserve_most, noinline)) void __causal::nameSection(CausalThread &T, uintptr_t Lock,
                                                                    uintptr_t PC) {
  if (T.LearnsOf == Lock)
    T.Held.rename(Lock, SourceLines::Undecided, learnSection(T, PC));
}

__attribute__((preserve_most, noinline)) void __causal::endSection(CausalThread &T, uintptr_t Lock,
                                                                   uintptr_t PC) {
  nameSection(T, Lock, PC);
  T.Held.gaveBack(Lock);
}
