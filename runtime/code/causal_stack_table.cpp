//===- causal_stack_table.cpp - Call stacks, each kept once ---------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_stack_table.h. A stack is complete before a slot shows it, so nobody finds
// half of one. Of two threads that make the same one at once the second keeps a number
// that nobody uses.
//
//===----------------------------------------------------------------------===//
#include "code/causal_stack_table.h"

using namespace __causal;

static uint64_t mix(uint64_t Hash, uint64_t Word) {
  Hash = (Hash ^ Word) * 0x9E3779B97F4A7C15ull;
  return Hash ^ Hash >> 29;
}

uint32_t StackTable::frame(uintptr_t PC) {
  if (!PC || PC & Gone)
    return drop();
  uint32_t At = static_cast<uint32_t>(mix(1, PC) >> 40) % MaxFrames;
  for (unsigned Probe = 0; Probe != MaxProbes; ++Probe, At = (At + 1) % MaxFrames) {
    uintptr_t Key = load(Keys[At]);
    if (!Key && __atomic_compare_exchange_n(&Keys[At], &Key, PC, /*weak=*/false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
      return At + 1;
    if (Key == PC)
      return At + 1;
  }
  return drop();
}

bool StackTable::isEqual(uint32_t Id, const uint32_t *Frames, unsigned Depth,
                         bool Truncated) const {
  const Stack &S = Stacks[Id];
  if (S.Depth != Depth || S.Truncated != Truncated)
    return false;
  for (unsigned I = 0; I != Depth; ++I)
    if (Arena[S.At + I] != Frames[I])
      return false;
  return true;
}

// Counts never go back, but stay where they overflow.
static bool take(uint64_t &Used, uint64_t Size, uint64_t Limit, uint64_t &At) {
  if (__atomic_load_n(&Used, __ATOMIC_RELAXED) + Size > Limit)
    return false;
  At = __atomic_fetch_add(&Used, Size, __ATOMIC_RELAXED);
  return At + Size <= Limit;
}

uint32_t StackTable::make(const uint32_t *Frames, unsigned Depth, bool Truncated) {
  uint64_t At;
  if (end() == MaxStacks || !take(ArenaUsed, Depth, ArenaSize, At))
    return 0;
  uint32_t Id = __atomic_add_fetch(&Made, 1, __ATOMIC_ACQ_REL);
  if (Id >= MaxStacks)
    return 0;
  for (unsigned I = 0; I != Depth; ++I)
    Arena[At + I] = Frames[I];
  Stack &S = Stacks[Id];
  S.At = static_cast<uint32_t>(At);
  S.Depth = static_cast<uint16_t>(Depth);
  S.Truncated = Truncated;
  __atomic_store_n(&S.Ready, true, __ATOMIC_RELEASE);
  return Id;
}

uint32_t StackTable::intern(const uint32_t *Frames, unsigned Depth, bool Truncated) {
  if (!Depth || Depth > MaxDepth)
    return drop();
  uint64_t Hash = mix(2, Truncated);
  for (unsigned I = 0; I != Depth; ++I)
    Hash = mix(Hash, Frames[I]);
  constexpr uint32_t SlotCount = 2 * MaxStacks;
  uint32_t At = static_cast<uint32_t>(Hash) % SlotCount, Mine = 0;
  uint64_t Tag = Hash >> 32;
  for (unsigned Probe = 0; Probe != MaxProbes; ++Probe, At = (At + 1) % SlotCount) {
    uint64_t Slot = __atomic_load_n(&Slots[At], __ATOMIC_ACQUIRE);
    if (!Slot) {
      if (!Mine && !(Mine = make(Frames, Depth, Truncated)))
        return drop();
      if (__atomic_compare_exchange_n(&Slots[At], &Slot, Tag << 32 | Mine, /*weak=*/false,
                                      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return Mine;
    }
    uint32_t Id = static_cast<uint32_t>(Slot);
    if (Slot >> 32 == Tag && isEqual(Id, Frames, Depth, Truncated))
      return Id;
  }
  return drop();
}

void StackTable::forgetCode(uintptr_t Low, uintptr_t High) {
  for (uintptr_t &Key : Keys)
    if (uintptr_t PC = load(Key); PC >= Low && PC < High)
      __atomic_store_n(&Key, PC | Gone, __ATOMIC_RELAXED);
}
