//===- causal_dwarf_cursor.h - Reading DWARF data ---------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bounded reader of call frame information and expressions, for both parsers
// of the unwinder. Sample handler; never allocates or blocks.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_DWARF_CURSOR_H
#define CAUSAL_DWARF_CURSOR_H

#include "code/causal_cfi.h"

namespace __causal {

/// Reads within [P, End). After a read beyond it every value is 0 and Bad is
/// set.
struct DwarfCursor {
  const uint8_t *P, *End;
  bool Bad = false;

  DwarfCursor(const void *Begin, const void *End)
      : P(static_cast<const uint8_t *>(Begin)), End(static_cast<const uint8_t *>(End)) {}
  DwarfCursor(uintptr_t Begin, uintptr_t End)
      : DwarfCursor(reinterpret_cast<const void *>(Begin), reinterpret_cast<const void *>(End)) {}

  uintptr_t address() const { return reinterpret_cast<uintptr_t>(P); }
  bool done() const { return Bad || P >= End; }

  void skip(uint64_t Bytes) {
    if (Bytes > static_cast<uint64_t>(End - P)) {
      Bad = true;
      P = End;
    } else {
      P += Bytes;
    }
  }

  template <typename T> T read() {
    const uint8_t *From = P;
    skip(sizeof(T));
    T Value = 0;
    if (!Bad)
      __builtin_memcpy(&Value, From, sizeof(T));
    return Value;
  }
  uint8_t byte() { return read<uint8_t>(); }

  uint64_t uleb() {
    uint64_t Value = 0;
    for (unsigned Shift = 0; Shift < 70; Shift += 7) {
      uint8_t Byte = byte();
      if (Shift < 64)
        Value |= static_cast<uint64_t>(Byte & 0x7F) << Shift;
      if (!(Byte & 0x80))
        return Value;
    }
    Bad = true;
    return 0;
  }

  int64_t sleb() {
    uint64_t Value = 0;
    for (unsigned Shift = 0; Shift < 70;) {
      uint8_t Byte = byte();
      if (Shift < 64)
        Value |= static_cast<uint64_t>(Byte & 0x7F) << Shift;
      Shift += 7;
      if (Byte & 0x80)
        continue;
      if (Shift < 64 && (Byte & 0x40))
        Value |= ~0ull << Shift;
      return static_cast<int64_t>(Value);
    }
    Bad = true;
    return 0;
  }

  CfiExpression expression() {
    uint64_t Length = uleb();
    CfiExpression E = {P, Length};
    skip(Length);
    return E;
  }
};

} // namespace __causal

#endif // CAUSAL_DWARF_CURSOR_H
