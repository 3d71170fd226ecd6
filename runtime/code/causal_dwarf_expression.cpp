//===- causal_dwarf_expression.cpp - Computed frame rules -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_dwarf_expression.h; the operations are those of DWARF 5, 2.5.1,
// less the branches: so every expression ends after as many steps as it has
// bytes.
//
//===----------------------------------------------------------------------===//
#include "code/causal_dwarf_expression.h"

#include "code/causal_dwarf_cursor.h"

namespace __causal {
namespace {

class Evaluator {
public:
  Evaluator(const UnwindRegisters &R, const StackMemory &Stack) : R(R), Stack(Stack) {}

  void push(uintptr_t Value) {
    if (Depth == MaxDepth)
      Bad = true;
    else
      Values[Depth++] = Value;
  }

  bool run(DwarfCursor C, uintptr_t &Result) {
    while (!C.done() && !Bad)
      step(C);
    Result = pop();
    return !Bad && !C.Bad;
  }

private:
  uintptr_t pop() {
    if (!Depth) {
      Bad = true;
      return 0;
    }
    return Values[--Depth];
  }

  /// The value I places below the top.
  uintptr_t peek(unsigned I) {
    if (I >= Depth) {
      Bad = true;
      return 0;
    }
    return Values[Depth - 1 - I];
  }

  void pushRegister(uint64_t DwarfNumber, int64_t Offset) {
    CfiRegister Register = cfiRegister(DwarfNumber);
    if (Register == CfiUntracked)
      Bad = true;
    else
      push(registerOf(R, Register) + static_cast<uintptr_t>(Offset));
  }

  void dereference() {
    uintptr_t Value = 0;
    if (!Stack.read(pop(), Value))
      Bad = true;
    push(Value);
  }

  template <typename T> void pushConstant(DwarfCursor &C) {
    push(static_cast<uintptr_t>(static_cast<intptr_t>(C.read<T>())));
  }

  void step(DwarfCursor &C) {
    uint8_t Op = C.byte();
    if (Op >= 0x30 && Op <= 0x4F) // lit0 - lit31
      return push(Op - 0x30u);
    if (Op >= 0x70 && Op <= 0x8F) // breg0 - breg31
      return pushRegister(Op - 0x70u, C.sleb());
    switch (Op) {
    case 0x06: // deref
      return dereference();
    case 0x08: // const1u
      return pushConstant<uint8_t>(C);
    case 0x09: // const1s
      return pushConstant<int8_t>(C);
    case 0x0A: // const2u
      return pushConstant<uint16_t>(C);
    case 0x0B: // const2s
      return pushConstant<int16_t>(C);
    case 0x0C: // const4u
      return pushConstant<uint32_t>(C);
    case 0x0D: // const4s
      return pushConstant<int32_t>(C);
    case 0x0E: // const8u
    case 0x0F: // const8s
      return pushConstant<int64_t>(C);
    case 0x10: // constu
      return push(C.uleb());
    case 0x11: // consts
      return push(static_cast<uintptr_t>(C.sleb()));
    case 0x12: // dup
      return push(peek(0));
    case 0x13: // drop
      pop();
      return;
    case 0x14: // over
      return push(peek(1));
    case 0x15: // pick
      return push(peek(C.byte()));
    case 0x1F: // neg
      return push(0 - pop());
    case 0x20: // not
      return push(~pop());
    case 0x23: // plus_uconst
      return push(pop() + C.uleb());
    case 0x92: { // bregx
      uint64_t Register = C.uleb();
      return pushRegister(Register, C.sleb());
    }
    case 0x96: // nop
      return;
    }
    binary(Op);
  }

  void binary(uint8_t Op) {
    uintptr_t Right = pop(), Left = pop();
    auto SignedLeft = static_cast<intptr_t>(Left);
    auto SignedRight = static_cast<intptr_t>(Right);
    switch (Op) {
    case 0x16: // swap
      push(Right);
      return push(Left);
    case 0x1A: // and
      return push(Left & Right);
    case 0x1C: // minus
      return push(Left - Right);
    case 0x1E: // mul
      return push(Left * Right);
    case 0x21: // or
      return push(Left | Right);
    case 0x22: // plus
      return push(Left + Right);
    case 0x24: // shl
      return push(Right < 64 ? Left << Right : 0);
    case 0x25: // shr
      return push(Right < 64 ? Left >> Right : 0);
    case 0x26: // shra
      return push(static_cast<uintptr_t>(SignedLeft >> (Right < 64 ? Right : 63)));
    case 0x27: // xor
      return push(Left ^ Right);
    case 0x29: // eq
      return push(Left == Right);
    case 0x2A: // ge
      return push(SignedLeft >= SignedRight);
    case 0x2B: // gt
      return push(SignedLeft > SignedRight);
    case 0x2C: // le
      return push(SignedLeft <= SignedRight);
    case 0x2D: // lt
      return push(SignedLeft < SignedRight);
    case 0x2E: // ne
      return push(Left != Right);
    }
    Bad = true;
  }

  static constexpr unsigned MaxDepth = 16;

  const UnwindRegisters &R;
  const StackMemory &Stack;
  uintptr_t Values[MaxDepth];
  unsigned Depth = 0;
  bool Bad = false;
};

} // namespace

bool evaluateExpression(const CfiExpression &Expression, const UnwindRegisters &R,
                        const StackMemory &Stack, const uintptr_t *Initial, uintptr_t &Result) {
  Evaluator E(R, Stack);
  if (Initial)
    E.push(*Initial);
  return E.run({Expression.Begin, Expression.Begin + Expression.Length}, Result);
}

} // namespace __causal
