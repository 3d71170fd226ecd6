//===- ModeTest.cpp - Names of modes, and what a slot keeps ---------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "causal/causal_thread_part.h"
#include "mode/causal_mode.h"

#include <gtest/gtest.h>

using namespace __causal;

namespace {

constexpr Mode named(const char *Name) {
  Mode M = {};
  M.Name = Name;
  return M;
}
const Mode Causal = named("causal"), Cpu = named("cpu"), Continuous = named("continuous");
const Mode *const All[] = {&Causal, &Cpu, &Continuous, nullptr};

TEST(Mode, IsFoundByItsName) {
  const char *Nearest = nullptr;
  EXPECT_EQ(findMode("cpu", All, &Nearest), &Cpu);
  EXPECT_EQ(findMode("continuous", All, &Nearest), &Continuous);
}

TEST(Mode, UnknownNamesGetTheNearest) {
  auto NearestTo = [](const char *Name) {
    const char *Nearest = nullptr;
    EXPECT_EQ(findMode(Name, All, &Nearest), nullptr);
    return Nearest;
  };
  EXPECT_STREQ(NearestTo("cuasal"), "causal");
  EXPECT_STREQ(NearestTo("CPU"), "cpu");
  EXPECT_STREQ(NearestTo("continous"), "continuous");
  EXPECT_STREQ(NearestTo(""), "cpu");
  EXPECT_STREQ(NearestTo("a very long name of a mode that there never was"), "continuous");
}

// A thread in a reused slot once inherited what its predecessor did in system calls.
TEST(CausalPart, IsMadeAnewInAReusedSlot) {
  CausalThread T = {};
  T.Delay.InKernel.sampled(20000000);
  T.Delay.InKernel.took(20000000);
  ASSERT_TRUE(T.Delay.InKernel.isMostOfIt());
  T.Spinning = T.Blocked = T.Joining = 1;
  T.HeldBack = T.SpunInRuntime = T.LastLook = 7;
  T.Delay.Own = T.Delay.LockedAt = 9;
  T.Held.took(0x10, 1);
  T.Paused = 5;
  {
    Accrual::Writing W(T.Delay.Accruing);
  }
  uint32_t Version = T.Delay.Accruing.version();
  ASSERT_NE(Version, 0u);

  constructPart(T);

  EXPECT_FALSE(T.Delay.InKernel.isMostOfIt());
  EXPECT_EQ(T.Spinning + T.Blocked + T.Joining, 0);
  EXPECT_EQ(T.HeldBack + T.SpunInRuntime + T.LastLook, 0u);
  EXPECT_EQ(T.Delay.Own + T.Delay.LockedAt, 0u);
  EXPECT_EQ(T.Held.innermost(), 0u);
  EXPECT_EQ(T.Paused, 5u) << "counters outlive the slot's threads";
  EXPECT_EQ(T.Delay.Accruing.version(), Version) << "who reads the old books must notice";
}

} // namespace
