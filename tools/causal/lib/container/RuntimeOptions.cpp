//===- RuntimeOptions.cpp -------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/RuntimeOptions.h"
#include "base/causal_flags.h"

#include "llvm/ADT/StringExtras.h"

namespace causal {

RuntimeOptions readOptions(const std::string &Text) {
  RuntimeOptions Options;
  __causal::Flags Flags;
  parseFlags(Flags, Text.c_str(),
             {[](void *To, const char *Line) {
                static_cast<std::vector<std::string> *>(To)->push_back(Line);
              },
              &Options.Complaints});
  Options.Mode = Flags.mode;
  Options.FixedLine = Flags.fixed_line;
  return Options;
}

std::vector<std::string> knownModes() {
  std::vector<std::string> Modes;
  auto Add = [&](llvm::StringRef Record, llvm::StringRef Field, llvm::StringRef Choices) {
    if (Record != "Run" || Field != "mode")
      return;
    for (llvm::StringRef Mode : llvm::split(Choices, '|'))
      Modes.push_back(Mode.str());
  };
#define CAUSAL_CHOICES(Record, Name, Choices) Add(#Record, #Name, Choices);
#include "causal/ProfileFormat.def"
  return Modes;
}

} // namespace causal
