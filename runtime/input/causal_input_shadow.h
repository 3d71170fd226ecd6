//===- causal_input_shadow.h - Reserving windows ----------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows (causal_input_cells.h) are address space that costs nothing until it is touched.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_SHADOW_H
#define CAUSAL_INPUT_SHADOW_H

#include "input/causal_input_cells.h"

namespace __causal {

/// Whether the process has its memory where windows leave room; if not, says so with the
/// remedy. Init only.
bool checkAddressSpace();

/// Reserves a window, or says why that cannot be and returns false. Not for handlers.
bool mapWindow(unsigned Window);
/// Gives back what was touched of a window; it is all zeroes again. Any thread.
void emptyWindow(unsigned Window);

/// Calls Function(Context, Begin, End) for each run of touched bytes of the window. Any
/// thread; what others touch meanwhile may be missed.
void forEachTouched(unsigned Window, void (*Function)(void *Context, uint64_t Begin, uint64_t End),
                    void *Context);

} // namespace __causal

#endif // CAUSAL_INPUT_SHADOW_H
