//===- causal_mode.cpp - Which mode a name means --------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_mode.h. Pure: the unit tests compile this file as it is.
//
//===----------------------------------------------------------------------===//
#include "mode/causal_mode.h"
#include "base/causal_text.h"

using namespace __causal;

const Mode *__causal::TheMode;

// How many letters are to be put in, left out or replaced (Levenshtein's distance).
static unsigned distance(const char *A, const char *B) {
  constexpr unsigned Most = 31;
  unsigned Row[Most + 1];
  unsigned Length = 0;
  while (B[Length] && Length < Most)
    ++Length;
  for (unsigned J = 0; J <= Length; ++J)
    Row[J] = J;
  for (unsigned I = 0; A[I] && I < Most; ++I) {
    unsigned Diagonal = Row[0];
    Row[0] = I + 1;
    for (unsigned J = 0; J < Length; ++J) {
      unsigned Replaced = Diagonal + (A[I] != B[J]);
      Diagonal = Row[J + 1];
      unsigned Least = Row[J] < Row[J + 1] ? Row[J] + 1 : Row[J + 1] + 1;
      Row[J + 1] = Replaced < Least ? Replaced : Least;
    }
  }
  return Row[Length];
}

const Mode *__causal::findMode(const char *Name, const Mode *const *All, const char **Nearest) {
  unsigned Least = ~0u;
  for (; *All; ++All) {
    if (textEquals(Name, (*All)->Name))
      return *All;
    if (unsigned D = distance(Name, (*All)->Name); D < Least) {
      Least = D;
      *Nearest = (*All)->Name;
    }
  }
  return nullptr;
}
