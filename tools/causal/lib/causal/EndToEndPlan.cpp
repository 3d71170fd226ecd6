//===- EndToEndPlan.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/causal/EndToEndPlan.h"

#include <algorithm>

namespace causal {

/// Speedups are multiples of Step, as the runtime's are by default.
static constexpr unsigned Step = 5, Largest = 100;
/// Of a target with fewer samples than this in a run most runs would say nothing.
static constexpr double FewSamples = 5;

static std::string placeOf(const SourceLine &L) {
  return L.File + ":" + (L.Line ? std::to_string(L.Line) : L.Function);
}

/// That which is furthest behind its share of all blocks (the method of Sainte-Laguë, 1910).
std::optional<std::string> EndToEndPlan::nextTarget(const Profile &P) {
  if (!Fixed.empty())
    return Fixed;
  std::vector<double> Samples(P.lines().size()), Faster(P.lines().size());
  double Runs = 0;
  for (const Run &R : P.runs())
    if (R.Last) {
      ++Runs;
      for (const auto &[Line, C] : R.Last->Lines)
        Samples[Line] += double(C.Samples);
    }
  for (const Experiment &E : P.experiments())
    Faster[E.Line] += E.Speedup != 0;
  std::optional<std::string> Next;
  double Most = 0;
  for (unsigned Line = 0; Line < Samples.size(); ++Line) {
    if (Samples[Line] < FewSamples * Runs)
      continue;
    std::string Where = placeOf(P.lines()[Line]);
    // A target that is never met has no experiments.
    double Blocks = std::max(Faster[Line] / 2, double(Planned[Where]));
    if (double Behind = Samples[Line] / (2 * Blocks + 1); Behind > Most) {
      Most = Behind;
      Next = Where;
    }
  }
  return Next;
}

std::optional<Trial> EndToEndPlan::next(const Profile &P) {
  if (Block.empty()) {
    std::optional<std::string> Where = nextTarget(P);
    if (!Where)
      return std::nullopt;
    ++Planned[*Where];
    unsigned Large = Step * std::uniform_int_distribution<unsigned>(Largest / Step / 2 + 1,
                                                                    Largest / Step)(Random);
    for (unsigned Speedup : {0u, Large, Largest + Step - Large})
      Block.push_back({*Where, Speedup});
    std::shuffle(Block.begin(), Block.end(), Random);
  }
  Trial Next = Block.back();
  Block.pop_back();
  return Next;
}

} // namespace causal
