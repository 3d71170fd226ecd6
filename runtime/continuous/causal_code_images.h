//===- causal_code_images.h - Which image a sample lies in ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All code that the loader has loaded, instrumented or not. An image gets its place in the
// segment with the first sample in it: nothing is done when one is loaded. With glibc before
// 2.35, and in static programs, only those are known that were there at the start.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CODE_IMAGES_H
#define CAUSAL_CODE_IMAGES_H

#include "continuous/causal_segment.h"

namespace __causal {

/// Of S nothing is known from here on but what the loader says. Init only, and in the child
/// of fork.
void beginCodeImages(segment::Segment &S);

enum class ImageSearch : uint8_t { Found, Unmapped, NoRoom };

/// Where PC lies: the image's place in the table of S, and the address in its ELF file.
/// Sample handler; never waits.
ImageSearch findCodeImage(segment::Segment &S, uintptr_t PC, unsigned &Image, uint64_t &Address);

} // namespace __causal

#endif // CAUSAL_CODE_IMAGES_H
