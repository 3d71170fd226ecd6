//===- causal_target_spec.cpp - What fixed_line= names --------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_target_spec.h.
//
//===----------------------------------------------------------------------===//
#include "code/causal_target_spec.h"
#include "base/causal_glob.h"
#include "base/causal_text.h"

using namespace __causal;

// The ',' that ends the item at P, or the end of the text.
static const char *itemEnd(const char *P) {
  unsigned Depth = 0;
  for (; *P && (*P != ',' || Depth); ++P) {
    Depth += *P == '<' || *P == '(';
    Depth -= (*P == '>' || *P == ')') && Depth;
  }
  return P;
}

// The ':' between file and function, whose name may have colons of its own: the first that is
// not one of two.
static const char *findColon(const char *P, const char *End) {
  for (; P != End; ++P)
    if (*P == ':') {
      if (P + 1 == End || P[1] != ':')
        return P;
      ++P;
    }
  return nullptr;
}

// The line that the digits are, or 0.
static uint32_t toLine(const char *P, const char *End) {
  uint64_t Line = 0;
  for (; P != End && *P >= '0' && *P <= '9' && Line <= UINT32_MAX; ++P)
    Line = Line * 10 + static_cast<uint64_t>(*P - '0');
  return P == End && Line <= UINT32_MAX ? static_cast<uint32_t>(Line) : 0;
}

static bool isList(const char *Text, TargetKind Kind) {
  for (const char *P = Text;;) {
    const char *End = itemEnd(P), *Colon = findColon(P, End);
    if (!Colon || Colon == P || Colon + 1 == End ||
        (Kind != TargetKind::Function && !toLine(Colon + 1, End)))
      return false;
    if (!*End)
      return P != Text;
    P = End + 1;
  }
}

void TargetSpec::parse(const char *Text, TargetKind Targets) {
  size_t Length = textLength(Text);
  Kind = Targets;
  for (size_t I = 0; I <= Length; ++I)
    Items[I] = File[I] = Text[I];
  Count = Length != 0;
  if (!isList(Text, Kind))
    return;
  const char *Last = Text;
  for (const char *End = itemEnd(Text); *End; End = itemEnd(Last)) {
    Items[End - Text] = '\0';
    Last = End + 1;
    ++Count;
  }
  const char *Colon = findColon(Last, Text + Length);
  File[Colon - Text] = '\0';
  bool OfFunction = Kind == TargetKind::Function;
  Function = OfFunction ? &Items[Colon + 1 - Text] : "";
  Line = OfFunction ? 0 : toLine(Colon + 1, Text + Length);
}

bool TargetSpec::matches(const linemap::Frame &F) const {
  const char *Item = Items;
  for (unsigned I = 0; I != Count; ++I, Item += textLength(Item) + 1)
    if (sourceLineMatch(Item, F.File, F.Line) ||
        (Kind == TargetKind::Function && functionMatch(Item, F.File, F.Function)))
      return true;
  return false;
}
