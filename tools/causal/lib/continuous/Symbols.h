//===- Symbols.h - Which function and line an address is --------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the image's file, if that still has the build-id that was sampled: functions from its
// symbols, lines from the table that -fcausal-profile adds, or from debug information. What
// cannot be told is named after the image.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CONTINUOUS_SYMBOLS_H
#define CAUSAL_CONTINUOUS_SYMBOLS_H

#include "lib/continuous/ImageFile.h"

#include <memory>

namespace causal::continuous {

/// Where an address lies. A function that was inlined is not named: its caller is.
struct CodePlace {
  std::string Function; ///< As it is declared; never empty.
  std::string File;     ///< Of the innermost line; empty: not known.
  unsigned Line = 0;
};

/// The names of one image.
class ImageSymbols {
public:
  virtual ~ImageSymbols() = default;
  virtual CodePlace at(uint64_t Address) const = 0;
  /// Why there are no names; empty if there are some.
  virtual llvm::StringRef problem() const = 0;

  static std::unique_ptr<ImageSymbols> open(const std::string &Path, const std::string &BuildId);
};

/// Those of all images that are asked for.
class Symbols {
public:
  CodePlace at(const ImageSamples &Image, uint64_t Address);
  /// Why images have no names, by path.
  std::map<std::string, std::string> problems() const;

private:
  const ImageSymbols &of(const ImageSamples &Image);
  std::map<std::pair<std::string, std::string>, std::unique_ptr<ImageSymbols>> Opened;
};

} // namespace causal::continuous

#endif // CAUSAL_CONTINUOUS_SYMBOLS_H
