//===- causal_input_access.cpp - What compiled code calls -------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The entry points for accesses. Compiled code calls them for what its inlined check cannot
// decide; see pass/memory/AccessChecks.cpp.
//
//===----------------------------------------------------------------------===//
#include "input/causal_input_access.h"
#include "input/causal_input_entry.h"

#include <cpuid.h>
#include <sys/mman.h>

using namespace __causal;
using namespace causal_input;

__attribute__((preserve_most)) Frame *__causal::farHolderOf(InputThread &T, uint32_t Stamp) {
  Frame *F = T.Top - 2, *Bottom = T.Bottom;
  for (int I = 0; I < 4; ++I, --F) { // Nearly always a near one.
    if (F <= Bottom)
      return Bottom;
    if (F->Stamp <= Stamp)
      return F;
  }
  Frame *Low = Bottom, *High = F;
  while (Low < High) {
    Frame *Middle = Low + (High - Low + 1) / 2;
    if (Middle->Stamp <= Stamp)
      Low = Middle;
    else
      High = Middle - 1;
  }
  return Low;
}

CAUSAL_INPUT_SLOW void __causal_input_read(uint64_t Address, uint64_t Size) {
  if (InputThread *T = Self)
    forEachCell(Address, Size, [T](uint64_t Offset) { readCell(*T, Offset); });
}

CAUSAL_INPUT_SLOW void __causal_input_write(uint64_t Address, uint64_t Size) {
  if (InputThread *T = Self)
    forEachCell(Address, Size, [T](uint64_t Offset) { writeCell(*T, Offset); });
}

CAUSAL_INPUT_SLOW void __causal_input_modify(uint64_t Address, uint64_t Size) {
  if (InputThread *T = Self)
    forEachCell(Address, Size, [T](uint64_t Offset) {
      readCell(*T, Offset);
      writeCell(*T, Offset);
    });
}

// Cells that need nothing are passed over without a call, and so are those that the same
// older activation has had: arrays come with one stamp.
static void readRun(InputThread &T, uint64_t Address, uint64_t Step, uint64_t Count) {
  if (!T.Bit) {
    for (; Count; --Count, Address += Step)
      crowdRead(T, cellOffset(Address));
    return;
  }
  uint32_t LastStamp = 0;
  Frame *Holder = T.Bottom;
  int64_t New = 0;
  for (; Count; --Count, Address += Step) {
    uint64_t Offset = cellOffset(Address);
    uint32_t *Place = stampWord(T, Offset), Stamp = *Place;
    if (Stamp && __atomic_load_n(directoryWord(Offset), __ATOMIC_RELAXED) & T.Bit) {
      if (Stamp >= T.Top->Stamp)
        continue;
      *Place = T.Clock;
      ++New;
      if (Stamp != LastStamp) {
        LastStamp = Stamp;
        Holder = holderOf(T, Stamp);
      }
      --Holder->Input;
    } else {
      readCell(T, Offset);
    }
  }
  T.Top->Input += New;
}

// The same for cells in pairs, which structures of pointers and doubles are made of.
static void readPairs(InputThread &T, uint64_t Address, uint64_t Step, uint64_t Count) {
  constexpr uint64_t Both = 1ull << 32 | 1;
  struct __attribute__((packed, aligned(4), may_alias)) Pair {
    uint64_t V;
  };
  const uint64_t Bits = T.Bit * Both, Now = T.Clock * Both;
  const uint32_t Begin = T.Top->Stamp;
  uint32_t LastStamp = 0;
  Frame *Holder = T.Bottom;
  int64_t New = 0;
  for (; Count; --Count, Address += Step) {
    uint64_t Offset = cellOffset(Address);
    auto *Places = reinterpret_cast<Pair *>(stampWord(T, Offset));
    uint64_t Stamps = Places->V;
    uint32_t First = static_cast<uint32_t>(Stamps), Second = Stamps >> 32;
    if ((reinterpret_cast<Pair *>(directoryWord(Offset))->V & Bits) == Bits) {
      if (First >= Begin && Second >= Begin)
        continue;
      if (First == Second && First) {
        Places->V = Now;
        New += 2;
        if (First != LastStamp) {
          LastStamp = First;
          Holder = holderOf(T, First);
        }
        Holder->Input -= 2;
        continue;
      }
    }
    readCell(T, Offset);
    readCell(T, cellOffset(Address + CellSize));
  }
  T.Top->Input += New;
}

using Eight = uint32_t __attribute__((vector_size(32)));
/// Eight words side by side, aligned as words are.
struct __attribute__((packed, aligned(4), may_alias)) EightWords {
  Eight V;
};
static bool HasAVX2;
// Not __builtin_cpu_supports(): it needs a variable of libgcc's, which is set after us.
static bool hasAVX2() {
  constexpr unsigned SavedByKernel = 6; // The registers of SSE and AVX.
  unsigned A, B, C, D, Low, High;
  if (!__get_cpuid(1, &A, &B, &C, &D) || !(C & bit_OSXSAVE))
    return false;
  __asm__("xgetbv" : "=a"(Low), "=d"(High) : "c"(0));
  return (Low & SavedByKernel) == SavedByKernel && __get_cpuid_count(7, 0, &A, &B, &C, &D) &&
         (B & bit_AVX2);
}
void __causal::initInputAccess() { HasAVX2 = hasAVX2(); }

#define CAUSAL_AVX2 __attribute__((target("avx2")))

CAUSAL_AVX2 static inline bool all(Eight Condition) {
  using Bytes = char __attribute__((vector_size(32)));
  return __builtin_ia32_pmovmskb256((Bytes)Condition) == -1;
}

CAUSAL_AVX2 static inline Eight smaller(Eight A, Eight B) {
  return (Eight)__builtin_elementwise_min(A, B);
}

/// Groups of eight cells that are looked at together, where nothing is to do.
static constexpr unsigned Stretch = 4;

CAUSAL_AVX2 static inline bool isReadBefore(const EightWords *Words, const EightWords *Places,
                                            Eight Bit, Eight Begin) {
  Eight Word = Words[0].V & Words[1].V & Words[2].V & Words[3].V;
  Eight Oldest = smaller(smaller(Places[0].V, Places[1].V), smaller(Places[2].V, Places[3].V));
  return all(((Word & Bit) == Bit) & (Oldest >= Begin));
}

CAUSAL_AVX2 static inline bool isWrittenBefore(const EightWords *Words, const EightWords *Places,
                                               Eight Word, Eight Begin) {
  Eight Differ =
      (Words[0].V ^ Word) | (Words[1].V ^ Word) | (Words[2].V ^ Word) | (Words[3].V ^ Word);
  Eight Oldest = smaller(smaller(Places[0].V, Places[1].V), smaller(Places[2].V, Places[3].V));
  return all((Differ == Eight{}) & (Oldest >= Begin));
}

// Eight cells at a time, which lie side by side in both windows, where they are done with, or
// are all alike. The rest is for the loop over cells.
CAUSAL_AVX2 __attribute__((noinline)) static void readEights(InputThread &T, uint64_t Address,
                                                             uint64_t Groups) {
  const Eight Bit = T.Bit - Eight{}, Now = T.Clock - Eight{};
  uint32_t Begin = T.Top->Stamp;
  const Eight AllBegin = Begin - Eight{};
  uint32_t LastStamp = 0;
  Frame *Holder = T.Bottom;
  int64_t New = 0;
  auto *Words = reinterpret_cast<EightWords *>(directoryWord(cellOffset(Address)));
  auto *Places = reinterpret_cast<EightWords *>(stampWord(T, cellOffset(Address)));
  for (; Groups; --Groups, Address += 8 * CellSize, ++Words, ++Places) {
    while (Groups > Stretch && isReadBefore(Words, Places, Bit, AllBegin)) {
      Groups -= Stretch;
      Address += Stretch * 8 * CellSize;
      Words += Stretch;
      Places += Stretch;
    }
    Eight Stamps = Places->V;
    if (__builtin_expect(all((Words->V & Bit) == Bit), 1)) {
      if (all(Stamps >= AllBegin))
        continue;
      uint32_t Stamp = Stamps[0];
      if (Stamp && Stamp < Begin && all(Stamps == Stamp - Eight{})) {
        if (Stamp != LastStamp) {
          LastStamp = Stamp;
          Holder = holderOf(T, Stamp);
        }
        Places->V = Now;
        New += 8;
        Holder->Input -= 8;
        continue;
      }
    }
    for (unsigned I = 0; I < 8; ++I)
      readCell(T, cellOffset(Address + I * CellSize));
  }
  T.Top->Input += New;
}

CAUSAL_AVX2 __attribute__((noinline)) static void writeEights(InputThread &T, uint64_t Address,
                                                              uint64_t Groups) {
  const Eight Word = (T.Bit | ByThread) - Eight{}, Now = T.Clock - Eight{};
  const Eight Begin = T.Top->Stamp - Eight{};
  auto *Words = reinterpret_cast<EightWords *>(directoryWord(cellOffset(Address)));
  auto *Places = reinterpret_cast<EightWords *>(stampWord(T, cellOffset(Address)));
  for (; Groups; --Groups, ++Words, ++Places) {
    while (Groups > Stretch && isWrittenBefore(Words, Places, Word, Begin)) {
      Groups -= Stretch;
      Words += Stretch;
      Places += Stretch;
    }
    if (!all(Places->V >= Begin))
      Places->V = Now;
    if (!all(Words->V == Word))
      Words->V = Word;
  }
}

/// The groups of eight cells from Cell on of which all are in one window. (An address range
/// that crosses the end of the window wraps to its begin.)
static uint64_t groupsOf(uint64_t Cell, uint64_t Count) {
  uint64_t Bytes = Count * CellSize, Room = (1ull << AddressBits) - (Cell & CellMask);
  return HasAVX2 ? (Bytes < Room ? Bytes : Room) / (8 * CellSize) : 0;
}

static void readCells(InputThread &T, uint64_t Address, uint64_t Size) {
  uint64_t Cell = Address & ~(CellSize - 1);
  uint64_t Count = (Address + Size - Cell + CellSize - 1) / CellSize;
  if (uint64_t Groups = Count >= 8 && T.Bit ? groupsOf(Cell, Count) : 0) {
    readEights(T, Cell, Groups);
    Cell += Groups * 8 * CellSize;
    Count -= Groups * 8;
  }
  readRun(T, Cell, CellSize, Count);
}

static void writeCells(InputThread &T, uint64_t Address, uint64_t Size) {
  uint64_t Cell = Address & ~(CellSize - 1);
  uint64_t Count = (Address + Size - Cell + CellSize - 1) / CellSize;
  if (uint64_t Groups = Count >= 8 && T.Bit && writesTakeOver() ? groupsOf(Cell, Count) : 0) {
    writeEights(T, Cell, Groups);
    Cell += Groups * 8 * CellSize;
    Count -= Groups * 8;
  }
  for (; Count; --Count, Cell += CellSize)
    writeCell(T, cellOffset(Cell));
}

CAUSAL_INPUT_INTERFACE void __causal_input_read_range(uint64_t Address, uint64_t Size) {
  if (InputThread *T = Self; T && Size)
    readCells(*T, Address, Size);
}

CAUSAL_INPUT_INTERFACE void __causal_input_write_range(uint64_t Address, uint64_t Size) {
  if (InputThread *T = Self; T && Size)
    writeCells(*T, Address, Size);
}

// Count accesses of Size bytes that are Step bytes apart.
CAUSAL_INPUT_INTERFACE void __causal_input_read_strided(uint64_t Address, uint64_t Step,
                                                        uint64_t Count, uint64_t Size) {
  InputThread *T = Self;
  if (!T)
    return;
  if (Step % CellSize == 0) {
    uint64_t Cell = Address & ~(CellSize - 1), End = Address + Size;
    if (T->Bit)
      for (; Cell + CellSize < End; Cell += 2 * CellSize)
        readPairs(*T, Cell, Step, Count);
    for (; Cell < End; Cell += CellSize)
      readRun(*T, Cell, Step, Count);
    return;
  }
  for (; Count; --Count, Address += Step)
    forEachCell(Address, Size, [T](uint64_t Offset) { readCell(*T, Offset); });
}

CAUSAL_INPUT_INTERFACE void __causal_input_write_strided(uint64_t Address, uint64_t Step,
                                                         uint64_t Count, uint64_t Size) {
  InputThread *T = Self;
  if (!T)
    return;
  for (; Count; --Count, Address += Step)
    forEachCell(Address, Size, [T](uint64_t Offset) { writeCell(*T, Offset); });
}

// An atomic operation and its events are one: other atomic operations on the cell wait.
static void lockCell(uint64_t Offset) {
  uint32_t *Word = directoryWord(Offset);
  for (unsigned Round = 0; waitBriefly(Round); ++Round) {
    uint32_t Before = __atomic_load_n(Word, __ATOMIC_RELAXED);
    while (!(Before & LockBit))
      if (__atomic_compare_exchange_n(Word, &Before, Before | LockBit, /*weak=*/true,
                                      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
  }
}

CAUSAL_INPUT_INTERFACE void __causal_input_atomic_begin(uint64_t Address, uint64_t Size) {
  InputThread *T = Self;
  // A handler that comes while its own thread holds a cell must not wait for it.
  if (!T || T->AtomicDepth++ || !Threaded)
    return;
  forEachCell(Address, Size, lockCell);
}

CAUSAL_INPUT_INTERFACE void __causal_input_atomic_end(uint64_t Address, uint64_t Size,
                                                      uint32_t Kind) {
  InputThread *T = Self;
  if (!T)
    return;
  forEachCell(Address, Size, [&](uint64_t Offset) {
    if (Kind & AtomicRead)
      readCell(*T, Offset);
    // A write that takes the cell over gives the lock back with it; from then on the lock that
    // is seen may be somebody else's.
    bool GivesBack = Kind & AtomicWrite && writesTakeOver();
    if (Kind & AtomicWrite)
      writeCell(*T, Offset);
    uint32_t *Word = directoryWord(Offset);
    if (!GivesBack && __atomic_load_n(Word, __ATOMIC_RELAXED) & LockBit)
      __atomic_fetch_and(Word, ~LockBit, __ATOMIC_RELEASE);
  });
  if (T->AtomicDepth)
    --T->AtomicDepth;
}

void __causal::readRange(const void *Memory, size_t Size) {
  __causal_input_read_range(reinterpret_cast<uint64_t>(Memory), Size);
}

void __causal::writeRange(const void *Memory, size_t Size) {
  __causal_input_write_range(reinterpret_cast<uint64_t>(Memory), Size);
}

void __causal::fillRange(const void *Memory, size_t Size) {
  if (hasDirectory())
    forEachCell(reinterpret_cast<uint64_t>(Memory), Size, fillCell);
}

void __causal::forgetRange(const void *Memory, size_t Size) {
  if (!hasDirectory() || !Size)
    return;
  constexpr uint64_t Page = 4096;
  uint64_t Offset = cellOffset(reinterpret_cast<uint64_t>(Memory));
  uint64_t Words = windowBase(DirectoryWindow) + Offset;
  uint64_t Begin = (Words + Page - 1) & ~(Page - 1);
  uint64_t End = (Words + Size * 4 / CellSize) & ~(Page - 1);
  if (Begin < End && End <= windowBase(DirectoryWindow) + WindowSize)
    systemCall(SYS_madvise, Begin, End - Begin, MADV_DONTNEED);
}
