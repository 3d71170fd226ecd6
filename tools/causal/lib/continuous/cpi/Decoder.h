//===- Decoder.h - Machine instructions of an image -------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytes become instructions, with what the analysis asks of each. Image.cpp cuts
// procedures with it, ProcessorModel.cpp schedules what it gives. One CPU for
// each decoder: the one that a profile was taken on.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPI_DECODER_H
#define CAUSAL_CPI_DECODER_H

#include "llvm/MC/MCInst.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>

namespace causal::cpi {

/// Base + Scale * Index + Displacement; a register is its number in DWARF, -1: none.
struct MemoryOperand {
  int Base = -1, Index = -1;
  int Scale = 1;
  int64_t Displacement = 0;
  bool PCRelative = false;
  bool Segment = false; ///< Of a thread's own data: registers do not tell.
  /// The instruction writes Base or Index: behind it the address is another.
  bool Overwritten = false;
  /// Always the same few addresses: relative to the stack pointer or to the code.
  bool isFixed() const { return Index < 0 && (PCRelative || Base == 7 || Base == 6 || Base < 0); }
};

struct Instruction {
  uint64_t Address = 0;
  unsigned Size = 0;
  llvm::MCInst Code;
  bool Load = false, Store = false, Call = false, Return = false;
  bool Branch = false, Conditional = false, Indirect = false;
  bool Divides = false; ///< Division or square root.
  bool Locked = false;  ///< Atomic, or a full fence.
  std::optional<MemoryOperand> Memory;
  std::optional<uint64_t> Target; ///< Of a direct branch or call.
  uint64_t end() const { return Address + Size; }
};

class Decoder {
public:
  /// \p CPU: LLVM's name. Fails for one that LLVM does not know.
  static llvm::Expected<std::unique_ptr<Decoder>> create(llvm::StringRef CPU);
  ~Decoder();

  /// The instruction at the beginning of \p Bytes; none if they are no instruction.
  std::optional<Instruction> decode(llvm::StringRef Bytes, uint64_t Address) const;
  /// As an assembler writes it; targets are absolute addresses.
  std::string print(const Instruction &I) const;

  /// What the processor model needs (ProcessorModel.cpp).
  struct Target;
  const Target &target() const { return *T; }

private:
  Decoder();
  std::unique_ptr<Target> T;
};

/// LLVM knows the CPU and how it schedules.
bool hasModel(llvm::StringRef CPU);

} // namespace causal::cpi

#endif // CAUSAL_CPI_DECODER_H
