//===- causal_text.h - Text in a fixed buffer -------------------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds messages, paths and records where printf may not be called. Used by
// the flag parser, the output path and the JSON records. Any context, sample
// handler included; allocates and blocks never. What does not fit is dropped
// and noted.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_TEXT_H
#define CAUSAL_TEXT_H

#include <stddef.h>
#include <stdint.h>

namespace __causal {

/// Where a pure part sends a finished line: no prefix, no newline at its end.
/// The text lives only for the call. A zeroed reporter drops everything.
struct LineReporter {
  void (*Function)(void *Context, const char *Line) = nullptr;
  void *Context = nullptr;

  void operator()(const char *Line) const {
    if (Function)
      Function(Context, Line);
  }
};

inline size_t textLength(const char *Text) {
  size_t Length = 0;
  while (Text[Length])
    ++Length;
  return Length;
}

inline bool textEquals(const char *A, const char *B) {
  while (*A && *A == *B)
    ++A, ++B;
  return *A == *B;
}

inline bool textHas(const char *Text, char Wanted) {
  while (*Text && *Text != Wanted)
    ++Text;
  return *Text != '\0';
}

/// Appends to a caller's buffer, which always holds a terminated string.
class TextBuffer {
public:
  /// Size counts the terminator and must not be 0.
  TextBuffer(char *Buffer, size_t Size) : Data(Buffer), Capacity(Size - 1) { Data[0] = '\0'; }

  TextBuffer &put(char C) {
    if (Used == Capacity) {
      Overflowed = true;
      return *this;
    }
    Data[Used++] = C;
    Data[Used] = '\0';
    return *this;
  }

  TextBuffer &put(const char *Text) {
    while (*Text)
      put(*Text++);
    return *this;
  }

  TextBuffer &putUnsigned(uint64_t Value) {
    char Digits[20];
    unsigned Count = 0;
    do
      Digits[Count++] = static_cast<char>('0' + Value % 10);
    while (Value /= 10);
    while (Count)
      put(Digits[--Count]);
    return *this;
  }

  TextBuffer &putSigned(int64_t Value) {
    uint64_t Magnitude = static_cast<uint64_t>(Value);
    if (Value < 0) {
      put('-');
      Magnitude = 0 - Magnitude;
    }
    return putUnsigned(Magnitude);
  }

  const char *text() const { return Data; }
  size_t size() const { return Used; }
  bool overflowed() const { return Overflowed; }

private:
  char *Data;
  size_t Capacity;
  size_t Used = 0;
  bool Overflowed = false;
};

/// The number at P, which moves behind it and the blank that follows.
inline uint64_t takeNumber(const char *&P) {
  uint64_t N = 0;
  for (; *P >= '0' && *P <= '9'; ++P)
    N = N * 10 + static_cast<uint64_t>(*P - '0');
  P += *P == ' ';
  return N;
}

} // namespace __causal

#endif // CAUSAL_TEXT_H
