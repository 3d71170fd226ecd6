//===- causal_input_crowd.cpp - Threads without a bit of their own --------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_input_crowd.h.
//
//===----------------------------------------------------------------------===//
#include "input/causal_input_crowd.h"
#include "input/causal_input_access.h"
#include "input/causal_input_shadow.h"

using namespace __causal;
using namespace causal_input;

// An epoch's lowest bit is its lock.
static constexpr uint32_t EpochLock = 1, EpochStep = 2;

static uint32_t *epochWord(uint64_t Offset) {
  return reinterpret_cast<uint32_t *>(windowBase(EpochWindow) + Offset);
}

bool __causal::beginCrowd() {
  static bool Begun;
  return Begun || (Begun = mapWindow(EpochWindow));
}

CrowdAccess *CrowdMember::find(uint64_t Offset) {
  if ((!Entries || Used * 2 > Mask) && !grow())
    return nullptr;
  size_t I = place(Offset);
  while (Entries[I].Cell && Entries[I].Cell != Offset + 1)
    I = (I + 1) & Mask;
  if (!Entries[I].Cell) {
    Entries[I].Cell = Offset + 1;
    ++Used;
  }
  return &Entries[I];
}

bool CrowdMember::grow() {
  size_t Size = Entries ? (Mask + 1) * 2 : 4096;
  auto *New = static_cast<CrowdAccess *>(mapMemory(Size * sizeof(CrowdAccess)));
  if (!New)
    return false;
  CrowdAccess *Old = Entries;
  size_t OldSize = Old ? Mask + 1 : 0;
  Entries = New;
  Mask = Size - 1;
  for (size_t I = 0; I < OldSize; ++I) {
    if (!Old[I].Cell)
      continue;
    size_t At = place(Old[I].Cell - 1);
    while (New[At].Cell)
      At = (At + 1) & Mask;
    New[At] = Old[I];
  }
  unmapMemory(Old, OldSize * sizeof(CrowdAccess));
  return true;
}

void CrowdMember::clear() {
  unmapMemory(Entries, Entries ? (Mask + 1) * sizeof(CrowdAccess) : 0);
  Entries = nullptr;
  Mask = Used = 0;
}

namespace {

/// The cell's epoch, held while it lives; given back as Epoch says.
class EpochScope {
public:
  explicit EpochScope(uint64_t Offset) : Word(epochWord(Offset)) {
    for (unsigned Round = 0; waitBriefly(Round); ++Round) {
      Epoch = __atomic_load_n(Word, __ATOMIC_RELAXED);
      while (!(Epoch & EpochLock))
        if (__atomic_compare_exchange_n(Word, &Epoch, Epoch | EpochLock, /*weak=*/true,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
          return;
    }
    Epoch &= ~EpochLock;
  }
  ~EpochScope() { __atomic_store_n(Word, Epoch, __ATOMIC_RELEASE); }
  EpochScope(const EpochScope &) = delete;

  uint32_t Epoch;

private:
  uint32_t *Word;
};

/// False if a handler has interrupted an access of its own thread.
class CrowdScope {
public:
  explicit CrowdScope(InputThread &T) : T(T), Entered(!T.InCrowd) {
    if (Entered)
      T.InCrowd = true;
    else
      ++T.Lost;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  ~CrowdScope() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (Entered)
      T.InCrowd = false;
  }
  CrowdScope(const CrowdScope &) = delete;

  InputThread &T;
  bool Entered;
};

} // namespace

__attribute__((preserve_most)) void __causal::crowdRead(InputThread &T, uint64_t Offset) {
  CrowdScope Scope(T);
  CrowdAccess *Mine = Scope.Entered ? T.Crowd.find(Offset) : nullptr;
  if (!Mine) {
    T.Lost += Scope.Entered;
    return;
  }
  uint32_t Before, Stamp = Mine->Stamp;
  bool IsMember;
  {
    EpochScope Cell(Offset);
    Before = __atomic_fetch_or(directoryWord(Offset), CrowdBit, __ATOMIC_ACQ_REL);
    if (!(Before & CrowdBit)) // All of the crowd have lost it.
      Cell.Epoch += EpochStep;
    IsMember = Stamp && Mine->Epoch == Cell.Epoch;
    Mine->Epoch = Cell.Epoch;
  }
  Mine->Stamp = T.Clock;
  if (!IsMember)
    countInput(*T.Top, Before);
  else if (Stamp < T.Top->Stamp)
    countAgain(T, Stamp);
}

__attribute__((preserve_most)) void __causal::crowdWrite(InputThread &T, uint64_t Offset) {
  CrowdScope Scope(T);
  CrowdAccess *Mine = Scope.Entered ? T.Crowd.find(Offset) : nullptr;
  if (!Mine) {
    T.Lost += Scope.Entered;
    return;
  }
  uint32_t *Word = directoryWord(Offset);
  {
    EpochScope Cell(Offset);
    if (writesTakeOver()) {
      Cell.Epoch += EpochStep;
      __atomic_store_n(Word, CrowdBit | ByThread, __ATOMIC_RELEASE);
    } else if (!(__atomic_fetch_or(Word, CrowdBit, __ATOMIC_ACQ_REL) & CrowdBit)) {
      Cell.Epoch += EpochStep;
    }
    Mine->Epoch = Cell.Epoch;
  }
  Mine->Stamp = T.Clock;
}
