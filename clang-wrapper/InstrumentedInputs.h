//===- InstrumentedInputs.h - Does a link need the runtime? -----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Build tools hand on only the flags that they know (libtool drops ours when it links a library),
// or are given ours for the compiler alone. What was built with -fcausal-profile tells: its
// objects refer to the runtime. Called where a link has no flag of ours.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_WRAPPER_INSTRUMENTEDINPUTS_H
#define CAUSAL_WRAPPER_INSTRUMENTEDINPUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>

namespace causal {

/// Whether one of \p Files (objects, bitcode, archives or shared objects) was built with
/// -fcausal-profile. Those that cannot be read were not.
bool anyInstrumented(llvm::ArrayRef<std::string> Files, llvm::vfs::FileSystem &FS);

} // namespace causal

#endif // CAUSAL_WRAPPER_INSTRUMENTEDINPUTS_H
