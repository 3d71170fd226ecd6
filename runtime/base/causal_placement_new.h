//===- causal_placement_new.h - Placement new -------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime is built without the C++ library's headers, its unit tests with them.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_PLACEMENT_NEW_H
#define CAUSAL_PLACEMENT_NEW_H

#if __has_include(<new>)
#include <new>
#else
#include "sanitizer_common/sanitizer_placement_new.h"
#endif

#endif // CAUSAL_PLACEMENT_NEW_H
