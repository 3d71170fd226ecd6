//===- causal_json.cpp - A JSON record in a fixed buffer ------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See causal_json.h.
//
//===----------------------------------------------------------------------===//
#include "base/causal_json.h"

namespace __causal {
namespace {

/// The length of the UTF-8 sequence at P, or 0 if there is none: RFC 3629, so
/// without overlong forms, surrogates and what is beyond U+10FFFF. A terminator
/// in the sequence is no continuation byte and ends it.
unsigned sequenceLength(const unsigned char *P) {
  unsigned char Low = 0x80, High = 0xBF;
  unsigned Length;
  if (P[0] < 0x80)
    return 1;
  if (P[0] >= 0xC2 && P[0] <= 0xDF) {
    Length = 2;
  } else if (P[0] >= 0xE0 && P[0] <= 0xEF) {
    Length = 3;
    Low = P[0] == 0xE0 ? 0xA0 : Low;
    High = P[0] == 0xED ? 0x9F : High;
  } else if (P[0] >= 0xF0 && P[0] <= 0xF4) {
    Length = 4;
    Low = P[0] == 0xF0 ? 0x90 : Low;
    High = P[0] == 0xF4 ? 0x8F : High;
  } else {
    return 0;
  }
  for (unsigned I = 1; I != Length; ++I) {
    if (P[I] < Low || P[I] > High)
      return 0;
    Low = 0x80;
    High = 0xBF;
  }
  return Length;
}

void putEscaped(TextBuffer &Out, unsigned char C) {
  switch (C) {
  case '"':
    Out.put("\\\"");
    return;
  case '\\':
    Out.put("\\\\");
    return;
  case '\n':
    Out.put("\\n");
    return;
  case '\t':
    Out.put("\\t");
    return;
  }
  if (C >= 0x20 && C != 0x7F) {
    Out.put(static_cast<char>(C));
    return;
  }
  const char *Hex = "0123456789abcdef";
  Out.put("\\u00").put(Hex[C >> 4]).put(Hex[C & 15]);
}

} // namespace

size_t JsonRecord::end() {
  close('}');
  if (Depth)
    Broken = true;
  Out.put('\n');
  return overflowed() ? 0 : Out.size();
}

void JsonRecord::field(const char *Key, const char *Value) {
  separate(Key);
  putString(Value ? Value : "");
}

void JsonRecord::field(const char *Key, bool Value) {
  separate(Key);
  Out.put(Value ? "true" : "false");
}

void JsonRecord::real(const char *Key, double Value) {
  separate(Key);
  if (!(Value >= 0 && Value <= 1.7e308)) {
    Out.put("null");
    return;
  }
  long double Rest = Value;
  unsigned Exponent = 0;
  for (; Rest >= 1e18L; ++Exponent)
    Rest /= 10;
  Out.putUnsigned(static_cast<uint64_t>(Rest + 0.5L));
  if (Exponent)
    Out.put('e').putUnsigned(Exponent);
}

void JsonRecord::fixed(const char *Key, double Value, unsigned Decimals) {
  separate(Key);
  uint64_t Scale = 1;
  for (unsigned I = 0; I != Decimals && I != 9; ++I)
    Scale *= 10;
  // Also false for what is not a number.
  if (!(Value > -9.2e18 && Value < 9.2e18)) {
    Out.put("null");
    return;
  }
  double Magnitude = Value < 0 ? -Value : Value;
  uint64_t Whole = static_cast<uint64_t>(Magnitude);
  uint64_t Part = static_cast<uint64_t>(
      (Magnitude - static_cast<double>(Whole)) * static_cast<double>(Scale) + 0.5);
  if (Part >= Scale) {
    ++Whole;
    Part -= Scale;
  }
  if (Value < 0 && (Whole || Part))
    Out.put('-');
  Out.putUnsigned(Whole);
  if (Scale == 1)
    return;
  Out.put('.');
  while (Scale /= 10)
    Out.put(static_cast<char>('0' + Part / Scale % 10));
}

void JsonRecord::element(const char *Value) {
  separate(nullptr);
  putString(Value ? Value : "");
}

void JsonRecord::element(uint64_t Value) {
  separate(nullptr);
  Out.putUnsigned(Value);
}

void JsonRecord::open(char Bracket, const char *Key) {
  separate(Key);
  if (Depth == MaxDepth) {
    Broken = true;
    return;
  }
  Closers[Depth++] = Bracket == '{' ? '}' : ']';
  Out.put(Bracket);
  First = true;
}

void JsonRecord::close(char Bracket) {
  if (!Depth || Closers[Depth - 1] != Bracket) {
    Broken = true;
    return;
  }
  --Depth;
  Out.put(Bracket);
  First = false;
}

/// Begins a value; it needs a key in an object, and has none anywhere else.
void JsonRecord::separate(const char *Key) {
  bool InObject = Depth && Closers[Depth - 1] == '}';
  if (InObject != (Key != nullptr))
    Broken = true;
  if (!First)
    Out.put(',');
  First = false;
  if (!Key)
    return;
  putString(Key);
  Out.put(':');
}

void JsonRecord::putInteger(const char *Key, long long Value) {
  separate(Key);
  Out.putSigned(Value);
}

void JsonRecord::putUnsigned(const char *Key, unsigned long long Value) {
  separate(Key);
  Out.putUnsigned(Value);
}

void JsonRecord::putString(const char *Text) {
  Out.put('"');
  const auto *P = reinterpret_cast<const unsigned char *>(Text);
  while (*P) {
    unsigned Length = sequenceLength(P);
    if (Length == 1)
      putEscaped(Out, *P);
    for (unsigned I = 0; Length > 1 && I != Length; ++I)
      Out.put(static_cast<char>(P[I]));
    if (!Length)
      Out.put("\xEF\xBF\xBD"); // U+FFFD, one for each bad byte.
    P += Length ? Length : 1;
  }
  Out.put('"');
}

} // namespace __causal
