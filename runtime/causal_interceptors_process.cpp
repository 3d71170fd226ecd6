//===- causal_interceptors_process.cpp - Ends of the process --------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// exit() ends the profile through atexit; these go past it.
//
//===----------------------------------------------------------------------===//
#include "causal_init.h"
#include "causal_interceptors.h"

using namespace __causal;

CAUSAL_INTERPOSER(void, _exit, (int Status), (Status)) {
  finishProfile();
  real__exit(Status);
  __builtin_unreachable();
}

CAUSAL_INTERPOSER(void, _Exit, (int Status), (Status)) {
  finishProfile();
  real__Exit(Status);
  __builtin_unreachable();
}

CAUSAL_INTERPOSER(void, quick_exit, (int Status), (Status)) {
  finishProfile();
  real_quick_exit(Status);
  __builtin_unreachable();
}
