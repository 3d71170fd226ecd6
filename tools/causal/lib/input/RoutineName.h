//===- RoutineName.h - A routine's name without its signature ---*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_ROUTINENAME_H
#define CAUSAL_INPUT_ROUTINENAME_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace causal {

/// "ns::Type::f" of "int ns::Type<int>::f<long>(char) const": without what it returns, takes
/// and is instantiated with.
std::string shortRoutineName(llvm::StringRef Declared);

} // namespace causal

#endif // CAUSAL_INPUT_ROUTINENAME_H
