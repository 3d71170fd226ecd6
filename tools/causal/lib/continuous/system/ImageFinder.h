//===- ImageFinder.h - From a mapping to an address in its file -*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel knows offsets in files, the database virtual addresses: the headers of the file
// say which is which. They are read once, and only believed if the file still has the
// build-id that the kernel saw.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_IMAGEFINDER_H
#define CAUSAL_CONTINUOUS_IMAGEFINDER_H

#include "lib/continuous/system/ProcessMaps.h"

#include <optional>
#include <vector>

namespace causal::continuous {

struct ImagePlace {
  std::string BuildId, Path;
  uint64_t Address;
};

class ImageFinder {
public:
  /// Nothing: it is no file.
  std::optional<ImagePlace> find(const Mapping &M, uint64_t PC);
  /// An address in the kernel.
  ImagePlace findKernel(uint64_t PC);

private:
  struct Segment {
    uint64_t Offset, Size, Address;
  };
  struct File {
    std::string BuildId;
    std::vector<Segment> Segments; ///< Empty: the file could not be read.
  };
  const File &fileOf(const std::string &Path, const std::string &BuildId);

  std::map<std::pair<std::string, std::string>, File> Files;
  std::optional<ImagePlace> Kernel; ///< Its Address is where the kernel begins.
};

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_IMAGEFINDER_H
