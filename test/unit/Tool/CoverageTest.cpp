//===- CoverageTest.cpp ------------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedProfile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace causal;

namespace {

SimulatedProgram program(llvm::StringRef Name) {
  for (SimulatedProgram &P : simulatedPrograms())
    if (P.Name == Name)
      return P;
  ADD_FAILURE() << "no program " << Name.str();
  return {"", {}};
}

/// The 95 % intervals hold the truth about that often: not less, and not so much
/// more that they say nothing. benchmarks/coverage_benchmark has the long table.
class CoverageTest : public testing::TestWithParam<const char *> {};

TEST_P(CoverageTest, OfTheIntervalsIsWhatTheySay) {
  Coverage C = coverage(program(GetParam()), 60, 1000);
  EXPECT_GE(C.share(), 0.90);
  EXPECT_LE(C.share(), 0.995);
  // And the estimates themselves lean to no side.
  EXPECT_LT(std::fabs(C.Error / C.Number), 0.3 * C.Width / C.Number);
}

INSTANTIATE_TEST_SUITE_P(
    Programs, CoverageTest,
    testing::Values("serial", "serial, 12 experiments", "serial, 60 experiments", "serial, bursts",
                    "serial, drift", "serial, 20 runs", "serial, accidents", "fork-join",
                    "contended", "60 whole runs", "unlike phases", "unlike phases, short, CPU time",
                    "contended, delays of a third"),
    [](const auto &Info) {
      std::string Name = Info.param;
      llvm::erase_if(Name, [](char C) { return !isalnum(static_cast<unsigned char>(C)); });
      return Name;
    });

TEST(Pairing, TakesTheDriftOutOfTheError) {
  SimulatedProgram Still = program("serial, drift, regular");
  SimulatedProgram Drifting = Still;
  Still.Drift = 0;
  auto Width = [](const SimulatedProgram &P) {
    Coverage C = coverage(P, 10, 1);
    return C.Width / C.Number;
  };
  // A drift of 10 % of the machine would make it many times as wide.
  EXPECT_LT(Width(Drifting), 3 * Width(Still));
}

} // namespace
