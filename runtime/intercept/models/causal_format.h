//===- causal_format.h - The arguments of printf and scanf ------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks a format as printf and scanf do, and tells which memory its arguments name. Positional
// arguments (%1$s) end the walk: what comes after them is not told.
//
// Pure: no libc but <stdarg.h>. Any context.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_FORMAT_H
#define CAUSAL_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

namespace __causal {

enum class FormatPiece { String, WideString, Count };

/// One conversion: what stands between '%' and its letter.
struct Conversion {
  bool StarWidth = false, StarPrecision = false, Suppressed = false, Positional = false;
  bool Allocates = false; ///< scanf's m.
  long Width = -1, Precision = -1;
  int Length = 0; ///< -2 hh, -1 h, 0, 1 l, 2 ll, 3 L, 4 j z t
  char Letter = 0;

  /// Reads it from behind the '%'; returns what follows.
  const char *parse(const char *P, bool Scans) {
    for (;; ++P) {
      if (*P == '*' && Scans)
        Suppressed = true;
      else if (*P != '-' && *P != '+' && *P != ' ' && *P != '#' && *P != '0' && *P != '\'')
        break;
    }
    P = number(P, Width, StarWidth);
    if (*P == '$') {
      Positional = true;
      return P;
    }
    if (*P == '.') {
      Precision = 0;
      P = number(P + 1, Precision, StarPrecision);
    }
    for (;; ++P) {
      if (*P == 'h')
        --Length;
      else if (*P == 'l' || *P == 'q')
        Length += *P == 'q' ? 2 : 1;
      else if (*P == 'L')
        Length = 3;
      else if (*P == 'j' || *P == 'z' || *P == 't')
        Length = 4;
      else if (*P == 'm' && Scans)
        Allocates = true;
      else
        break;
    }
    Letter = *P;
    return *P ? P + 1 : P;
  }

  /// Bytes of the integer that is meant.
  size_t integerSize() const {
    if (Length == -2)
      return 1;
    if (Length == -1)
      return 2;
    return Length ? 8 : 4;
  }

private:
  static const char *number(const char *P, long &Value, bool &Star) {
    if (*P == '*') {
      Star = true;
      return P + 1;
    }
    if (*P >= '0' && *P <= '9')
      for (Value = 0; *P >= '0' && *P <= '9'; ++P)
        Value = Value * 10 + (*P - '0');
    return P;
  }
};

/// Calls F(piece, memory, precision or -1) for each argument that is a pointer to memory.
template <class Function> void forEachPrinted(const char *Format, va_list Arguments, Function F) {
  for (const char *P = Format; *P;) {
    if (*P++ != '%')
      continue;
    if (*P == '%') {
      ++P;
      continue;
    }
    Conversion C;
    P = C.parse(P, /*Scans=*/false);
    if (C.Positional)
      return;
    if (C.StarWidth)
      va_arg(Arguments, int);
    if (C.StarPrecision)
      C.Precision = va_arg(Arguments, int);
    switch (C.Letter) {
    case 's':
    case 'S': {
      const void *S = va_arg(Arguments, const void *);
      if (S)
        F(C.Letter == 'S' || C.Length ? FormatPiece::WideString : FormatPiece::String, S,
          C.Precision);
      break;
    }
    case 'n':
      F(FormatPiece::Count, va_arg(Arguments, const void *), -1L);
      break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      if (C.Length == 3)
        va_arg(Arguments, long double);
      else
        va_arg(Arguments, double);
      break;
    case 'm': // errno's text.
      break;
    case 'p':
      va_arg(Arguments, void *);
      break;
    case 0:
      return;
    default:
      if (C.Length > 0)
        va_arg(Arguments, long long);
      else
        va_arg(Arguments, int);
    }
  }
}

/// Calls F(memory, size) for the first Count conversions that store. A size of 0: a string.
template <class Function>
void forEachScanned(const char *Format, va_list Arguments, int Count, Function F) {
  for (const char *P = Format; *P;) {
    if (*P++ != '%')
      continue;
    if (*P == '%') {
      ++P;
      continue;
    }
    Conversion C;
    P = C.parse(P, /*Scans=*/true);
    if (C.Positional || !C.Letter)
      return;
    if (C.Letter == '[') { // A set; a ']' that comes first is in it.
      P += *P == '^';
      P += *P == ']';
      while (*P && *P != ']')
        ++P;
      P += *P == ']';
    }
    if (C.Suppressed)
      continue;
    if (C.Letter != 'n' && Count-- <= 0)
      return;
    const void *Memory = va_arg(Arguments, const void *);
    switch (C.Letter) {
    case 's':
    case '[':
      if (C.Allocates)
        F(Memory, sizeof(void *));
      else
        F(Memory, size_t(0));
      break;
    case 'c':
      F(Memory, C.Width > 0 ? static_cast<size_t>(C.Width) : size_t(1));
      break;
    case 'a':
    case 'e':
    case 'f':
    case 'g':
      F(Memory, C.Length == 3 ? size_t(16) : C.Length == 1 ? size_t(8) : size_t(4));
      break;
    case 'p':
      F(Memory, sizeof(void *));
      break;
    default:
      F(Memory, C.integerSize());
    }
  }
}

} // namespace __causal

#endif // CAUSAL_FORMAT_H
