//===- ProgressLine.cpp ---------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgressLine.h"
#include "Terminal.h"
#include "lib/container/SourceText.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>

#include <unistd.h>

using namespace llvm;

namespace causal {

std::string formatProgress(double Done, StringRef Text, size_t Width) {
  constexpr size_t Bar = 20;
  // A NaN is nothing done.
  auto Full = size_t(Done > 0 ? std::floor(std::min(Done, 1.0) * Bar) : 0);
  std::string Line = "[" + std::string(Full, '#') + std::string(Bar - Full, '.') + "] ";
  size_t Room = Width > Line.size() + 8 ? Width - Line.size() - 1 : 8;
  return Line + shortenCode(Text, Room);
}

ProgressLine::ProgressLine() : Width(terminalWidth(STDERR_FILENO)) {}

void ProgressLine::show(double Done, StringRef Text) {
  if (!visible())
    return;
  errs() << '\r' << formatProgress(Done, Text, Width) << "\x1b[K";
  Drawn = true;
}

void ProgressLine::clear() {
  if (Drawn)
    errs() << "\r\x1b[K";
  Drawn = false;
}

} // namespace causal
