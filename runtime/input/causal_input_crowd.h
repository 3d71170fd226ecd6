//===- causal_input_crowd.h - Threads without a bit of their own -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The directory has bits for MaxSlots threads at once. All others share CrowdBit, and what a
// bit would say of one of them is in two places: the cell's epoch, which all share and which
// changes whenever all members of the crowd, or all but the one that writes, are to forget
// the cell; and the member's own table of the epoch and the stamp of its last access. A
// member has accessed the cell since the last foreign write if CrowdBit is set and its epoch
// is the cell's. Exact, but each access takes a lock.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_CROWD_H
#define CAUSAL_INPUT_CROWD_H

#include <stddef.h>
#include <stdint.h>

namespace __causal {

struct InputThread;

/// A member's last access of a cell.
struct CrowdAccess {
  uint64_t Cell; ///< Its offset plus one; 0: nothing is here.
  uint32_t Epoch, Stamp;
};

/// The cells that one member has accessed.
class CrowdMember {
public:
  /// The cell's entry, made if there is none; null if there is no memory.
  CrowdAccess *find(uint64_t Offset);
  void clear();
  template <class Function> void forEach(Function F) {
    for (size_t I = 0; Entries && I <= Mask; ++I)
      if (Entries[I].Cell)
        F(Entries[I]);
  }

private:
  bool grow();
  size_t place(uint64_t Offset) const {
    return static_cast<size_t>(((Offset >> 2) * 0x9E3779B97F4A7C15ull) >> 20) & Mask;
  }

  CrowdAccess *Entries;
  size_t Mask, Used;
};

/// Maps what the crowd shares; false if that cannot be had. With the threads' lock held.
bool beginCrowd();
/// One access of one cell by a member of the crowd.
__attribute__((preserve_most)) void crowdRead(InputThread &T, uint64_t Offset);
__attribute__((preserve_most)) void crowdWrite(InputThread &T, uint64_t Offset);

} // namespace __causal

#endif // CAUSAL_INPUT_CROWD_H
