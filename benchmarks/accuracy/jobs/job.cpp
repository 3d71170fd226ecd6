//===- job.cpp - A program that does one job and ends ---------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads, works in two unlike threads, and writes: half a second without a progress point.
//
//===----------------------------------------------------------------------===//
#include "../programs/Region.h"

#include <thread>

int main(int Argc, char **Argv) {
  accuracy::start(Argc, Argv);
  long Read = accuracy::region("read", 60000);
  long Left = accuracy::region("left", 90000);
  long Right = accuracy::region("right", 60000);
  long Write = accuracy::region("write", 80000);
  WORK(Read); // REGION read
  for (int Part = 0; Part < 4; ++Part) {
    std::thread Other([=] {
      WORK(Right); // REGION right
    });
    WORK(Left); // REGION left
    Other.join();
  }
  WORK(Write); // REGION write
}
