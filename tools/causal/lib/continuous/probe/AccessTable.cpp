//===- AccessTable.cpp - Which instructions touch which lines -------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/probe/Prober.h"

#include "llvm/ADT/SmallVector.h"

#include <set>

using namespace llvm;

namespace causal::probe {
namespace {

constexpr unsigned LineBits = 6, PageBits = 12;
/// How wide an access is, where its width is not known: what two threads touch closer than
/// this is the same datum.
constexpr unsigned AccessBytes = 4;

uint64_t bytesOf(uint64_t Address) {
  uint64_t Mask = ((uint64_t(1) << AccessBytes) - 1);
  return Mask << (Address & 63);
}

struct User {
  uint32_t Thread;
  uint64_t Read = 0, Written = 0; ///< Bytes of the line.
};

cpi::Distinct distinct(const std::unordered_map<uint64_t, uint64_t> &Counts) {
  cpi::Distinct D;
  D.Seen = Counts.size();
  for (auto [Key, N] : Counts) {
    D.Once += N == 1;
    D.Twice += N == 2;
  }
  return D;
}

} // namespace

std::optional<uint64_t> addressOf(const cpi::MemoryOperand &Memory, const Registers &R,
                                  uint64_t EndOfInstruction) {
  if (Memory.Segment || Memory.Base > 15 || Memory.Index > 15)
    return std::nullopt;
  uint64_t Address = Memory.Displacement;
  if (Memory.PCRelative)
    Address += EndOfInstruction;
  if (Memory.Base >= 0)
    Address += R.Value[Memory.Base];
  if (Memory.Index >= 0)
    Address += R.Value[Memory.Index] * Memory.Scale;
  return Address;
}

void AccessTable::add(uint64_t Image, uint64_t Instruction, uint64_t Address, uint32_t Thread,
                      bool Writes) {
  All.push_back({Image, Instruction, Address, Thread, Writes});
}

std::map<uint64_t, cpi::AccessFacts> AccessTable::factsOf(uint64_t Image) const {
  std::unordered_map<uint64_t, SmallVector<User, 2>> Lines;
  for (const Access &A : All) {
    SmallVector<User, 2> &Users = Lines[A.Address >> LineBits];
    auto Known = llvm::find_if(Users, [&](const User &U) { return U.Thread == A.Thread; });
    if (Known == Users.end()) {
      Users.push_back({A.Thread});
      Known = std::prev(Users.end());
    }
    (A.Writes ? Known->Written : Known->Read) |= bytesOf(A.Address);
  }

  struct Sums {
    cpi::AccessFacts Facts;
    std::unordered_map<uint64_t, uint64_t> Lines, Pages;
    std::set<uint32_t> Threads;
  };
  std::map<uint64_t, Sums> ByInstruction;
  for (const Access &A : All) {
    if (A.Image != Image)
      continue;
    Sums &S = ByInstruction[A.Instruction];
    ++S.Facts.Samples;
    ++S.Lines[A.Address >> LineBits];
    ++S.Pages[A.Address >> PageBits];
    S.Threads.insert(A.Thread);
    uint64_t Mine = bytesOf(A.Address);
    bool Same = false, Other = false;
    for (const User &U : Lines[A.Address >> LineBits]) {
      if (U.Thread == A.Thread)
        continue;
      // Two readers do not disturb each other.
      if (!A.Writes && !U.Written)
        continue;
      uint64_t Theirs = A.Writes ? U.Read | U.Written : U.Written;
      (Theirs & Mine ? Same : Other) = true;
    }
    S.Facts.SharedSame += Same;
    S.Facts.SharedOther += Other && !Same;
  }

  std::map<uint64_t, cpi::AccessFacts> Facts;
  for (auto &[At, S] : ByInstruction) {
    S.Facts.Lines = distinct(S.Lines);
    S.Facts.Pages = distinct(S.Pages);
    S.Facts.Threads = S.Threads.size();
    Facts[At] = S.Facts;
  }
  return Facts;
}

} // namespace causal::probe
