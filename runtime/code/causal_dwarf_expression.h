//===- causal_dwarf_expression.h - Computed frame rules ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates the DWARF expressions that call frame information uses where
// "register + offset" does not do: PLT entries, realigned stacks, the frame
// that a signal leaves. Called by the unwinder in the sample handler: never
// allocates or blocks, reads nothing but the given piece of the stack.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_DWARF_EXPRESSION_H
#define CAUSAL_DWARF_EXPRESSION_H

#include "code/causal_cfi.h"
#include "code/causal_unwind.h"

namespace __causal {

/// The piece of a thread's stack that may be read.
struct StackMemory {
  uintptr_t Low, High;

  /// Reads the word at Address; false if it is unaligned or beyond the bounds.
  /// Not checked by AddressSanitizer: frames' words lie between its red zones.
  __attribute__((no_sanitize("address"))) bool read(uintptr_t Address, uintptr_t &Value) const {
    if (Address % sizeof(uintptr_t) || Address < Low || Address >= High ||
        High - Address < sizeof(uintptr_t))
      return false;
    Value = *reinterpret_cast<const uintptr_t *>(Address);
    return true;
  }
};

inline uintptr_t &registerOf(UnwindRegisters &R, CfiRegister Register) {
  static_assert(offsetof(UnwindRegisters, R15) == CfiR15 * sizeof(uintptr_t),
                "UnwindRegisters is in the order of CfiRegister");
  return (&R.PC)[Register];
}

inline uintptr_t registerOf(const UnwindRegisters &R, CfiRegister Register) {
  return (&R.PC)[Register];
}

/// Evaluates Expression over R, with *Initial on its stack if given. Returns
/// false if it is malformed, branches, or reads what it may not.
bool evaluateExpression(const CfiExpression &Expression, const UnwindRegisters &R,
                        const StackMemory &Stack, const uintptr_t *Initial, uintptr_t &Result);

} // namespace __causal

#endif // CAUSAL_DWARF_EXPRESSION_H
