//===- causal_image_list.h - Which files the code is of ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All images that were ever loaded, instrumented or not, and where they lay: so that a
// record can say image and offset of an address that belonged to one. An image that is
// loaded again gets its entry back.
//
// Context: whoever writes records, one thread at a time, sample handler included unless
// said otherwise. Nothing allocates or blocks.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_IMAGE_LIST_H
#define CAUSAL_IMAGE_LIST_H

#include "base/causal_build_id.h"

#include <stdint.h>

namespace __causal {

struct LoadedImage {
  uintptr_t Low, High;
  uintptr_t Bias; ///< An address in its file is so much less.
  const char *Path;
  BuildIdText BuildId;
  bool Present; ///< Is loaded, as far as is known.
  bool Written; ///< For whoever writes records.
};

/// The image that PC was in, and is in if it is known; asks the loader, without a lock, for
/// one that is not. Null: none is known, as of code that is made at run time.
LoadedImage *imageAt(uintptr_t PC);
/// Its number, from 1 on.
uint32_t imageNumber(const LoadedImage &I);

/// Asks the loader for all images. Forget is told of [Low, High) of each that is gone. Not for
/// handlers: takes the loader's lock.
void refreshImageList(void (*Forget)(uintptr_t Low, uintptr_t High));

/// In the child of fork all are to be written again.
void restartImageList();

/// Finds glibc's lock-free object lookup, and lists what is loaded. Init only.
void initImageList();

/// Whether PC is in the runtime's own code. Any context.
bool isRuntimeCode(uintptr_t PC);

} // namespace __causal

#endif // CAUSAL_IMAGE_LIST_H
