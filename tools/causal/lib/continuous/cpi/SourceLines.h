//===- SourceLines.h - The source line of an address ------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_CPI_SOURCELINES_H
#define CAUSAL_CPI_SOURCELINES_H

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace causal::cpi {

struct CodeLine {
  std::string File;
  unsigned Line = 0; ///< 0: not known.
};

/// From the program's debug information.
class SourceLines {
public:
  explicit SourceLines(llvm::StringRef Program);
  ~SourceLines();
  CodeLine at(uint64_t Address) const;

private:
  struct Reader;
  std::unique_ptr<Reader> R;
};

} // namespace causal::cpi

#endif // CAUSAL_CPI_SOURCELINES_H
