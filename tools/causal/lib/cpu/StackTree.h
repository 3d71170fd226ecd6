//===- StackTree.h - Stacks that share their roots --------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All stacks as one tree, for the page, which draws it. A profile may have millions of
// stacks and the page has room for some ten thousand: light branches are folded into
// their callers, so that sums stay.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPU_STACKTREE_H
#define CAUSAL_CPU_STACKTREE_H

#include "lib/cpu/CPUProfile.h"

namespace causal::cpu {

struct StackTree {
  /// Places that are none: what a truncated stack begins with, and time without a stack.
  static constexpr unsigned Truncated = ~0u, NoStack = ~0u - 1;
  struct Node {
    unsigned Parent; ///< Less than its own number; of the first, which is the root, 0.
    unsigned Place;  ///< Into CPUProfile::Places, or one of the above.
  };
  /// What was charged to a stack that ends here.
  struct Leaf {
    unsigned Node, Lane;
    State In;
    Time Ns;
    int64_t Count;
  };
  std::vector<Node> Nodes;
  std::vector<Leaf> Leaves; ///< By rising node, lane and state.
  size_t Folded = 0;        ///< Nodes that were.
};

/// \p LaneOf: by thread, the lane that its time goes to.
StackTree treeOf(const CPUProfile &P, llvm::ArrayRef<unsigned> LaneOf, size_t MostNodes);

} // namespace causal::cpu

#endif // CAUSAL_CPU_STACKTREE_H
