//===- hnswlib.cpp - Nearest neighbours in an index that is rebuilt -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two threads answer queries on a finished index of vectors while they add to the
// next one, which takes its place when it is full. A unit is one query and one
// addition.
//
//===----------------------------------------------------------------------===//
#include "hnswlib.h"
#include "Workload.h"
#include <algorithm>
#include <memory>
#include <mutex>
#include <random>

namespace {
constexpr size_t Dimensions = 128, Elements = 3000, Neighbours = 10;

using Index = hnswlib::HierarchicalNSW<float>;

class Rebuilder {
public:
  Rebuilder() {
    std::mt19937 R(1);
    std::uniform_real_distribution<float> Coordinate;
    for (std::vector<float> &Vector : Vectors) {
      Vector.resize(Dimensions);
      std::generate(Vector.begin(), Vector.end(),
                    [&] { return Coordinate(R); });
    }
    Current = makeIndex();
    for (size_t I = 0; I < Elements; ++I)
      Current->addPoint(Vectors[I].data(), I);
    Next = makeIndex();
  }

  void operator()(size_t Query) {
    std::shared_ptr<Index> Finished, Growing;
    size_t Element;
    {
      std::lock_guard<std::mutex> Guard(Lock);
      Finished = Current;
      Growing = Next;
      Element = Begun++;
    }
    auto Found =
        Finished->searchKnn(Vectors[Query % Elements].data(), Neighbours);
    workload::require(Found.size() == Neighbours, "the index lost its vectors");
    if (Element >= Elements)
      return; // The other thread is adding the last one.
    Growing->addPoint(Vectors[Element].data(), Element);
    std::lock_guard<std::mutex> Guard(Lock);
    if (++Added < Elements)
      return;
    Current = std::move(Next);
    Next = makeIndex();
    Begun = Added = 0;
  }

private:
  std::shared_ptr<Index> makeIndex() {
    return std::make_shared<Index>(&Space, Elements, /*M=*/16,
                                   /*ef_construction=*/100);
  }

  hnswlib::L2Space Space{Dimensions};
  std::vector<std::vector<float>> Vectors{Elements};
  std::mutex Lock; // Guards all below.
  std::shared_ptr<Index> Current, Next;
  size_t Begun = 0, Added = 0;
};
} // namespace

int main(int Argc, char **Argv) {
  Rebuilder Service;
  return workload::run(Argc, Argv, 2, [&](unsigned Thread) {
    return [&Service, R = workload::Random(Thread + 1)]() mutable {
      Service(R.below(Elements));
      CAUSAL_PROGRESS_NAMED("query and add");
    };
  });
}
