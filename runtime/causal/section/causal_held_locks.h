//===- causal_held_locks.h - What a thread does with locks held -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A critical section is what a thread does from a call that takes a lock to one that
// gives it back. It is named by the place where the stacks of these two calls part: in
// the function that both come from, the line from which the lock is taken. So locks that
// are taken in a function or a class of the program's own are told apart by its callers.
//
// That takes a walk up the stack, which is made once for each section: after that its
// taking call is known by the address it returns to or, where that is in a function that
// only takes the lock, by the addresses of the callers as well (SectionTable). These lie
// as far up the stack as the last time, unless a frame's size varies.
//
// Pure code. Context: HeldLocks belong to a thread, whose sample handler may read them
// at any moment; a SectionTable is for any thread and handler.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_HELD_LOCKS_H
#define CAUSAL_HELD_LOCKS_H

#include "causal/LineMapFormat.h"

#include <stdint.h>

namespace __causal {

/// The locks that a thread has, and the critical section that each began.
class HeldLocks {
public:
  /// What is taken while a thread has this many is not noted.
  static constexpr unsigned Most = 8;

  void clear() { Count = 0; }
  void took(uintptr_t Lock, uint32_t Section) {
    if (Count == Most)
      return;
    Held[Count] = {Lock, Section};
    __atomic_signal_fence(__ATOMIC_RELEASE);
    ++Count;
  }
  /// The sections begun by Lock that are called Before are called After now.
  void rename(uintptr_t Lock, uint32_t Before, uint32_t After) {
    for (unsigned I = 0; I != Count; ++I)
      if (Held[I].Lock == Lock && Held[I].Section == Before)
        Held[I].Section = After;
  }
  /// Ends the last section that Lock began. Nothing happens if it is not known.
  void gaveBack(uintptr_t Lock) {
    unsigned I = Count;
    while (I && Held[I - 1].Lock != Lock)
      --I;
    if (!I)
      return;
    for (; I != Count; ++I)
      Held[I - 1] = Held[I];
    __atomic_signal_fence(__ATOMIC_RELEASE);
    --Count;
  }
  /// The section that the thread is in: the last begun of those that are not 0. 0: none.
  uint32_t innermost() const {
    for (unsigned I = Count; I; --I)
      if (Held[I - 1].Section)
        return Held[I - 1].Section;
    return 0;
  }

private:
  struct {
    uintptr_t Lock;
    uint32_t Section;
  } Held[Most];
  unsigned Count;
};

/// A frame on a stack: where it goes on, where it begins, and where its caller goes on
/// (0: nowhere). Of the frames of a thread no two have all but the first in common.
struct CallFrame {
  uintptr_t PC, CFA, Caller;
  bool isOne(const CallFrame &Other) const { return CFA == Other.CFA && Caller == Other.Caller; }
};

/// The frames above a call, innermost first.
struct CallChain {
  static constexpr unsigned Most = 12;
  CallFrame Frames[Most];
  unsigned Count;
  uintptr_t SP; ///< Of the innermost frame, once the call has returned.
  /// From there, in frame I once its call has returned, to its own return address.
  uintptr_t toReturnAddress(unsigned I) const {
    return Frames[I].CFA - sizeof(uintptr_t) - (I ? Frames[I - 1].CFA : SP);
  }
};

/// The frame that both calls come from, the innermost one, as an index into each. False
/// if there is none.
inline bool findCommonFrame(const CallChain &A, const CallChain &B, unsigned &InA, unsigned &InB) {
  for (InA = 0; InA != A.Count; ++InA)
    for (InB = 0; InB != B.Count; ++InB)
      if (A.Frames[InA].isOne(B.Frames[InB]))
        return true;
  return false;
}

/// The same for inline frames of that function at both calls, innermost first, of which
/// there is at least one each: the index of the one in Taking where the calls part.
inline unsigned whereCallsPart(const ::causal::linemap::Frame *Taking, unsigned TakingCount,
                               const ::causal::linemap::Frame *Giving, unsigned GivingCount) {
  auto Equal = [](const char *A, const char *B) { return A == B || !__builtin_strcmp(A, B); };
  unsigned I = TakingCount - 1, J = GivingCount - 1;
  while (I && J && Taking[I].Line == Giving[J].Line &&
         Equal(Taking[I - 1].Function, Giving[J - 1].Function) &&
         Equal(Taking[I - 1].File, Giving[J - 1].File))
    --I, --J;
  return I;
}

/// What is known of calls that take locks, by the return addresses of the innermost
/// frames. An entry may be pushed out where its line of the cache is full of others; it is
/// then found out anew, at the end of the section, so that samples before are lost.
class SectionTable {
public:
  /// What is known: an id below Deeper, 0 for none of interest; or one of these.
  enum : uint32_t {
    Deeper = 0xfffe, ///< The caller's address is needed as well.
    Unknown = 0xffff,
  };

  /// The key of a call that returns to PC; Callee is the key of the frames below it.
  static uint64_t key(uintptr_t PC, uint64_t Callee = 0) {
    uint64_t K = (PC ^ Callee) * 0x9E3779B97F4A7C15ull;
    return K ^ K >> 29;
  }
  uint32_t find(uint64_t Key) const {
    for (unsigned I = 0; I != Ways; ++I) {
      uint64_t Word = __atomic_load_n(&Words[first(Key) + I], __ATOMIC_RELAXED);
      if (Word >> 16 == (Key & KeyBits))
        return static_cast<uint32_t>(Word & 0xffff);
    }
    return Unknown;
  }
  void set(uint64_t Key, uint32_t What) { setAt(place(Key), Key, What); }
  /// The caller's address is needed as well, and is this far from the stack pointer.
  void setDeeper(uint64_t Key, uintptr_t ToReturnAddress) {
    unsigned Place = place(Key);
    __atomic_store_n(&Distances[Place], ToReturnAddress, __ATOMIC_RELAXED);
    setAt(Place, Key, Deeper);
  }
  /// What is known of a call that returns to PC with the stack pointer SP, 0 if that is not
  /// known. Deeper and Unknown: it takes a walk up the stack to tell. Reads the stack below
  /// High.
  uint32_t find(uintptr_t PC, uintptr_t SP, uintptr_t High) const {
    uint64_t Key = key(PC);
    for (uint32_t What;;) {
      if ((What = find(Key)) != Deeper || !SP)
        return What;
      uintptr_t Distance = __atomic_load_n(&Distances[place(Key)], __ATOMIC_RELAXED);
      if (Distance >= High - SP || High - SP - Distance < 2 * sizeof(uintptr_t))
        return Deeper;
      __builtin_memcpy(&PC, reinterpret_cast<const void *>(SP + Distance), sizeof(PC));
      Key = key(PC, Key);
      SP += Distance + sizeof(uintptr_t);
    }
  }
  void clear() {
    for (uint64_t &Word : Words)
      __atomic_store_n(&Word, 0, __ATOMIC_RELAXED);
  }

private:
  static constexpr uint64_t KeyBits = (1ull << 48) - 1;
  static constexpr unsigned Ways = 8; ///< A line of the cache.
  static unsigned first(uint64_t Key) { return static_cast<unsigned>(Key >> 52) & ~(Ways - 1); }
  /// Where Key is, or is to be.
  unsigned place(uint64_t Key) const {
    unsigned Empty = Ways;
    for (unsigned I = 0; I != Ways; ++I) {
      uint64_t Word = __atomic_load_n(&Words[first(Key) + I], __ATOMIC_RELAXED);
      if (Word >> 16 == (Key & KeyBits))
        return first(Key) + I;
      if (!Word && Empty == Ways)
        Empty = I;
    }
    return Empty == Ways ? static_cast<unsigned>(Key >> 52) : first(Key) + Empty;
  }

  void setAt(unsigned Place, uint64_t Key, uint32_t What) {
    __atomic_store_n(&Words[Place], (Key & KeyBits) << 16 | What, __ATOMIC_RELAXED);
  }

  alignas(64) uint64_t Words[1 << 12];
  uintptr_t Distances[1 << 12];
};

} // namespace __causal

#endif // CAUSAL_HELD_LOCKS_H
