//===- StackTree.cpp ------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/cpu/StackTree.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace llvm;

namespace causal::cpu {

namespace {

using Node = StackTree::Node;

class Grower {
public:
  Grower() { Nodes.push_back({0, StackTree::NoStack}); }

  /// The node of \p Stack's leaf, made if it is new.
  unsigned leafOf(const CPUProfile &P, unsigned Stack) {
    auto [It, New] = Ends.try_emplace(Stack, 0);
    if (!New)
      return It->second;
    std::vector<unsigned> Places = P.placesOf(Stack);
    if (P.Stacks[Stack].Truncated)
      Places.push_back(StackTree::Truncated);
    if (Places.empty())
      Places.push_back(StackTree::NoStack);
    unsigned At = 0;
    for (unsigned Place : reverse(Places))
      At = child(At, Place);
    return It->second = At;
  }

  std::vector<Node> Nodes;

private:
  unsigned child(unsigned Of, unsigned Place) {
    auto [It, New] = Children.try_emplace({Of, Place}, unsigned(Nodes.size()));
    if (New)
      Nodes.push_back({Of, Place});
    return It->second;
  }

  std::map<unsigned, unsigned> Ends;
  std::map<std::pair<unsigned, unsigned>, unsigned> Children;
};

/// By node: the node that stands for it, when only the heaviest \p Most are kept.
std::vector<unsigned> keepHeaviest(ArrayRef<Node> Nodes, std::vector<Time> Weight, size_t Most) {
  for (size_t I = Nodes.size(); I-- > 1;) // Children have larger numbers.
    Weight[Nodes[I].Parent] += Weight[I];
  Time Least;
  if (Nodes.size() > Most) {
    std::vector<Time> Sorted = Weight;
    std::nth_element(Sorted.begin(), Sorted.begin() + long(Most), Sorted.end(),
                     [](Time L, Time R) { return R < L; });
    Least = Sorted[Most];
  }
  std::vector<unsigned> StandIn(Nodes.size());
  for (unsigned I = 0; I < Nodes.size(); ++I) {
    bool Kept = I == 0 || Nodes.size() <= Most || Least < Weight[I];
    StandIn[I] = Kept ? I : StandIn[Nodes[I].Parent];
  }
  return StandIn;
}

} // namespace

StackTree treeOf(const CPUProfile &P, ArrayRef<unsigned> LaneOf, size_t MostNodes) {
  Grower Whole;
  std::vector<unsigned> Ends;
  for (const Charge &C : P.Charges)
    Ends.push_back(Whole.leafOf(P, C.Stack));
  std::vector<Time> Weight(Whole.Nodes.size());
  for (size_t I = 0; I < Ends.size(); ++I)
    Weight[Ends[I]] += P.Charges[I].Ns;
  std::vector<unsigned> StandIn = keepHeaviest(Whole.Nodes, std::move(Weight), MostNodes);

  StackTree Tree;
  std::vector<unsigned> Number(Whole.Nodes.size());
  for (unsigned I = 0; I < Whole.Nodes.size(); ++I) {
    if (StandIn[I] != I) {
      ++Tree.Folded;
      continue;
    }
    Number[I] = unsigned(Tree.Nodes.size());
    Tree.Nodes.push_back({Number[Whole.Nodes[I].Parent], Whole.Nodes[I].Place});
  }
  std::map<std::tuple<unsigned, unsigned, State>, std::pair<Time, int64_t>> Sums;
  for (size_t I = 0; I < Ends.size(); ++I) {
    const Charge &C = P.Charges[I];
    auto &[Ns, Count] = Sums[{Number[StandIn[Ends[I]]], LaneOf[C.Thread], C.In}];
    Ns += C.Ns;
    Count += C.Count;
  }
  for (auto &[Key, Sum] : Sums) {
    auto [Node, Lane, In] = Key;
    Tree.Leaves.push_back({Node, Lane, In, Sum.first, Sum.second});
  }
  return Tree;
}

} // namespace causal::cpu
