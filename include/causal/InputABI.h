//===- InputABI.h - What input-mode code and runtime share ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The layout that code built with -fcausal-profile=input reads directly, and the types of
// the entry points in InputABI.def. Read by the pass and by the input runtime.
//
// A cell is CellSize bytes at an address that is a multiple of it. Each cell has a word in
// the directory, which all threads share, and a stamp in each thread. Offset() of an
// address, added to the base of either, is where the word is: both are 4 bytes a cell.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUTABI_H
#define CAUSAL_INPUTABI_H

#include <stddef.h>
#include <stdint.h>

namespace causal_input {

/// An object that is compiled for cells of one size refers to the check with that size in
/// its name. The runtime for cells of another size does not define it: mixing fails at link.
constexpr char CellSizeCheck4[] = "__causal_input_cell_size_mismatch_check_v1_4";
constexpr char CellSizeCheck8[] = "__causal_input_cell_size_mismatch_check_v1_8";
constexpr char EntryPrefix[] = "__causal_input_";

/// What a routine costs is counted in.
enum CostUnit : uint32_t { CostInstructions = 0, CostBlocks = 1 };

/// A routine. One in the image for each compiled copy of it.
struct Routine {
  const char *Name, *File;
  uint32_t Line;
  uint32_t Id; ///< 0 until the runtime gives it one.
  uint32_t Unit;
};

/// The beginning of a thread's record, which compiled code loads at entry.
struct ThreadView {
  uint64_t Directory; ///< Where the words of the directory begin.
  uint64_t Stamps;    ///< Where this thread's stamps begin.
  uint64_t Mask;      ///< What of an address tells its cell.
  uint32_t Bit;       ///< This thread's, in a word of the directory.
};
/// Bits of a word of the directory that are no thread's.
enum : uint32_t { WriterMask = 3, ByNobody = 0, ByThread = 1, ByOutside = 2 };

/// What enter() returns: in two registers. The lower half of Id is the activation's stamp.
struct Activation {
  ThreadView *Thread;
  uint64_t Id;
};

/// What an atomic operation did.
enum AtomicKind : uint32_t { AtomicRead = 1, AtomicWrite = 2, AtomicUpdate = 3 };

} // namespace causal_input

#endif // CAUSAL_INPUTABI_H
