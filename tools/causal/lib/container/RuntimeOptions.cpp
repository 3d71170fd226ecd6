//===- RuntimeOptions.cpp -------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/RuntimeOptions.h"
#include "base/causal_flags.h"

namespace causal {

RuntimeOptions readOptions(const std::string &Text) {
  RuntimeOptions Options;
  __causal::Flags Flags;
  parseFlags(Flags, Text.c_str(),
             {[](void *To, const char *Line) {
                static_cast<std::vector<std::string> *>(To)->push_back(Line);
              },
              &Options.Complaints});
  Options.FixedLine = Flags.fixed_line;
  return Options;
}

} // namespace causal
