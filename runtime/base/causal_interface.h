//===- causal_interface.h - What the runtime shows to programs --*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mark of an entry point (RuntimeABI.def). All other symbols are made local.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INTERFACE_H
#define CAUSAL_INTERFACE_H

#define CAUSAL_INTERFACE extern "C" __attribute__((visibility("default")))

#endif // CAUSAL_INTERFACE_H
