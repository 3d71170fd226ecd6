//===- causal_json.h - A JSON record in a fixed buffer ----------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds one line of a profile (ProfileFormat.h) for one write(2). Called by
// the profile writer; the buffer is the caller's.
//
//   JsonRecord R(Buffer, sizeof(Buffer));
//   R.begin();
//   R.field("type", "experiment");
//   R.field("index", Index);              // any integer, or bool
//   R.beginArray("points");
//   R.beginObject();
//   R.fixed("in_flight", 1.25);
//   R.endObject();
//   R.endArray();
//   if (size_t Length = R.end())
//     write(Fd, Buffer, Length);
//
// Every finished record is valid JSON in UTF-8, whatever the strings hold:
// bytes that are not UTF-8 become U+FFFD. Any context; allocates and blocks
// never.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_JSON_H
#define CAUSAL_JSON_H

#include "base/causal_text.h"

namespace __causal {

class JsonRecord {
public:
  /// Size must not be 0.
  JsonRecord(char *Buffer, size_t Size) : Out(Buffer, Size) {}

  /// Opens the record: once, before anything else.
  void begin() { open('{'); }
  /// Closes it with a newline. Returns its length, or 0 if it did not fit or
  /// something in it is still open: then the buffer is not to be written.
  size_t end();

  /// A member of the innermost object. A null string is an empty one.
  void field(const char *Key, const char *Value);
  void field(const char *Key, bool Value);
  void field(const char *Key, int Value) { putInteger(Key, Value); }
  void field(const char *Key, long Value) { putInteger(Key, Value); }
  void field(const char *Key, long long Value) { putInteger(Key, Value); }
  void field(const char *Key, unsigned Value) { putUnsigned(Key, Value); }
  void field(const char *Key, unsigned long Value) { putUnsigned(Key, Value); }
  void field(const char *Key, unsigned long long Value) { putUnsigned(Key, Value); }
  /// With Decimals (at most 9) digits after the point, rounded half away from
  /// zero; what is not a number, or not within +-2^63, is written as null.
  void fixed(const char *Key, double Value, unsigned Decimals = 6);

  /// With 17 significant digits at least, whatever its size; what is not a number, or below
  /// 0, is written as null. What lies between integers is rounded to one.
  void real(const char *Key, double Value);

  /// Nested values: with a key as a member of an object, without as an element
  /// of an array. At most 8 may be open.
  void beginObject(const char *Key = nullptr) { open('{', Key); }
  void endObject() { close('}'); }
  void beginArray(const char *Key = nullptr) { open('[', Key); }
  void endArray() { close(']'); }
  /// An element of the innermost array.
  void element(const char *Value);
  void element(uint64_t Value);

  bool overflowed() const { return Broken || Out.overflowed(); }

private:
  static constexpr unsigned MaxDepth = 8;

  void open(char Bracket, const char *Key = nullptr);
  void close(char Bracket);
  void separate(const char *Key);
  void putInteger(const char *Key, long long Value);
  void putUnsigned(const char *Key, unsigned long long Value);
  void putString(const char *Text);

  TextBuffer Out;
  char Closers[MaxDepth] = {};
  unsigned Depth = 0;
  bool First = true;
  bool Broken = false;
};

} // namespace __causal

#endif // CAUSAL_JSON_H
