//===- Prober.h - Samples a program with the data it touches ----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a program under the kernel's sampler. A sample has the registers, and behind most
// loads and stores these still hold the address. Only sums are kept: how many lines and
// pages an instruction touched, and which it shares with other threads. No address, no data.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PROBE_PROBER_H
#define CAUSAL_PROBE_PROBER_H

#include "lib/continuous/cpi/Image.h"
#include "lib/continuous/cpi/Observations.h"

#include <unordered_map>

namespace causal::probe {

/// Registers by their numbers in DWARF.
struct Registers {
  uint64_t Value[16] = {};
};
/// What \p Memory points to; nothing where registers do not tell.
std::optional<uint64_t> addressOf(const cpi::MemoryOperand &Memory, const Registers &R,
                                  uint64_t EndOfInstruction);

/// Who touches which lines. Pure.
class AccessTable {
public:
  void add(uint64_t Image, uint64_t Instruction, uint64_t Address, uint32_t Thread, bool Writes);
  std::map<uint64_t, cpi::AccessFacts> factsOf(uint64_t Image) const;

private:
  struct Access {
    uint64_t Image, Instruction, Address;
    uint32_t Thread;
    bool Writes;
  };
  std::vector<Access> All;
};

struct ProbeOptions {
  uint64_t PeriodNs = 500000;
  cpi::Machine On;
};
struct ProbeResult {
  std::vector<cpi::Observations> Images;
  uint64_t Lost = 0, Unmapped = 0;
  int Status = 0; ///< Of the program, as a shell has it.
};
llvm::Expected<ProbeResult> probe(llvm::ArrayRef<std::string> Command, const ProbeOptions &Options);

} // namespace causal::probe

#endif // CAUSAL_PROBE_PROBER_H
