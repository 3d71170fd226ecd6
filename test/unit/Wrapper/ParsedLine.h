//===- ParsedLine.h - Command lines for the wrapper's tests -----*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Turns "-c a.c" into what the functions under test take.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEST_PARSEDLINE_H
#define CAUSAL_TEST_PARSEDLINE_H

#include "Action.h"
#include "CommandLine.h"
#include "clang/Driver/Options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"
#include <string>
#include <vector>

namespace causal {

inline std::vector<std::string> splitWords(llvm::StringRef Line) {
  llvm::BumpPtrAllocator Storage;
  llvm::StringSaver Saver(Storage);
  llvm::SmallVector<const char *> Words;
  llvm::cl::TokenizeGNUCommandLine(Line, Saver, Words);
  return {Words.begin(), Words.end()};
}

inline std::vector<const char *> pointers(const std::vector<std::string> &Words) {
  std::vector<const char *> Pointers;
  for (const std::string &Word : Words)
    Pointers.push_back(Word.c_str());
  return Pointers;
}

inline llvm::Expected<Action> classifyLine(llvm::StringRef Line,
                                           llvm::StringRef Program = "clang") {
  std::vector<std::string> Words = splitWords(Line);
  std::vector<const char *> Argv = pointers(Words);
  unsigned MissingIndex, MissingCount;
  llvm::opt::InputArgList Args = clang::driver::getDriverOptTable().ParseArgs(
      Argv, MissingIndex, MissingCount, llvm::opt::Visibility(clang::driver::options::ClangOption));
  return classify(Args, Program);
}

} // namespace causal

#endif // CAUSAL_TEST_PARSEDLINE_H
