//===- causal_input_access.h - An access of one cell ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algorithm: what a read and a write of a cell do to its two words and to the pending
// activations. docs/internals/input.md says why this computes the threaded read memory size.
//
// Context: the thread itself, in its own code or in a handler of the program; allocates and
// blocks never (but see causal_input_crowd.h).
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_ACCESS_H
#define CAUSAL_INPUT_ACCESS_H

#include "base/causal_syscall.h"
#include "input/causal_input_thread.h"

namespace __causal {

/// What counts as new input of an activation, besides a first access that is a read.
enum class Metric {
  Trms,     ///< What another thread or the outside world has written since.
  Rms,      ///< Nothing.
  External, ///< What the outside world has written since.
};
/// Constant after init.
extern Metric TheMetric;

inline bool writesTakeOver() { return __builtin_expect(TheMetric == Metric::Trms, 1); }

inline uint32_t *directoryWord(uint64_t Offset) {
  return reinterpret_cast<uint32_t *>(windowBase(DirectoryWindow) + Offset);
}
inline uint32_t *stampWord(const InputThread &T, uint64_t Offset) {
  return reinterpret_cast<uint32_t *>(T.Stamps + Offset);
}

/// As holderOf(), for one that is not near. Keeps the caller's registers.
__attribute__((preserve_most)) Frame *farHolderOf(InputThread &T, uint32_t Stamp);

/// The latest pending activation that began no later than Stamp: it and those below have
/// accessed the cell already. Bottom takes what is older than all of them.
inline __attribute__((always_inline)) Frame *holderOf(InputThread &T, uint32_t Stamp) {
  Frame *F = T.Top - 1; // Bottom's stamp is the least there is.
  if (__builtin_expect(F->Stamp <= Stamp, 1))
    return F;
  return farHolderOf(T, Stamp);
}

inline void countInput(Frame &F, uint32_t Word) {
  uint32_t Writer = Word & causal_input::WriterMask;
  ++F.Input;
  F.FromThreads += Writer == causal_input::ByThread;
  F.FromOutside += Writer == causal_input::ByOutside;
}

/// The cell's stamp was Stamp, older than the activation on top.
inline void countAgain(InputThread &T, uint32_t Stamp) {
  ++T.Top->Input;
  --holderOf(T, Stamp)->Input;
}

/// Adds Bits to a word; returns what it was.
inline uint32_t joinWord(uint32_t *Word, uint32_t Before, uint32_t Bits) {
  if (__atomic_load_n(&Threaded, __ATOMIC_RELAXED))
    return __atomic_fetch_or(Word, Bits, __ATOMIC_ACQ_REL);
  __atomic_store_n(Word, Before | Bits, __ATOMIC_RELAXED);
  return Before;
}

inline __attribute__((always_inline)) void readCell(InputThread &T, uint64_t Offset) {
  if (__builtin_expect(!T.Bit, 0))
    return crowdRead(T, Offset);
  uint32_t *Word = directoryWord(Offset), *Place = stampWord(T, Offset);
  uint32_t Before = __atomic_load_n(Word, __ATOMIC_RELAXED), Stamp = *Place;
  if (__builtin_expect(Before & T.Bit, 1)) {
    if (Stamp >= T.Top->Stamp)
      return;
    *Place = T.Clock;
    // A stamp of 0 is of a thread that had the slot before: its bit says nothing.
    if (__builtin_expect(Stamp != 0, 1))
      return countAgain(T, Stamp);
  } else {
    *Place = T.Clock;
    Before = joinWord(Word, Before, T.Bit);
  }
  countInput(*T.Top, Before);
}

inline __attribute__((always_inline)) void writeCell(InputThread &T, uint64_t Offset) {
  if (__builtin_expect(!T.Bit, 0))
    return crowdWrite(T, Offset);
  uint32_t *Word = directoryWord(Offset);
  *stampWord(T, Offset) = T.Clock;
  uint32_t Before = __atomic_load_n(Word, __ATOMIC_RELAXED);
  if (!writesTakeOver()) {
    if (!(Before & T.Bit))
      joinWord(Word, Before, T.Bit);
  } else if (Before != (T.Bit | causal_input::ByThread)) {
    __atomic_store_n(Word, T.Bit | causal_input::ByThread, __ATOMIC_RELEASE);
  }
}

/// The outside world has written the cell.
inline void fillCell(uint64_t Offset) {
  if (TheMetric != Metric::Rms)
    __atomic_store_n(directoryWord(Offset), +causal_input::ByOutside, __ATOMIC_RELEASE);
}

/// Calls F with the offset of each cell of Size bytes at Address.
template <class Function> inline void forEachCell(uint64_t Address, uint64_t Size, Function F) {
  if (!Size)
    return;
  for (uint64_t A = Address & ~(CellSize - 1), End = Address + Size; A < End; A += CellSize)
    F(cellOffset(A));
}

/// Waits for whoever has a lock that is held for a moment only; false when it has not been
/// given back for seconds: then its holder is gone, killed or left behind by fork. Round counts
/// the calls.
inline bool waitBriefly(unsigned Round) {
  constexpr unsigned Spins = 1000, Yields = 1000, Sleeps = 20000;
  if (Round < Spins) {
    __builtin_ia32_pause();
  } else if (Round < Spins + Yields) {
    systemCall(SYS_sched_yield);
  } else {
    struct {
      long Seconds, Nanoseconds;
    } Time = {0, 100000};
    systemCall(SYS_nanosleep, word(&Time));
  }
  return Round < Spins + Yields + Sleeps;
}

/// Ranges, for the models of libc. Without a record of the thread they do nothing.
void readRange(const void *Memory, size_t Size);
void writeRange(const void *Memory, size_t Size);
/// The outside world has written it.
void fillRange(const void *Memory, size_t Size);
/// Its cells are nobody's: the memory is new, or gone. Whole pages of the directory only.
void forgetRange(const void *Memory, size_t Size);

} // namespace __causal

#endif // CAUSAL_INPUT_ACCESS_H
