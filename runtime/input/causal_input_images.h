//===- causal_input_images.h - Libraries that are not seen ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a library writes that is not instrumented counts as no write: the profile names those
// that are loaded when the program ends.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_INPUT_IMAGES_H
#define CAUSAL_INPUT_IMAGES_H

#include "base/causal_text.h"

namespace __causal {

/// Adds the names of loaded images of which no routine is known, separated by blanks. The
/// program itself, the loader and libc, which has models, are left out. Exit only: takes the
/// loader's lock.
void putUninstrumented(TextBuffer &Out);

} // namespace __causal

#endif // CAUSAL_INPUT_IMAGES_H
