//===- causal_input_entry.h - How entry points are declared -----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes of the functions in InputABI.def, and what the parts of the input runtime
// offer to its start.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_ENTRY_H
#define CAUSAL_INPUT_ENTRY_H

#define CAUSAL_INPUT_INTERFACE extern "C" __attribute__((visibility("default")))
/// Called where a check fails: the caller's general registers stay as they are.
#define CAUSAL_INPUT_SLOW CAUSAL_INPUT_INTERFACE __attribute__((preserve_most))

namespace __causal {

/// Looks at what the processor can do. Init only.
void initInputAccess();

} // namespace __causal

#endif // CAUSAL_INPUT_ENTRY_H
