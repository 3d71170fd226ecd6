//===- causal_glob.cpp - Which source files are in scope ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_glob.h. The matcher is the usual one with a single point to go
// back to: the last '*' swallows one character more. An earlier '*' never has
// to be tried again, since the later one takes whatever it could have left.
//
//===----------------------------------------------------------------------===//
#include "base/causal_glob.h"

#include "base/causal_text.h"

namespace __causal {
namespace {

/// A piece of a string that needs no terminator.
struct Piece {
  const char *Begin, *End;
};

/// Matches C against the set that begins after '[' at P. Moves P behind its
/// ']'. Returns -1 if there is none.
int matchSet(const char *&P, const char *End, char C) {
  const char *Q = P;
  bool Negated = Q != End && (*Q == '!' || *Q == '^');
  Q += Negated;
  bool Found = false;
  for (const char *First = Q; Q != End; ++Q) {
    if (*Q == ']' && Q != First) {
      P = Q + 1;
      return Found != Negated;
    }
    unsigned char Low = static_cast<unsigned char>(*Q), High = Low;
    if (End - Q > 2 && Q[1] == '-' && Q[2] != ']') {
      High = static_cast<unsigned char>(Q[2]);
      Q += 2;
    }
    unsigned char U = static_cast<unsigned char>(C);
    Found |= Low <= U && U <= High;
  }
  return -1;
}

/// Matches one character against the pattern at P, which is not '*'.
bool matchOne(const char *&P, const char *End, char C) {
  char Wanted = *P++;
  if (Wanted == '?')
    return true;
  if (Wanted == '[') {
    int Result = matchSet(P, End, C);
    if (Result >= 0)
      return Result;
  } else if (Wanted == '\\' && P != End) {
    Wanted = *P++;
  }
  return C == Wanted;
}

bool match(Piece Pattern, Piece Text) {
  const char *P = Pattern.Begin, *T = Text.Begin;
  const char *AfterStar = nullptr, *Swallowed = nullptr;
  for (;;) {
    if (P != Pattern.End && *P == '*') {
      AfterStar = ++P;
      Swallowed = T;
    } else if (T == Text.End && P == Pattern.End) {
      return true;
    } else if (T != Text.End && P != Pattern.End && matchOne(P, Pattern.End, *T)) {
      ++T;
    } else if (AfterStar && Swallowed != Text.End) {
      P = AfterStar;
      T = ++Swallowed;
    } else {
      return false;
    }
  }
}

Piece whole(const char *Text) { return {Text, Text + textLength(Text)}; }

/// True if Pattern matches Text, or, if it ends with '/', a directory of Text.
bool matchFileOrDirectory(Piece Pattern, Piece Text) {
  if (Pattern.End[-1] != '/')
    return match(Pattern, Text);
  --Pattern.End;
  for (const char *Slash = Text.Begin; Slash != Text.End; ++Slash)
    if (*Slash == '/' && match(Pattern, {Text.Begin, Slash}))
      return true;
  return false;
}

bool matchPath(Piece Pattern, Piece Path) {
  if (matchFileOrDirectory(Pattern, Path))
    return true;
  if (*Pattern.Begin == '/' || *Pattern.Begin == '*')
    return false;
  for (const char *P = Path.Begin; P != Path.End; ++P)
    if (*P == '/' && matchFileOrDirectory(Pattern, {P + 1, Path.End}))
      return true;
  return false;
}

bool startsWith(const char *Text, const char *Prefix) {
  while (*Prefix && *Text == *Prefix)
    ++Text, ++Prefix;
  return !*Prefix;
}

/// True if Suffix is the end of Path, from the beginning of a name on.
bool endsWithName(Piece Path, Piece Suffix) {
  if (Suffix.Begin == Suffix.End || Path.End - Path.Begin < Suffix.End - Suffix.Begin)
    return false;
  const char *From = Path.End - (Suffix.End - Suffix.Begin);
  for (const char *P = From, *S = Suffix.Begin; S != Suffix.End; ++P, ++S)
    if (*P != *S)
      return false;
  return From == Path.Begin || *From == '/' || From[-1] == '/';
}

/// The headers whose macros and inline functions run in the program's own
/// files.
bool isProfilerHeader(const char *Path) {
  return endsWithName(whole(Path), whole("causal/causal.h")) ||
         endsWithName(whole(Path), whole("coz.h"));
}

} // namespace

bool globMatch(const char *Pattern, const char *Text) { return match(whole(Pattern), whole(Text)); }

bool globListMatch(const char *List, const char *Path) {
  auto IsBlank = [](char C) { return C == ' ' || C == '\t'; };
  while (*List) {
    Piece Item = {List, List};
    while (*Item.End && *Item.End != ',' && *Item.End != ';')
      ++Item.End;
    List = Item.End + (*Item.End != '\0');
    while (Item.Begin != Item.End && IsBlank(*Item.Begin))
      ++Item.Begin;
    while (Item.Begin != Item.End && IsBlank(Item.End[-1]))
      --Item.End;
    if (Item.Begin != Item.End && matchPath(Item, whole(Path)))
      return true;
  }
  return false;
}

bool isSystemPath(const char *Path) {
  if (startsWith(Path, "/usr/"))
    return !startsWith(Path, "/usr/src/") && !startsWith(Path, "/usr/local/src/");
  // The compilers' own headers are found relative to the compiler, which may be
  // installed anywhere.
  return startsWith(Path, "/lib/") || startsWith(Path, "/lib64/") ||
         startsWith(Path, "/build/glibc-") || globMatch("*/lib*/clang/*/include/*", Path) ||
         globMatch("*/lib*/gcc/*/include/*", Path) || globMatch("*/include/c++/*", Path) ||
         isProfilerHeader(Path);
}

bool isInScope(const char *Path, const char *Scope, const char *Exclude) {
  if (!*Path || isProfilerHeader(Path) || globListMatch(Exclude, Path))
    return false;
  return *Scope ? globListMatch(Scope, Path) : !isSystemPath(Path);
}

bool isBuildCheck(const char *Path) {
  return globListMatch("conftest,CMakeFiles/CMakeTmp/,CMakeFiles/CMakeScratch/,meson-private/",
                       Path);
}

bool sourceLineMatch(const char *Spec, const char *Path, uint32_t Line) {
  Piece File = whole(Spec);
  uint64_t Number = 0, Unit = 1;
  while (File.End != File.Begin && File.End[-1] >= '0' && File.End[-1] <= '9' &&
         Unit <= 1000000000) {
    Number += static_cast<uint64_t>(*--File.End - '0') * Unit;
    Unit *= 10;
  }
  if (File.End == File.Begin || *--File.End != ':' || Unit == 1)
    return false;
  return Number == Line && endsWithName(whole(Path), File);
}

bool functionMatch(const char *Spec, const char *Path, const char *Function) {
  Piece File = whole(Spec), Name = whole(Function);
  while (File.End != File.Begin && Name.End != Name.Begin && File.End[-1] == Name.End[-1])
    --File.End, --Name.End;
  if (Name.End != Name.Begin || File.End == File.Begin || *--File.End != ':' || !*Function)
    return false;
  return File.End != File.Begin && endsWithName(whole(Path), File);
}

/// How many characters the name at P, in Text, has if it is one of an operator with angle
/// brackets; else 0.
static size_t operatorLength(const char *Text, const char *P) {
  constexpr size_t Keyword = sizeof("operator") - 1;
  auto IsLetter = [](char C) {
    return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || (C >= '0' && C <= '9') || C == '_';
  };
  if ((P != Text && IsLetter(P[-1])) || !startsWith(P, "operator"))
    return 0;
  static const char *const Symbols[] = {"<=>", "<<=", ">>=", "->*", "<<", ">>",
                                        "<=",  ">=",  "->",  "<",   ">"};
  for (const char *Symbol : Symbols)
    if (startsWith(P + Keyword, Symbol)) {
      Piece Operator = whole(Symbol);
      return Keyword + static_cast<size_t>(Operator.End - Operator.Begin);
    }
  return 0;
}

bool withoutTemplateArguments(const char *Function, char *Text, size_t Size) {
  size_t Length = 0, Depth = 0;
  bool Any = false;
  for (const char *P = Function; *P;) {
    size_t Operator = operatorLength(Function, P), Step = Operator ? Operator : 1;
    Depth += !Operator && *P == '<';
    Any |= Depth != 0;
    if (!Depth) {
      if (Length + Step >= Size)
        return false;
      for (size_t I = 0; I < Step; ++I)
        Text[Length++] = P[I];
    }
    Depth -= !Operator && *P == '>' && Depth;
    P += Step;
  }
  Text[Length] = '\0';
  return Any && !Depth;
}

} // namespace __causal
