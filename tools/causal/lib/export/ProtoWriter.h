//===- ProtoWriter.h - The wire format of profile.proto ---------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As much of protobuf as pprof's format needs: messages, their table of texts, and the
// gzip around them.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_EXPORT_PROTOWRITER_H
#define CAUSAL_EXPORT_PROTOWRITER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace causal {

/// The two wire types that profile.proto needs; zero is a field's default and
/// is left out, as protobuf does.
class Message {
public:
  void number(unsigned Field, uint64_t Value) {
    if (!Value)
      return;
    llvm::raw_string_ostream OS(Text);
    llvm::encodeULEB128(Field << 3, OS);
    llvm::encodeULEB128(Value, OS);
  }
  void bytes(unsigned Field, llvm::StringRef Value) {
    llvm::raw_string_ostream OS(Text);
    llvm::encodeULEB128(Field << 3 | 2, OS);
    llvm::encodeULEB128(Value.size(), OS);
    OS << Value;
  }
  void packed(unsigned Field, llvm::ArrayRef<uint64_t> Values) {
    std::string Inner;
    llvm::raw_string_ostream Numbers(Inner);
    for (uint64_t V : Values)
      llvm::encodeULEB128(V, Numbers);
    bytes(Field, Inner);
  }
  void message(unsigned Field, const Message &M) { bytes(Field, M.Text); }
  llvm::StringRef text() const { return Text; }

private:
  std::string Text;
};

/// pprof's string table: text by its place, of which the first is empty. The
/// format asks for UTF-8.
class Strings {
public:
  uint64_t id(llvm::StringRef Text) {
    auto [It, New] = Ids.try_emplace(Text, Ids.size());
    if (New)
      List.push_back(It->getKey());
    return It->second;
  }
  Strings() { id(""); }
  std::vector<llvm::StringRef> List;

private:
  llvm::StringMap<uint64_t> Ids;
};

inline Message valueType(uint64_t Type, uint64_t Unit) {
  Message M;
  M.number(1, Type);
  M.number(2, Unit);
  return M;
}

/// Compressed as gzip does where zlib is there. Equal texts make equal files.
llvm::Error writeCompressed(llvm::StringRef Text, llvm::raw_ostream &OS);

} // namespace causal

#endif // CAUSAL_EXPORT_PROTOWRITER_H
