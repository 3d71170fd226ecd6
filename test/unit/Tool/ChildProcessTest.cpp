//===- ChildProcessTest.cpp -----------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChildProcess.h"

#include <gtest/gtest.h>

#include <sys/wait.h>

using namespace causal;

namespace {

constexpr double Minute = 60e9; // ns

TEST(ChildProcess, EndsWithItsStatus) {
  SignalGuard Signals;
  auto Child = ChildProcess::start({"sh", "-c", "exit 3"}, {}, Signals);
  ASSERT_TRUE(bool(Child));
  std::optional<int> Status;
  while (!Status)
    Status = Child->wait(Minute);
  EXPECT_EQ(*Status, 3);
  EXPECT_FALSE(Signals.interrupted());
}

// ^C reaches the program and the tool at once; the tool may be busy by then and
// finds that the program has ended. That is no failure of the program.
TEST(ChildProcess, HearsTheSignalThatEndedTheProgramWhileTheToolWasBusy) {
  signal(SIGINT, SIG_DFL); // Ignored where a shell put us into the background.
  SignalGuard Signals;
  auto Child = ChildProcess::start({"sh", "-c", "kill -INT $PPID; kill -INT $$"}, {}, Signals);
  ASSERT_TRUE(bool(Child));
  siginfo_t Info;
  ASSERT_EQ(waitid(P_ALL, 0, &Info, WEXITED | WNOWAIT), 0);
  std::optional<int> Status = Child->wait(0);
  ASSERT_TRUE(Status);
  EXPECT_EQ(*Status, 128 + SIGINT);
  EXPECT_TRUE(Signals.interrupted());
  EXPECT_EQ(Signals.signal(), SIGINT);
}

// Else nothing would be left of the child to wait for.
TEST(ChildProcess, EndsWhereItsEndWasToBeIgnored) {
  signal(SIGCHLD, SIG_IGN);
  {
    SignalGuard Signals;
    auto Child = ChildProcess::start({"sh", "-c", "exit 3"}, {}, Signals);
    ASSERT_TRUE(bool(Child));
    std::optional<int> Status = Child->wait(Minute);
    ASSERT_TRUE(Status);
    EXPECT_EQ(*Status, 3);
  }
  EXPECT_EQ(signal(SIGCHLD, SIG_DFL), SIG_IGN);
}

// As under nohup.
TEST(ChildProcess, WhatIsIgnoredInterruptsNothing) {
  signal(SIGHUP, SIG_IGN);
  SignalGuard Signals;
  auto Child = ChildProcess::start({"sh", "-c", "kill -HUP $PPID; exit 3"}, {}, Signals);
  ASSERT_TRUE(bool(Child));
  std::optional<int> Status;
  while (!Status)
    Status = Child->wait(Minute);
  signal(SIGHUP, SIG_DFL);
  EXPECT_EQ(*Status, 3);
  EXPECT_FALSE(Signals.interrupted());
}

} // namespace
