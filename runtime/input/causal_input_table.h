//===- causal_input_table.h - Records that never move -----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A growing list of records that one thread appends to and others may read meanwhile, and a
// hash index into it. Memory comes from the system; where there is none, append() returns
// null and the caller counts a loss.
//
// Context: append and find by the owner only, handlers of the program included but not
// within each other (see Recording in causal_input_thread.h). size() and at(): any thread.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_TABLE_H
#define CAUSAL_INPUT_TABLE_H

#include "base/causal_platform.h"
#include "base/causal_syscall.h"

namespace __causal {

inline void unmapMemory(void *Memory, size_t Size) {
  if (Memory)
    systemCall(SYS_munmap, word(static_cast<char *>(Memory)), Size);
}

template <class T> class RecordList {
public:
  uint32_t size() const { return __atomic_load_n(&Used, __ATOMIC_ACQUIRE); }

  T &at(uint32_t I) const {
    unsigned Which = chunkOf(I);
    return Chunks[Which][I - firstOf(Which)];
  }

  /// A zeroed record that nobody sees until publish(); null if there is no memory.
  T *append() {
    unsigned Which = chunkOf(Used);
    if (Which >= MaxChunks)
      return nullptr;
    if (!Chunks[Which]) {
      auto *New = static_cast<T *>(mapMemory(bytesOf(Which)));
      if (!New)
        return nullptr;
      __atomic_store_n(&Chunks[Which], New, __ATOMIC_RELEASE);
    }
    return &at(Used);
  }
  void publish() { __atomic_store_n(&Used, Used + 1, __ATOMIC_RELEASE); }

  void clear() {
    __atomic_store_n(&Used, 0, __ATOMIC_RELEASE);
    for (unsigned I = 0; I < MaxChunks; ++I) {
      unmapMemory(Chunks[I], bytesOf(I));
      Chunks[I] = nullptr;
    }
  }

private:
  static constexpr unsigned FirstBits = 8, MaxChunks = 20;
  static unsigned chunkOf(uint32_t I) {
    return 31 - static_cast<unsigned>(__builtin_clz((I >> FirstBits) + 1));
  }
  static uint32_t firstOf(unsigned Which) { return ((1u << Which) - 1) << FirstBits; }
  static size_t bytesOf(unsigned Which) { return (sizeof(T) << FirstBits) << Which; }

  T *Chunks[MaxChunks];
  uint32_t Used;
};

/// Finds records of a RecordList<T> by T::key(). Only for its owner.
template <class T> class RecordIndex {
public:
  /// The number of the record with Key, plus one; 0: there is none.
  uint32_t find(uint64_t Key, const RecordList<T> &List) const {
    if (!Slots)
      return 0;
    for (uint32_t I = place(Key);; I = (I + 1) & Mask) {
      if (!Slots[I] || List.at(Slots[I] - 1).key() == Key)
        return Slots[I];
    }
  }

  /// Makes room for one more; false if there is no memory.
  bool reserve(const RecordList<T> &List) {
    uint32_t Size = Slots ? Mask + 1 : 0;
    if (List.size() + 1 <= Size / 2)
      return true;
    uint32_t NewSize = Size ? Size * 2 : 1024;
    auto *New = static_cast<uint32_t *>(mapMemory(NewSize * sizeof(uint32_t)));
    if (!New)
      return false;
    unmapMemory(Slots, Size * sizeof(uint32_t));
    Slots = New;
    Mask = NewSize - 1;
    for (uint32_t I = 0, N = List.size(); I < N; ++I)
      insert(List.at(I).key(), I);
    return true;
  }

  /// Record I, whose key is not in the index yet.
  void insert(uint64_t Key, uint32_t I) {
    uint32_t At = place(Key);
    while (Slots[At])
      At = (At + 1) & Mask;
    Slots[At] = I + 1;
  }

  void clear() {
    if (Slots)
      unmapMemory(Slots, (Mask + 1) * sizeof(uint32_t));
    Slots = nullptr;
    Mask = 0;
  }

private:
  // The routine is in the upper bits: they are folded in.
  uint32_t place(uint64_t Key) const {
    Key ^= Key >> 32;
    return static_cast<uint32_t>((Key * 0x9E3779B97F4A7C15ull) >> 32) & Mask;
  }

  uint32_t *Slots;
  uint32_t Mask;
};

} // namespace __causal

#endif // CAUSAL_INPUT_TABLE_H
