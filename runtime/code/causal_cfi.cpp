//===- causal_cfi.cpp - Call frame information ----------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_cfi.h. The tables are trusted to be what the linker wrote, but
// every read is kept within the image: an address may be garbage that happens
// to lie in one, and a wrong row is then refused by the unwinder.
//
//===----------------------------------------------------------------------===//
#include "code/causal_cfi.h"

#include "code/causal_dwarf_cursor.h"

namespace __causal {
namespace {

enum PointerEncoding : uint8_t {
  DW_EH_PE_udata4 = 0x03,
  DW_EH_PE_pcrel = 0x10,
  DW_EH_PE_datarel_sdata4 = 0x3B,
  DW_EH_PE_omit = 0xFF
};

/// Reads a pointer; what no x86-64 linker writes into .eh_frame makes C bad.
uintptr_t readPointer(DwarfCursor &C, uint8_t Encoding) {
  if (Encoding == DW_EH_PE_omit)
    return 0;
  uintptr_t Base = 0;
  if ((Encoding & 0xF0) == DW_EH_PE_pcrel)
    Base = C.address();
  else if (Encoding & 0xF0)
    C.Bad = true;
  uintptr_t Value = 0;
  switch (Encoding & 0x0F) {
  case 0x0: // absptr
  case 0x4: // udata8
  case 0xC: // sdata8
    Value = C.read<uint64_t>();
    break;
  case 0x2:
    Value = C.read<uint16_t>();
    break;
  case DW_EH_PE_udata4:
    Value = C.read<uint32_t>();
    break;
  case 0xA:
    Value = static_cast<uintptr_t>(intptr_t{C.read<int16_t>()});
    break;
  case 0xB:
    Value = static_cast<uintptr_t>(intptr_t{C.read<int32_t>()});
    break;
  default:
    C.Bad = true;
  }
  return Value ? Base + Value : 0;
}

/// What a common information entry tells about its frames.
struct CommonEntry {
  uint64_t CodeAlignment = 0;
  int64_t DataAlignment = 0;
  uint8_t Encoding = 0;
  bool HasAugmentation = false, IsSignalFrame = false;
  DwarfCursor Instructions = {uintptr_t{0}, uintptr_t{0}};
};

/// The content of the entry at Address, from its second word on. 64-bit lengths
/// are refused: no toolchain writes them into .eh_frame.
DwarfCursor openEntry(const CfiImage &Image, uintptr_t Address) {
  if (Address < Image.Low || Address > Image.High)
    return {uintptr_t{0}, uintptr_t{0}};
  DwarfCursor C(Address, Image.High);
  uint32_t Length = C.read<uint32_t>();
  if (C.Bad || Length > static_cast<uint64_t>(C.End - C.P)) // 64-bit: ~0
    return {uintptr_t{0}, uintptr_t{0}};
  return {C.P, C.P + Length};
}

bool parseCommonEntry(const CfiImage &Image, uintptr_t Address, CommonEntry &Entry) {
  DwarfCursor C = openEntry(Image, Address);
  uint32_t Id = C.read<uint32_t>();
  uint8_t Version = C.byte();
  DwarfCursor Augmentation = C;
  while (C.byte())
    ;
  Entry.CodeAlignment = C.uleb();
  Entry.DataAlignment = C.sleb();
  uint64_t ReturnColumn = Version == 1 ? C.byte() : C.uleb();
  if (C.Bad || Id != 0 || (Version != 1 && Version != 3) || cfiRegister(ReturnColumn) != CfiPC)
    return false;
  Entry.Instructions = C;
  uint8_t Letter = Augmentation.byte();
  if (!Letter)
    return true;
  // Without a leading 'z' the length of the data would be unknown.
  if (Letter != 'z')
    return false;
  Entry.HasAugmentation = true;
  uint64_t Length = C.uleb();
  Entry.Instructions = C;
  Entry.Instructions.skip(Length);
  while ((Letter = Augmentation.byte())) {
    switch (Letter) {
    case 'R':
      Entry.Encoding = C.byte();
      break;
    case 'P': {
      // The personality may be indirect; only its size matters.
      uint8_t Encoding = C.byte();
      readPointer(C, Encoding & 0x0F);
      break;
    }
    case 'L':
      C.byte();
      break;
    case 'S':
      Entry.IsSignalFrame = true;
      break;
    default: // The rest of the data is unknown, and skipped by its length.
      return !Entry.Instructions.Bad;
    }
  }
  return !C.Bad && !Entry.Instructions.Bad;
}

/// Executes call frame instructions up to the row for PC.
class RowBuilder {
public:
  RowBuilder(const CommonEntry &Entry, uintptr_t Start, uintptr_t PC, CfiRow &Row)
      : Entry(Entry), Location(Start), PC(PC), Row(Row) {}

  bool run(DwarfCursor C) {
    while (!C.done() && !Reached)
      if (!step(C))
        return false;
    return !C.Bad;
  }

  /// The row so far becomes what DW_CFA_restore goes back to.
  void setInitial() { copyRow(Initial, Row); }

private:
  /// Without a call of memcpy, which the program may have replaced.
  static void copyRow(CfiRow &To, const CfiRow &From) {
    __builtin_memcpy_inline(&To, &From, sizeof(CfiRow));
  }

  bool step(DwarfCursor &C) {
    uint8_t Opcode = C.byte();
    switch (Opcode >> 6) {
    case 1: // advance_loc
      return advance(Opcode & 0x3F);
    case 2: // offset
      return setOffset(Opcode & 0x3F, static_cast<int64_t>(C.uleb()));
    case 3: // restore
      return restore(Opcode & 0x3F);
    }
    uint64_t Register;
    switch (Opcode) {
    case 0x00: // nop
      return true;
    case 0x01: // set_loc
      return moveTo(readPointer(C, Entry.Encoding));
    case 0x02: // advance_loc1
      return advance(C.byte());
    case 0x03: // advance_loc2
      return advance(C.read<uint16_t>());
    case 0x04: // advance_loc4
      return advance(C.read<uint32_t>());
    case 0x05: // offset_extended
      Register = C.uleb();
      return setOffset(Register, static_cast<int64_t>(C.uleb()));
    case 0x06: // restore_extended
      return restore(C.uleb());
    case 0x07: // undefined
      return set(C.uleb(), CfiLocation::Lost);
    case 0x08: // same_value
      return set(C.uleb(), CfiLocation::Same);
    case 0x09: // register: no compiler keeps a caller's value in another one
      Register = C.uleb();
      C.uleb();
      return set(Register, CfiLocation::Lost);
    case 0x0A: // remember_state
      if (Remembered == MaxRemembered)
        return false;
      copyRow(States[Remembered++], Row);
      return true;
    case 0x0B: // restore_state
      if (!Remembered)
        return false;
      copyRow(Row, States[--Remembered]);
      return true;
    case 0x0C: // def_cfa
      Register = C.uleb();
      return setCfa(Register, static_cast<int64_t>(C.uleb()));
    case 0x0D: // def_cfa_register
      return setCfa(C.uleb(), Row.CfaOffset);
    case 0x0E: // def_cfa_offset
      Row.CfaOffset = static_cast<int64_t>(C.uleb());
      return true;
    case 0x0F: // def_cfa_expression
      Row.Cfa = C.expression();
      return true;
    case 0x10: // expression
      Register = C.uleb();
      return setExpression(Register, CfiLocation::AtComputed, C);
    case 0x11: // offset_extended_sf
      Register = C.uleb();
      return setOffset(Register, C.sleb());
    case 0x12: // def_cfa_sf
      Register = C.uleb();
      return setCfa(Register, C.sleb() * Entry.DataAlignment);
    case 0x13: // def_cfa_offset_sf
      Row.CfaOffset = C.sleb() * Entry.DataAlignment;
      return true;
    case 0x14: // val_offset
      Register = C.uleb();
      return setOffset(Register, static_cast<int64_t>(C.uleb()), CfiLocation::Offset);
    case 0x15: // val_offset_sf
      Register = C.uleb();
      return setOffset(Register, C.sleb(), CfiLocation::Offset);
    case 0x16: // val_expression
      Register = C.uleb();
      return setExpression(Register, CfiLocation::Computed, C);
    case 0x2E: // GNU_args_size
      C.uleb();
      return true;
    }
    return false;
  }

  bool advance(uint64_t Delta) { return moveTo(Location + Delta * Entry.CodeAlignment); }

  bool moveTo(uintptr_t Next) {
    if (Next > PC)
      Reached = true;
    else
      Location = Next;
    return true;
  }

  CfiLocation *find(uint64_t DwarfNumber) {
    CfiRegister Register = cfiRegister(DwarfNumber);
    return Register == CfiUntracked ? nullptr : &Row.Registers[Register];
  }

  bool set(uint64_t DwarfNumber, decltype(CfiLocation::Kind) Kind) {
    if (CfiLocation *L = find(DwarfNumber))
      L->Kind = Kind;
    return true;
  }

  bool setOffset(uint64_t DwarfNumber, int64_t Factored,
                 decltype(CfiLocation::Kind) Kind = CfiLocation::AtOffset) {
    if (CfiLocation *L = find(DwarfNumber)) {
      L->Kind = Kind;
      L->Distance = Factored * Entry.DataAlignment;
    }
    return true;
  }

  bool setExpression(uint64_t DwarfNumber, decltype(CfiLocation::Kind) Kind, DwarfCursor &C) {
    CfiExpression Expression = C.expression();
    if (CfiLocation *L = find(DwarfNumber)) {
      L->Kind = Kind;
      L->Expression = Expression;
    }
    return true;
  }

  bool restore(uint64_t DwarfNumber) {
    if (CfiLocation *L = find(DwarfNumber))
      *L = Initial.Registers[L - Row.Registers];
    return true;
  }

  bool setCfa(uint64_t DwarfNumber, int64_t Offset) {
    Row.CfaRegister = cfiRegister(DwarfNumber);
    Row.CfaOffset = Offset;
    Row.Cfa = {};
    return true;
  }

  static constexpr unsigned MaxRemembered = 4;

  const CommonEntry &Entry;
  uintptr_t Location, PC;
  CfiRow &Row;
  CfiRow Initial = {};
  CfiRow States[MaxRemembered];
  unsigned Remembered = 0;
  bool Reached = false;
};

/// The description entry that the header's table names for PC, or 0.
uintptr_t findDescription(const CfiImage &Image, uintptr_t PC) {
  DwarfCursor C(Image.Header, Image.High);
  uint8_t Version = C.byte();
  uint8_t FrameEncoding = C.byte();
  uint8_t CountEncoding = C.byte();
  uint8_t TableEncoding = C.byte();
  readPointer(C, FrameEncoding);
  uint64_t Count = C.read<uint32_t>();
  struct Slot {
    int32_t Start, Description;
  };
  if (C.Bad || Version != 1 || CountEncoding != DW_EH_PE_udata4 ||
      TableEncoding != DW_EH_PE_datarel_sdata4 || C.address() % 4 || !Count ||
      Count > static_cast<uint64_t>(C.End - C.P) / sizeof(Slot))
    return 0;
  const auto *Table = reinterpret_cast<const Slot *>(C.P);
  auto Start = [&](uint64_t I) {
    return Image.Header + static_cast<uintptr_t>(intptr_t{Table[I].Start});
  };
  if (Start(0) > PC)
    return 0;
  uint64_t Low = 0;
  for (uint64_t High = Count; High - Low > 1;) {
    uint64_t Middle = Low + (High - Low) / 2;
    if (Start(Middle) <= PC)
      Low = Middle;
    else
      High = Middle;
  }
  return Image.Header + static_cast<uintptr_t>(intptr_t{Table[Low].Description});
}

} // namespace

CfiRegister cfiRegister(uint64_t DwarfNumber) {
  constexpr CfiRegister Map[] = {CfiUntracked, CfiUntracked, CfiUntracked, CfiBX, // rax rdx rcx rbx
                                 CfiUntracked, CfiUntracked, CfiBP,        CfiSP, // rsi rdi rbp rsp
                                 CfiUntracked, CfiUntracked, CfiR10,       CfiUntracked, // r8 - r11
                                 CfiR12,       CfiR13,       CfiR14,       CfiR15, // r12 - r15
                                 CfiPC};
  return DwarfNumber < sizeof(Map) ? Map[DwarfNumber] : CfiUntracked;
}

bool cfiFindRow(const CfiImage &Image, uintptr_t PC, CfiRow &Row) {
  uintptr_t Address = findDescription(Image, PC);
  if (!Address)
    return false;
  DwarfCursor C = openEntry(Image, Address);
  uintptr_t Here = C.address();
  uint32_t Back = C.read<uint32_t>();
  CommonEntry Entry;
  if (C.Bad || !Back || !parseCommonEntry(Image, Here - Back, Entry))
    return false;
  uintptr_t Start = readPointer(C, Entry.Encoding);
  uintptr_t Size = readPointer(C, Entry.Encoding & 0x0F);
  if (C.Bad || PC - Start >= Size)
    return false;
  if (Entry.HasAugmentation)
    C.skip(C.uleb());

  Row = {};
  RowBuilder Builder(Entry, Start, PC, Row);
  Row.IsSignalFrame = Entry.IsSignalFrame;
  if (!Builder.run(Entry.Instructions))
    return false;
  Builder.setInitial();
  return Builder.run(C);
}

} // namespace __causal
