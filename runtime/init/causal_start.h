//===- causal_start.h - Options and messages --------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How every runtime begins: CAUSAL_OPTIONS is read, help=1 answered, and messages go where
// log_path= says.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_START_H
#define CAUSAL_START_H

namespace __causal {

/// Init only.
void readOptions(char **Environment);

/// The parent's events and profile: nothing is done to them but to let them go. In the child
/// of fork.
void closeInheritedDescriptors();

} // namespace __causal

#endif // CAUSAL_START_H
