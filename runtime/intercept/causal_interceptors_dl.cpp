//===- causal_interceptors_dl.cpp - Code that is unloaded -----------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In mode=cpu, what stacks have seen of a library is written while it is there. dlopen()
// goes by who calls it, so it is not wrapped; nothing needs it to be.
//
//===----------------------------------------------------------------------===//
#include "cpu/causal_cpu_run.h"
#include "intercept/causal_interceptors.h"

using namespace __causal;

#ifndef CAUSAL_STATIC
CAUSAL_INTERPOSER(int, dlclose, (void *Library), (Library)) {
  beforeUnloading();
  int Result = real_dlclose(Library);
  afterUnloading();
  return Result;
}
#endif
