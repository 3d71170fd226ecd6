//===- ProtoWriter.cpp ----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/export/ProtoWriter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Compression.h"

using namespace llvm;

namespace causal {

Error writeCompressed(StringRef Text, raw_ostream &OS) {
  if (!compression::zlib::isAvailable()) {
    OS << Text; // Readers take it as well.
    return Error::success();
  }
  SmallVector<uint8_t, 0> Z;
  compression::zlib::compress(arrayRefFromStringRef(Text), Z);
  // From zlib's frame (RFC 1950: two bytes, deflate, Adler-32) to gzip's (RFC
  // 1952). No time of making, so that equal profiles make equal files.
  constexpr size_t Head = 2, Tail = 4;
  if (Z.size() < Head + Tail)
    return createStringError(inconvertibleErrorCode(), "zlib failed to compress the profile");
  static const char GzipHead[] = {'\x1f', '\x8b', 8, 0, 0, 0, 0, 0, 0, '\xff'};
  OS.write(GzipHead, sizeof(GzipHead));
  OS << toStringRef(ArrayRef<uint8_t>(Z).drop_front(Head).drop_back(Tail));
  for (uint32_t Word : {crc32(arrayRefFromStringRef(Text)), uint32_t(Text.size())})
    for (unsigned Shift = 0; Shift < 32; Shift += 8)
      OS << char(Word >> Shift);
  return Error::success();
}

} // namespace causal
