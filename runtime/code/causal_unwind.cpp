//===- causal_unwind.cpp - From a sample to its callers -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_unwind.h. Most frames have a rule of the same simple form, which
// the cache holds in two words; all others are worked out at every step.
//
//===----------------------------------------------------------------------===//
#include "code/causal_unwind.h"

#include "code/causal_cfi.h"
#include "code/causal_dwarf_expression.h"

#include <link.h>

namespace __causal {
namespace {

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

/// Two copies, of which readers use the one that Version's lowest bit names.
/// The writer fills the other one, so a handler that interrupts it never waits.
struct ImageTable {
  static constexpr unsigned MaxImages = 512;
  CfiImage Images[2][MaxImages];
  unsigned Counts[2];
  uint32_t Version;
};
ImageTable Table;

/// The result of _dl_find_object, as glibc's <dlfcn.h> has it from 2.35 on.
struct FoundObject {
  unsigned long long Flags;
  void *MapStart, *MapEnd;
  void *LinkMap;
  void *EhFrameHeader;
  unsigned long long Reserved[7];
};
int (*FindObject)(void *PC, FoundObject *Result);

uintptr_t load(const uintptr_t &Word) { return __atomic_load_n(&Word, __ATOMIC_RELAXED); }

bool findInTable(uintptr_t PC, CfiImage &Image) {
  // A second try only if a refresh came between; two in a row are not waited
  // for.
  for (unsigned Try = 0; Try != 2; ++Try) {
    uint32_t Version = __atomic_load_n(&Table.Version, __ATOMIC_ACQUIRE);
    const CfiImage *Images = Table.Images[Version & 1];
    unsigned Count = __atomic_load_n(&Table.Counts[Version & 1], __ATOMIC_RELAXED);
    unsigned Low = 0, High = Count;
    while (Low != High) {
      unsigned Middle = (Low + High) / 2;
      if (load(Images[Middle].High) <= PC)
        Low = Middle + 1;
      else
        High = Middle;
    }
    if (Low < Count)
      Image = {load(Images[Low].Low), load(Images[Low].High), load(Images[Low].Header)};
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(&Table.Version, __ATOMIC_RELAXED) == Version)
      return Low < Count && Image.Low <= PC && PC < Image.High;
  }
  return false;
}

bool findImage(uintptr_t PC, CfiImage &Image) {
  if (!FindObject)
    return findInTable(PC, Image);
  FoundObject Found;
  if (FindObject(reinterpret_cast<void *>(PC), &Found) || !Found.EhFrameHeader)
    return false;
  Image = {reinterpret_cast<uintptr_t>(Found.MapStart), reinterpret_cast<uintptr_t>(Found.MapEnd),
           reinterpret_cast<uintptr_t>(Found.EhFrameHeader)};
  return true;
}

struct RefreshState {
  CfiImage *Images;
  unsigned Count;
};

int addImage(dl_phdr_info *Info, size_t, void *Context) {
  auto *State = static_cast<RefreshState *>(Context);
  CfiImage Image = {UINTPTR_MAX, 0, 0};
  for (unsigned I = 0; I != Info->dlpi_phnum; ++I) {
    const ElfW(Phdr) &Segment = Info->dlpi_phdr[I];
    uintptr_t Begin = Info->dlpi_addr + Segment.p_vaddr;
    if (Segment.p_type == PT_GNU_EH_FRAME)
      Image.Header = Begin;
    if (Segment.p_type != PT_LOAD)
      continue;
    if (Image.Low > Begin)
      Image.Low = Begin;
    if (Image.High < Begin + Segment.p_memsz)
      Image.High = Begin + Segment.p_memsz;
  }
  if (!Image.Header || State->Count == ImageTable::MaxImages)
    return 0;
  // Kept in the order of addresses.
  unsigned I = State->Count++;
  for (; I && State->Images[I - 1].Low > Image.Low; --I)
    State->Images[I] = State->Images[I - 1];
  State->Images[I] = Image;
  return 0;
}

//===----------------------------------------------------------------------===//
// Rules and their cache
//===----------------------------------------------------------------------===//

/// The registers a caller may have left to its callees to save.
constexpr CfiRegister SavedRegisters[] = {CfiBP, CfiBX, CfiR12, CfiR13, CfiR14, CfiR15};

/// A row of the usual form: CFA = register + offset, return address at CFA - 8,
/// saved registers within 1 KB below the CFA.
struct Rule {
  enum : uint8_t { None, Step, Outermost } Kind = None;
  CfiRegister CfaRegister = CfiPC;
  int32_t CfaOffset = 0;
  /// In words, from the CFA; 0: not saved.
  int8_t Saved[6] = {};
};

uint64_t packLow(const Rule &R, uint16_t Generation) {
  return static_cast<uint32_t>(R.CfaOffset) | static_cast<uint64_t>(R.CfaRegister) << 32 |
         static_cast<uint64_t>(R.Kind) << 40 | static_cast<uint64_t>(Generation) << 48;
}

uint64_t checksum(uintptr_t PC, uint64_t Low, uint64_t High) {
  return PC ^ Low ^ (High * 0x9E3779B97F4A7C15ull);
}

UnwindCache::Entry &entryOf(UnwindCache &Cache, uintptr_t PC) {
  static_assert(UnwindCache::Size == 1 << 12, "the shift below");
  return Cache.Entries[(PC * 0x9E3779B97F4A7C15ull) >> 52];
}

/// Distinguishes rules from before and after images came and went.
uint16_t generation() {
  return static_cast<uint16_t>(__atomic_load_n(&Table.Version, __ATOMIC_RELAXED));
}

bool findInCache(UnwindCache &Cache, uintptr_t PC, Rule &R) {
  UnwindCache::Entry &E = entryOf(Cache, PC);
  uint64_t Low = __atomic_load_n(&E.Low, __ATOMIC_RELAXED);
  uint64_t High = __atomic_load_n(&E.High, __ATOMIC_RELAXED);
  if (__atomic_load_n(&E.Check, __ATOMIC_RELAXED) != checksum(PC, Low, High) ||
      static_cast<uint16_t>(Low >> 48) != generation())
    return false;
  R.Kind = static_cast<decltype(R.Kind)>(Low >> 40 & 0xFF);
  R.CfaRegister = static_cast<CfiRegister>(Low >> 32 & 0xFF);
  R.CfaOffset = static_cast<int32_t>(Low);
  __builtin_memcpy(R.Saved, &High, sizeof(R.Saved));
  return R.Kind != Rule::None;
}

void putInCache(UnwindCache &Cache, uintptr_t PC, const Rule &R) {
  UnwindCache::Entry &E = entryOf(Cache, PC);
  uint64_t Low = packLow(R, generation()), High = 0;
  __builtin_memcpy(&High, R.Saved, sizeof(R.Saved));
  __atomic_store_n(&E.Low, Low, __ATOMIC_RELAXED);
  __atomic_store_n(&E.High, High, __ATOMIC_RELAXED);
  __atomic_store_n(&E.Check, checksum(PC, Low, High), __ATOMIC_RELAXED);
}

/// The CFA of a procedure linkage table, in the form that ld and lld write it:
/// rsp
/// + 8, and 8 more from the entry's second push on. At a given PC it is
/// constant.
bool isLinkageTable(const CfiExpression &E, uintptr_t PC, int32_t &Offset) {
  constexpr uint8_t Form[] = {0x77, 0x08,  // breg7 (rsp) + 8
                              0x80, 0x00,  // breg16 (rip)
                              0x3F, 0x1A,  // lit15, and
                              0x30,        // lit0 + the second push's place
                              0x2A, 0x33,  // ge, lit3
                              0x24, 0x22}; // shl, plus
  if (E.Length != sizeof(Form))
    return false;
  for (unsigned I = 0; I != sizeof(Form); ++I)
    if (I != 6 && E.Begin[I] != Form[I])
      return false;
  unsigned Place = E.Begin[6] - 0x30u;
  Offset = (PC & 15) >= Place ? 16 : 8;
  return Place < 32;
}

/// Brings Row into the form of a rule, if it has it.
bool simplify(const CfiRow &Row, uintptr_t PC, Rule &R) {
  if (Row.IsSignalFrame)
    return false;
  const CfiLocation &Return = Row.Registers[CfiPC];
  if (Return.Kind == CfiLocation::Lost) {
    R.Kind = Rule::Outermost;
    return true;
  }
  if (Return.Kind != CfiLocation::AtOffset || Return.Distance != -8 ||
      Row.Registers[CfiSP].Kind != CfiLocation::Same)
    return false;
  if (Row.Cfa.Length) {
    R.CfaRegister = CfiSP;
    if (!isLinkageTable(Row.Cfa, PC, R.CfaOffset))
      return false;
  } else {
    R.CfaRegister = Row.CfaRegister;
    R.CfaOffset = static_cast<int32_t>(Row.CfaOffset);
    if (R.CfaOffset != Row.CfaOffset || R.CfaRegister >= CfiRegisterCount)
      return false;
  }
  for (unsigned I = 0; I != sizeof(R.Saved); ++I) {
    const CfiLocation &L = Row.Registers[SavedRegisters[I]];
    if (L.Kind == CfiLocation::Same)
      continue;
    if (L.Kind != CfiLocation::AtOffset || L.Distance % 8 || L.Distance >= 0 ||
        L.Distance < -128 * 8)
      return false;
    R.Saved[I] = static_cast<int8_t>(L.Distance / 8);
  }
  R.Kind = Rule::Step;
  return true;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// A caller's frame begins above its callee's, on the same stack.
bool isCaller(uintptr_t CFA, uintptr_t SP, const StackMemory &Stack) {
  return CFA > SP && CFA <= Stack.High && CFA % sizeof(uintptr_t) == 0;
}

bool step(const Rule &Simple, const StackMemory &Stack, UnwindRegisters &R) {
  uintptr_t CFA =
      registerOf(R, Simple.CfaRegister) + static_cast<uintptr_t>(intptr_t{Simple.CfaOffset});
  UnwindRegisters Caller = R;
  if (Simple.Kind != Rule::Step || !isCaller(CFA, R.SP, Stack) || !Stack.read(CFA - 8, Caller.PC))
    return false;
  for (unsigned I = 0; I != sizeof(Simple.Saved); ++I)
    if (Simple.Saved[I] && !Stack.read(CFA + static_cast<uintptr_t>(Simple.Saved[I] * intptr_t{8}),
                                       registerOf(Caller, SavedRegisters[I])))
      return false;
  Caller.SP = CFA;
  Caller.R10 = 0; // A call may change it.
  Caller.IsReturnAddress = true;
  if (!Caller.PC)
    return false;
  R = Caller;
  return true;
}

bool restore(const CfiLocation &L, uintptr_t CFA, const StackMemory &Stack,
             const UnwindRegisters &R, uintptr_t &Value) {
  uintptr_t Address = CFA;
  switch (L.Kind) {
  case CfiLocation::Same:
    return true;
  case CfiLocation::Lost:
    Value = 0;
    return true;
  case CfiLocation::AtOffset:
    return Stack.read(CFA + static_cast<uintptr_t>(L.Distance), Value);
  case CfiLocation::Offset:
    Value = CFA + static_cast<uintptr_t>(L.Distance);
    return true;
  case CfiLocation::AtComputed:
    return evaluateExpression(L.Expression, R, Stack, &CFA, Address) && Stack.read(Address, Value);
  case CfiLocation::Computed:
    return evaluateExpression(L.Expression, R, Stack, &CFA, Value);
  }
  return false;
}

/// Any row. A signal may have switched to another stack: then the caller's
/// frame lies anywhere, and the next step tells whether it may be read.
bool step(const CfiRow &Row, const StackMemory &Stack, uintptr_t StackLow, UnwindRegisters &R) {
  uintptr_t CFA;
  if (Row.Cfa.Length) {
    if (!evaluateExpression(Row.Cfa, R, Stack, nullptr, CFA))
      return false;
  } else if (Row.CfaRegister < CfiRegisterCount) {
    CFA = registerOf(R, Row.CfaRegister) + static_cast<uintptr_t>(Row.CfaOffset);
  } else {
    return false;
  }
  bool OtherStack = Row.IsSignalFrame && (CFA < StackLow || CFA > Stack.High);
  if (!OtherStack && !isCaller(CFA, R.SP, Stack))
    return false;
  UnwindRegisters Caller = R;
  Caller.PC = 0; // Without a rule for it there is no caller.
  Caller.SP = CFA;
  if (!Row.IsSignalFrame)
    Caller.R10 = 0;
  for (unsigned I = 0; I != CfiRegisterCount; ++I)
    if (!restore(Row.Registers[I], CFA, Stack, R, registerOf(Caller, static_cast<CfiRegister>(I))))
      return false;
  Caller.IsReturnAddress = !Row.IsSignalFrame;
  if (!Caller.PC || (!OtherStack && !isCaller(Caller.SP, R.SP, Stack)))
    return false;
  R = Caller;
  return true;
}

} // namespace

bool unwindStep(UnwindRegisters &R, uintptr_t StackLow, uintptr_t StackHigh, UnwindCache &Cache) {
  if (!R.PC || R.SP < StackLow || R.SP >= StackHigh)
    return false;
  StackMemory Stack = {R.SP - StackLow > UnwindRedZone ? R.SP - UnwindRedZone : StackLow,
                       StackHigh};
  uintptr_t PC = R.lookupPC();
  Rule Known;
  if (findInCache(Cache, PC, Known))
    return step(Known, Stack, R);
  CfiImage Image;
  CfiRow Row;
  if (!findImage(PC, Image) || !cfiFindRow(Image, PC, Row))
    return false;
  if (!simplify(Row, PC, Known))
    return step(Row, Stack, StackLow, R);
  putInCache(Cache, PC, Known);
  return step(Known, Stack, R);
}

UnwindRow unwindFindRow(uintptr_t PC, UnwindCache &Cache) {
  Rule Known;
  CfiImage Image;
  CfiRow Row;
  if (!findInCache(Cache, PC, Known)) {
    if (!findImage(PC, Image) || !cfiFindRow(Image, PC, Row))
      return UnwindRow::None;
    if (!simplify(Row, PC, Known))
      return UnwindRow::Step;
  }
  return Known.Kind == Rule::Outermost ? UnwindRow::Outermost : UnwindRow::Step;
}

void unwindRefreshModules() {
  uint32_t Next = __atomic_load_n(&Table.Version, __ATOMIC_RELAXED) + 1;
  RefreshState State = {Table.Images[Next & 1], 0};
  dl_iterate_phdr(addImage, &State);
  __atomic_store_n(&Table.Counts[Next & 1], State.Count, __ATOMIC_RELAXED);
  __atomic_store_n(&Table.Version, Next, __ATOMIC_RELEASE);
}

void unwindSetFindObject(void *Function) {
  FindObject = reinterpret_cast<decltype(FindObject)>(Function);
}

} // namespace __causal
