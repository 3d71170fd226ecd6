//===- causal_cfi.h - Call frame information --------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the row of an image's .eh_frame (LSB Core; DWARF 5, 6.4) that tells how
// to leave the frame at an address. Called by the unwinder in the sample
// handler: never allocates or blocks, reads nothing but the image's own tables.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CFI_H
#define CAUSAL_CFI_H

#include <stddef.h>
#include <stdint.h>

namespace __causal {

/// The registers that rows are kept for, in the order of UnwindRegisters.
enum CfiRegister : uint8_t {
  CfiPC,
  CfiSP,
  CfiBP,
  CfiBX,
  CfiR10,
  CfiR12,
  CfiR13,
  CfiR14,
  CfiR15,
  CfiRegisterCount,
  CfiUntracked
};

/// The register with this DWARF number, or CfiUntracked.
CfiRegister cfiRegister(uint64_t DwarfNumber);

/// A loaded image with an .eh_frame_hdr.
struct CfiImage {
  uintptr_t Low, High; ///< Its segments: [Low, High).
  uintptr_t Header;    ///< Its .eh_frame_hdr.
};

/// A DWARF expression.
struct CfiExpression {
  const uint8_t *Begin;
  size_t Length;
};

/// Where the caller's value of a register is.
struct CfiLocation {
  enum : uint8_t {
    Same,       ///< unchanged
    Lost,       ///< nowhere
    AtOffset,   ///< in memory at CFA + Offset
    Offset,     ///< is CFA + Offset
    AtComputed, ///< in memory at the result of Expression
    Computed,   ///< is the result of Expression
  } Kind;
  union {
    int64_t Distance;
    CfiExpression Expression;
  };
};

struct CfiRow {
  /// The canonical frame address: CfaRegister + CfaOffset, or Cfa if it has a
  /// length.
  CfiRegister CfaRegister;
  int64_t CfaOffset;
  CfiExpression Cfa;
  CfiLocation Registers[CfiRegisterCount];
  /// The frame was made by a signal: the caller's PC is no return address.
  bool IsSignalFrame;
};

/// Finds the row for PC in Image. Returns false if there is none, or one of a
/// form that x86-64 toolchains do not write.
bool cfiFindRow(const CfiImage &Image, uintptr_t PC, CfiRow &Row);

} // namespace __causal

#endif // CAUSAL_CFI_H
