//===- CPUClockTest.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "base/causal_platform.h"
#include "thread/causal_cpu_clock.h"

#include "gtest/gtest.h"

#include <csignal>
#include <ctime>
#include <functional>
#include <thread>

using namespace __causal;

static uint64_t timeOf(clockid_t Clock) {
  timespec T;
  clock_gettime(Clock, &T);
  return uint64_t(T.tv_sec) * 1000000000 + uint64_t(T.tv_nsec);
}

static unsigned Asked;
static std::function<void()> Meanwhile;

uint64_t __causal::now() { return timeOf(CLOCK_MONOTONIC); }
uint64_t __causal::threadCPUTime() {
  ++Asked;
  uint64_t Told = timeOf(CLOCK_THREAD_CPUTIME_ID);
  if (Meanwhile)
    Meanwhile();
  return Told;
}

namespace {

class CPUClockTest : public testing::Test {
protected:
  void SetUp() override {
    Clock.restart();
    // Anything may take the core away between the two; not every time.
    for (int Tries = 0; Tries < 1000 && !CPUClock::keepsCore(); ++Tries)
      Clock.at(now());
    if (!CPUClock::keepsCore())
      GTEST_SKIP() << "no restartable sequences, or a kernel that looks at them too seldom";
    Asked = 0;
  }
  void TearDown() override { Meanwhile = nullptr; }

  CPUClock Clock;
};

TEST_F(CPUClockTest, GoesOnAsTheWallClockDoesWithoutAskingTheKernel) {
  for (int Tries = 0; Tries < 1000; ++Tries) {
    Clock.at(now());
    Asked = 0;
    uint64_t Now = now(), First = Clock.at(Now), Second = Clock.at(Now + 700);
    if (!CPUClock::keepsCore())
      continue;
    EXPECT_EQ(Second - First, 700u);
    EXPECT_EQ(Asked, 0u);
    return;
  }
  FAIL() << "the core is taken away all the time";
}

TEST_F(CPUClockTest, StartsFromWhatTheKernelSays) {
  uint64_t Before = timeOf(CLOCK_THREAD_CPUTIME_ID);
  Clock.restart();
  EXPECT_FALSE(CPUClock::keepsCore());
  uint64_t Told = Clock.at(now());
  EXPECT_EQ(Asked, 1u);
  EXPECT_GE(Told, Before);
  EXPECT_LE(Told, timeOf(CLOCK_THREAD_CPUTIME_ID));
}

TEST_F(CPUClockTest, ASleepIsNoCPUTime) {
  constexpr uint64_t Slept = 30000000;
  uint64_t Before = Clock.at(now());
  timespec T = {0, Slept};
  nanosleep(&T, nullptr);
  EXPECT_FALSE(CPUClock::keepsCore());
  EXPECT_LT(Clock.at(now()) - Before, Slept);
}

TEST_F(CPUClockTest, ASignalMakesItAsk) {
  std::signal(SIGUSR1, [](int) {});
  Clock.at(now());
  std::raise(SIGUSR1);
  EXPECT_FALSE(CPUClock::keepsCore());
}

TEST_F(CPUClockTest, AHandlerThatAsksInBetweenIsNotContradicted) {
  static CPUClock *Asks;
  Asks = &Clock;
  std::signal(SIGUSR1, [](int) { Asks->at(now()); });
  Clock.restart();
  Meanwhile = [] {
    Meanwhile = nullptr;
    uint64_t Begin = timeOf(CLOCK_THREAD_CPUTIME_ID);
    while (timeOf(CLOCK_THREAD_CPUTIME_ID) - Begin < 5000000) {
    }
    std::raise(SIGUSR1);
  };
  Clock.at(now());
  EXPECT_EQ(Asked, 2u);
  uint64_t Least = timeOf(CLOCK_THREAD_CPUTIME_ID);
  EXPECT_GE(Clock.at(now()), Least);
}

TEST_F(CPUClockTest, ThreadsHaveTheirOwn) {
  // The second one most likely gets the stack of the first, with what that left there.
  for (int I = 0; I < 2; ++I)
    std::thread([&] {
      Clock.restart();
      EXPECT_FALSE(CPUClock::keepsCore());
      uint64_t Told = Clock.at(now());
      EXPECT_LE(Told, timeOf(CLOCK_THREAD_CPUTIME_ID));
      Clock.at(now());
    }).join();
}

} // namespace
