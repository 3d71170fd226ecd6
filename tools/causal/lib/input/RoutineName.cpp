//===- RoutineName.cpp ----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/input/RoutineName.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace causal {

std::string shortRoutineName(StringRef Declared) {
  constexpr StringLiteral Anonymous = "(anonymous namespace)", Operator = "operator";
  std::string Name;
  unsigned Depth = 0; // Of angle brackets.
  for (size_t I = 0; I < Declared.size(); ++I) {
    StringRef Rest = Declared.substr(I);
    if (Rest.starts_with(Anonymous)) {
      if (!Depth)
        Name += "(anonymous)";
      I += Anonymous.size() - 1;
      continue;
    }
    bool Begins = Name.empty() || Name.back() == ':' || Name.back() == ' ';
    if (!Depth && Begins && Rest.starts_with(Operator) &&
        (Rest.size() == Operator.size() ||
         !(isAlnum(Rest[Operator.size()]) || Rest[Operator.size()] == '_'))) {
      // Its sign may have brackets. A conversion ("operator bool") ends as all others do.
      size_t End = I + Operator.size();
      if (Declared.substr(End).starts_with("()"))
        End += 2;
      while (End < Declared.size() && StringRef("<>=!+-*/%^&|~[],").contains(Declared[End]))
        ++End;
      // What it returns stands before it, up to the last blank.
      if (size_t Blank = Name.rfind(' '); Blank != std::string::npos)
        Name.erase(0, Blank + 1);
      Name += Declared.slice(I, End).str();
      StringRef Type = Declared.substr(End).take_until([](char C) { return C == '(' || C == '<'; });
      return StringRef(Name + Type.str()).rtrim().str();
    }
    char C = Declared[I];
    if (C == '<') {
      ++Depth;
    } else if (C == '>' && Depth) {
      --Depth;
    } else if (!Depth && C == '(' && !Name.empty()) {
      break;
    } else if (!Depth) {
      Name += C;
    }
  }
  if (size_t Blank = StringRef(Name).rtrim().rfind(' '); Blank != StringRef::npos)
    Name.erase(0, Blank + 1);
  return Name.empty() ? Declared.str() : Name;
}

} // namespace causal
