//===- SignalMaskTest.cpp - The program's masks, and the kernel's ---------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "sampler/causal_signal_mask.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

uint64_t bits(std::initializer_list<int> Signals) {
  uint64_t Mask = 0;
  for (int Signal : Signals)
    Mask |= signalBit(Signal);
  return Mask;
}

class SignalMask : public testing::TestWithParam<int> {};

TEST_P(SignalMask, LeavesTheSamplersSignalOpen) {
  int Sampler = GetParam();
  EXPECT_EQ(maskForKernel(~0ull, Sampler), ~bits({Sampler}));
  EXPECT_EQ(maskForKernel(bits({Sampler, SIGINT}), Sampler), bits({StandInSignal, SIGINT}));
  EXPECT_EQ(maskForKernel(bits({SIGINT}), Sampler), bits({SIGINT}));
}

TEST_P(SignalMask, ReadsAsItWasSet) {
  int Sampler = GetParam();
  for (uint64_t Program : {uint64_t(0), ~uint64_t(0), bits({Sampler}), ~bits({Sampler}),
                           bits({SIGINT, SIGCHLD}), bits({Sampler, SIGUSR1})})
    EXPECT_EQ(maskForProgram(maskForKernel(Program, Sampler), Sampler), Program);
}

// In a handler that must not be sampled.
TEST_P(SignalMask, DoesNotShowThatTheSamplerIsShutOut) {
  int Sampler = GetParam();
  EXPECT_EQ(maskForProgram(bits({Sampler, SIGINT}), Sampler), bits({SIGINT}));
}

INSTANTIATE_TEST_SUITE_P(Samplers, SignalMask, testing::Values(SIGTRAP, SIGPROF));

} // namespace
