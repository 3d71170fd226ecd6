//===- causal_images.h - The line tables of the loaded images ---*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which line tables are loaded, by address. Registration is what an image's
// constructor asks for (pass/ModuleSetup) and costs the same for every size of
// image; nothing of the table is read before the first sample.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_IMAGES_H
#define CAUSAL_IMAGES_H

#include "causal/LineMapFormat.h"

namespace __causal {

namespace linemap = ::causal::linemap;

/// Begin is the key; a second registration of it does nothing. Of one that may be unloaded,
/// since it does not stay, the whole table is read. Not for handlers.
void registerImage(const linemap::FunctionRecord *Begin, const linemap::FunctionRecord *End,
                   bool StaysLoaded = true);
void unregisterImage(const linemap::FunctionRecord *Begin);

/// For fork: nobody changes the table meanwhile.
void lockImages();
void unlockImages();

/// The inline frames at PC, innermost first, or 0 when no line table covers it.
/// Any context.
unsigned lookupFrames(uintptr_t PC, linemap::Frame *Out, unsigned Max);

/// Grows with every registration: cached lookups of another generation are void.
uint64_t imageGeneration();

/// Images registered now.
unsigned imageCount();

} // namespace __causal

#endif // CAUSAL_IMAGES_H
