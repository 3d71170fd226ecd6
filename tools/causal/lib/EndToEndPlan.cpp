//===- EndToEndPlan.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EndToEndPlan.h"

#include <algorithm>

namespace causal {

/// Speedups are multiples of Step, as the runtime's are by default.
static constexpr unsigned Step = 5, Largest = 100;
/// Of a target with fewer samples than this in a run most runs would say nothing.
static constexpr double FewSamples = 5;

std::optional<unsigned> EndToEndPlan::drawTarget(const Profile &P) {
  std::vector<double> Samples(P.lines().size());
  double Runs = 0, Sum = 0;
  for (const Run &R : P.runs())
    if (R.Last) {
      ++Runs;
      for (const auto &[Line, C] : R.Last->Lines)
        Samples[Line] += double(C.Samples);
    }
  for (double &Each : Samples)
    Sum += Each = Each < FewSamples * Runs ? 0 : Each;
  if (Sum <= 0)
    return std::nullopt;
  return std::discrete_distribution<unsigned>(Samples.begin(), Samples.end())(Random);
}

std::optional<Trial> EndToEndPlan::next(const Profile &P) {
  if (Block.empty()) {
    std::optional<unsigned> Target = drawTarget(P);
    if (!Target)
      return std::nullopt;
    const SourceLine &L = P.lines()[*Target];
    std::string Where = L.File + ":" + (L.Line ? std::to_string(L.Line) : L.Function);
    unsigned Large = Step * std::uniform_int_distribution<unsigned>(
                                Largest / Step / 2 + 1, Largest / Step)(Random);
    for (unsigned Speedup : {0u, Large, Largest + Step - Large})
      Block.push_back({Where, Speedup});
    std::shuffle(Block.begin(), Block.end(), Random);
  }
  Trial Next = Block.back();
  Block.pop_back();
  return Next;
}

} // namespace causal
