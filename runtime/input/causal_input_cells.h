//===- causal_input_cells.h - Where the words of a cell are -----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cell has two words of 4 bytes. The directory's, one for the process: bit Slot + 2 is set
// if that thread has accessed the cell since another thread, or the outside world, last
// wrote it; the two lowest bits say who wrote last. The stamp, one in each thread: when the
// thread last accessed it, by the thread's own clock, which ticks with each activation. A
// stamp means something only while the thread's bit is set; nobody else looks at it.
//
// Addresses of programs differ in their lower 42 bits, so that a window of that many bytes
// (half as many with cells of 8) holds a word for every cell there is. Windows are reserved
// where programs have nothing; see causal_input_shadow.cpp.
//
// Pure: no libc, no sanitizer_common.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_CELLS_H
#define CAUSAL_INPUT_CELLS_H

#include "causal/InputABI.h"

#ifndef CAUSAL_INPUT_CELL
#define CAUSAL_INPUT_CELL 4
#endif

namespace __causal {

constexpr uint64_t CellSize = CAUSAL_INPUT_CELL;
static_assert(CellSize == 4 || CellSize == 8,
              "a cell's word has 4 bytes in the code that is emitted");

constexpr unsigned AddressBits = 42;
constexpr uint64_t CellMask = ((1ull << AddressBits) - 1) & ~(CellSize - 1);
/// Bytes of all words of the directory, or of a thread's stamps.
constexpr uint64_t WindowSize = (1ull << AddressBits) * 4 / CellSize;

constexpr uint64_t cellOffset(uint64_t Address) { return (Address & CellMask) * 4 / CellSize; }

/// Threads that have a bit of their own; all others share CrowdBit.
constexpr unsigned MaxSlots = 26;
constexpr uint32_t slotBit(unsigned Slot) { return 4u << Slot; }
constexpr uint32_t CrowdBit = 1u << 28;
/// Set while an atomic operation on the cell is going on.
constexpr uint32_t LockBit = 1u << 31;
static_assert(slotBit(MaxSlots - 1) < CrowdBit, "the bits of a word");

/// Where programs have their memory: low, where position-independent programs and their
/// heaps are, and from the libraries up to the stack. The rest is for windows.
struct AddressRange {
  uint64_t Begin, End;
};
constexpr AddressRange ProgramRanges[] = {
    {0, 0x040000000000}, {0x540000000000, 0x570000000000}, {0x7b0000000000, 0x800000000000}};
constexpr AddressRange WindowRanges[] = {{0x040000000000, 0x540000000000},
                                         {0x570000000000, 0x7b0000000000}};

/// The windows, in order: directory, stamps that are always 0, epochs of the crowd, and
/// then each slot's stamps.
enum : unsigned { DirectoryWindow, ZeroWindow, EpochWindow, FirstSlotWindow };

constexpr uint64_t windowBase(unsigned Window) {
  for (const AddressRange &R : WindowRanges) {
    unsigned Count = static_cast<unsigned>((R.End - R.Begin) / WindowSize);
    if (Window < Count)
      return R.Begin + Window * WindowSize;
    Window -= Count;
  }
  return 0;
}
static_assert(windowBase(FirstSlotWindow + MaxSlots - 1), "all windows have a place");

} // namespace __causal

#endif // CAUSAL_INPUT_CELLS_H
