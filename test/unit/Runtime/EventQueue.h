//===- EventQueue.h - What happens next on a machine ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tournament over a fixed number of sources, each of which has one next event or
// none. Events are put off and called off far more often than they happen, which a
// heap of them would have to carry along.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_EVENT_QUEUE_H
#define CAUSAL_TEST_EVENT_QUEUE_H

#include <cstdint>
#include <vector>

namespace __causal {

class EventQueue {
public:
  static constexpr uint64_t Never = ~0ull;

  explicit EventQueue(unsigned Sources) {
    while (Size < Sources)
      Size *= 2;
    Nodes.resize(2 * Size);
    for (unsigned I = 0; I < 2 * Size; ++I)
      Nodes[I].Source = I % Size;
  }

  /// Source's next event, instead of the one that it had. Of events at the same time
  /// the one of the lowest Order is first.
  void set(unsigned Source, uint64_t Time, uint64_t Order) {
    Node First = {Time, Order, Source};
    for (unsigned I = Size + Source; I > 1; I /= 2) {
      Nodes[I] = First;
      if (Nodes[I ^ 1] < First)
        First = Nodes[I ^ 1];
    }
    Nodes[1] = First;
  }
  void clear(unsigned Source) { set(Source, Never, 0); }
  bool isSet(unsigned Source) const { return Nodes[Size + Source].Time != Never; }

  unsigned next() const { return Nodes[1].Source; }
  /// Of the next event; Never if there is none.
  uint64_t time() const { return Nodes[1].Time; }

private:
  struct Node {
    uint64_t Time = Never, Order = 0;
    unsigned Source = 0;
    bool operator<(const Node &N) const { return Time != N.Time ? Time < N.Time : Order < N.Order; }
  };

  unsigned Size = 2;
  /// From Size on the sources; before them, each is the first of 2 I and 2 I + 1.
  std::vector<Node> Nodes;
};

} // namespace __causal

#endif // CAUSAL_TEST_EVENT_QUEUE_H
