//===- causal_stack_table.h - Call stacks, each kept once -------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives each address that was seen in a stack a small number, and each stack of such
// frames another one. Both stay what they are for the whole run: code that is unloaded
// loses its addresses, so that what is loaded there next has frames of its own.
//
// The object is zeroed memory (60 MB, mostly untouched) that the caller maps. Pure code.
// Context: frame() and intern() in any thread, sample handler included: lock-free, no
// allocation, no waiting for others. What finds no room is counted, and has the number 0.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_STACK_TABLE_H
#define CAUSAL_STACK_TABLE_H

#include <stddef.h>
#include <stdint.h>

namespace __causal {

class StackTable {
public:
  static constexpr uint32_t MaxFrames = 1 << 18, MaxStacks = 1 << 17; ///< Ids fit in 24 bits.
  static constexpr unsigned MaxDepth = 256;
  static constexpr size_t ArenaSize = 1 << 23;

  struct Stack {
    uint32_t At; ///< Its frames in the arena, innermost first.
    uint16_t Depth;
    bool Truncated; ///< There were more, towards the root.
    bool Ready, Written;
  };

  /// The frame at an address in code (for a caller: within its call). 0: no room.
  uint32_t frame(uintptr_t PC);
  /// The stack of these frames. 0: no room.
  uint32_t intern(const uint32_t *Frames, unsigned Depth, bool Truncated);

  uintptr_t address(uint32_t Frame) const { return load(Keys[Frame - 1]) & ~Gone; }
  /// Null while it is being made, or if no stack has this id.
  Stack *stack(uint32_t Id) {
    Stack &S = Stacks[Id % MaxStacks];
    return __atomic_load_n(&S.Ready, __ATOMIC_ACQUIRE) ? &S : nullptr;
  }
  const uint32_t *frames(const Stack &S) const { return Arena + S.At; }
  /// No stack has this id or a greater one.
  uint32_t end() const {
    uint32_t Count = __atomic_load_n(&Made, __ATOMIC_ACQUIRE);
    return Count < MaxStacks - 1 ? Count + 1 : MaxStacks;
  }

  /// Whether the record of a frame is written; for the one thread that writes records.
  bool isWritten(uint32_t Frame) const { return FrameWritten[Frame - 1]; }
  void setWritten(uint32_t Frame) { FrameWritten[Frame - 1] = true; }

  /// Code in [Low, High) is gone. For the thread that writes records.
  void forgetCode(uintptr_t Low, uintptr_t High);

  /// How often there was no room.
  uint64_t dropped() const { return __atomic_load_n(&Dropped, __ATOMIC_RELAXED); }

private:
  static constexpr uintptr_t Gone = uintptr_t(1) << 63;
  static constexpr unsigned MaxProbes = 64;

  static uintptr_t load(const uintptr_t &Word) { return __atomic_load_n(&Word, __ATOMIC_RELAXED); }
  bool isEqual(uint32_t Id, const uint32_t *Frames, unsigned Depth, bool Truncated) const;
  uint32_t make(const uint32_t *Frames, unsigned Depth, bool Truncated);
  uint32_t drop() {
    __atomic_fetch_add(&Dropped, 1, __ATOMIC_RELAXED);
    return 0;
  }

  uint64_t Dropped;
  uint32_t Made;
  uint64_t ArenaUsed;
  uintptr_t Keys[MaxFrames]; ///< By a hash of the address; a frame is the slot's number.
  bool FrameWritten[MaxFrames];
  uint64_t Slots[2 * MaxStacks]; ///< Upper half: of the hash; lower half: the id.
  Stack Stacks[MaxStacks];
  uint32_t Arena[ArenaSize];
};

} // namespace __causal

#endif // CAUSAL_STACK_TABLE_H
