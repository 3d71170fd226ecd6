//===- Image.h - Procedures and basic blocks of a binary --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Control flow comes from clang's basic-block address map where the image has
// it: it is complete, jump tables included. Else it is read from the code, and
// an indirect jump leaves it incomplete, which the procedure says.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPI_IMAGE_H
#define CAUSAL_CPI_IMAGE_H

#include "lib/continuous/cpi/Decoder.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace causal::cpi {

struct BasicBlock {
  uint64_t Address = 0;
  unsigned ID = 0;                       ///< The compiler's; by address where there is no map.
  std::vector<Instruction> Instructions; ///< None: it was optimised away and falls through.
  llvm::SmallVector<unsigned, 2> Successors, Predecessors; ///< Indices into Procedure::Blocks.
  llvm::SmallVector<double, 2> Likelihood;                 ///< The compiler's guess, per successor.
  bool Leaves = false; ///< Control can leave the procedure at its end.
  bool LandingPad = false;
  uint64_t end() const { return Instructions.empty() ? Address : Instructions.back().end(); }
};

/// Where an instruction stands.
struct Place {
  unsigned Block, Index;
};

struct Procedure {
  std::string Name;
  uint64_t Address = 0;
  uint64_t Hash = 0;              ///< Of the shape of its control flow.
  bool HasMap = false;            ///< The compiler's map, not disassembly.
  bool Complete = true;           ///< All edges are known.
  std::vector<BasicBlock> Blocks; ///< By address; the first is the entry.
  const Instruction &at(Place P) const { return Blocks[P.Block].Instructions[P.Index]; }
  std::optional<Place> find(uint64_t Address) const;
};

struct Symbol {
  std::string Name;
  uint64_t Address = 0, Size = 0;
};

class Image {
public:
  static llvm::Expected<std::unique_ptr<Image>> open(llvm::StringRef Path);
  virtual ~Image() = default;

  /// Functions by address.
  virtual llvm::ArrayRef<Symbol> symbols() const = 0;
  virtual llvm::StringRef buildID() const = 0;
  virtual bool hasBlockMap() const = 0;
  /// The contents of a section; empty if there is none of that name.
  virtual llvm::StringRef section(llvm::StringRef Name, uint64_t &Address) const = 0;
  /// The address of what stands at an offset of the file; none if it is not loaded.
  virtual std::optional<uint64_t> addressOfOffset(uint64_t Offset) const = 0;
  /// The function that covers \p Address, or null.
  const Symbol *symbolAt(uint64_t Address) const;
  /// By its name as linked, or as demangled up to the parameters.
  llvm::SmallVector<const Symbol *, 1> findSymbol(llvm::StringRef Name) const;
  virtual llvm::Expected<Procedure> procedure(const Symbol &S, const Decoder &D) const = 0;
};

/// "main", "ns::f(int)".
std::string demangled(llvm::StringRef Name);

} // namespace causal::cpi

#endif // CAUSAL_CPI_IMAGE_H
