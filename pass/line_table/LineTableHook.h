//===- LineTableHook.h - Puts the line table into code generation -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM lets a pass plugin add passes to the optimiser but nothing to the code
// generator. So the constructor of the target's assembly printer is replaced by
// one that adds our recorder to each printer. This lasts as long as the
// process.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_LINETABLEHOOK_H
#define CAUSAL_LINETABLEHOOK_H

namespace causal {

/// Installs the hook, if the host has the x86-64 target and it is not there
/// yet. Any thread. It must come before the host creates a printer, and so runs
/// when the plugin is loaded: clang and lld load plugins before they set up
/// code generation.
void installLineTableHook();

} // namespace causal

#endif // CAUSAL_LINETABLEHOOK_H
