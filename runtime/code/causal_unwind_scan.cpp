//===- causal_unwind_scan.cpp - The caller of code without CFI ------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What earlier calls have left on the stack looks like a caller, too. A word is taken only if the
// frames above it fit: two more callers, each behind a call, or the outermost frame.
//
//===----------------------------------------------------------------------===//
#include "code/causal_unwind_scan.h"

namespace __causal {
namespace {

constexpr uintptr_t Page = 4096, Word = sizeof(uintptr_t);
/// Of stack that is looked at, and of words that may be the caller's frame pointer.
constexpr uintptr_t MostBytes = 16 * 1024, MostFramePointers = 16;

/// Whether PC, which lies behind mapped code, follows a call. Target: where a direct one leads;
/// 0: not known.
bool followsCall(uintptr_t PC, uintptr_t &Target) {
  const uint8_t *Code = reinterpret_cast<const uint8_t *>(PC);
  uintptr_t Readable = (PC - 1) % Page + 1; // The page before may be none.
  auto IsIndirect = [&](int Size) {
    return Readable >= static_cast<uintptr_t>(Size) && Code[-Size] == 0xFF &&
           (Code[1 - Size] >> 3 & 7) == 2;
  };
  Target = 0;
  if (Readable >= 5 && Code[-5] == 0xE8) {
    int32_t Distance;
    __builtin_memcpy(&Distance, Code - 4, sizeof(Distance));
    Target = PC + static_cast<uintptr_t>(intptr_t{Distance});
    return true;
  }
  // Through a register or memory: with no displacement, one of 8 and one of 32 bits, and with a
  // byte more for an index.
  return IsIndirect(2) || IsIndirect(3) || IsIndirect(4) || IsIndirect(6) || IsIndirect(7);
}

/// Whether the stack can be walked on from R.
bool fits(UnwindRegisters R, uintptr_t StackHigh, UnwindCache &Cache) {
  constexpr int Enough = 2;
  for (int Frames = 0; Frames != Enough; ++Frames) {
    UnwindRow Row = unwindFindRow(R.lookupPC(), Cache);
    if (Row == UnwindRow::Outermost)
      return Frames; // The frame itself is none.
    uintptr_t Target;
    if (Row == UnwindRow::None || !followsCall(R.PC, Target) ||
        !unwindStep(R, R.SP, StackHigh, Cache))
      return false;
  }
  return true;
}

/// The caller that has left its address in the word at Place.
bool takeCaller(UnwindRegisters &R, uintptr_t Place, uintptr_t StackHigh, UnwindCache &Cache) {
  auto Read = [](uintptr_t At) { return *reinterpret_cast<const uintptr_t *>(At); };
  UnwindRegisters Caller = R;
  Caller.PC = Read(Place);
  Caller.SP = Place + Word;
  Caller.R10 = 0;
  Caller.IsReturnAddress = true;
  if (fits(Caller, StackHigh, Cache)) {
    R = Caller;
    return true;
  }
  // Its frame pointer may have been saved between.
  uintptr_t Low = R.SP + MostFramePointers * Word < Place ? Place - MostFramePointers * Word : R.SP;
  for (uintptr_t At = Place - Word; At >= Low && At < Place; At -= Word) {
    Caller.BP = Read(At);
    if (Caller.BP <= Place || Caller.BP >= StackHigh || !fits(Caller, StackHigh, Cache))
      continue;
    R = Caller;
    return true;
  }
  return false;
}

} // namespace

bool unwindScan(UnwindRegisters &R, uintptr_t StackHigh, UnwindCache &Cache,
                bool (*IsWanted)(uintptr_t PC)) {
  if (!R.PC || unwindFindRow(R.lookupPC(), Cache) != UnwindRow::None)
    return false;
  UnwindRegisters Frame = R;
  Frame.SP = (R.SP + Word - 1) / Word * Word;
  uintptr_t End = StackHigh - Frame.SP > MostBytes ? Frame.SP + MostBytes : StackHigh;
  for (uintptr_t Place = Frame.SP; Place + Word <= End; Place += Word) {
    uintptr_t Target, PC = *reinterpret_cast<const uintptr_t *>(Place);
    // A direct call of what has line tables itself was another one.
    if (PC > Page && IsWanted(PC - 1) && followsCall(PC, Target) && !(Target && IsWanted(Target)) &&
        takeCaller(Frame, Place, StackHigh, Cache)) {
      R = Frame;
      return true;
    }
  }
  return false;
}

} // namespace __causal
