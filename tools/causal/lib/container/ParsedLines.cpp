//===- ParsedLines.cpp ----------------------------------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/container/ParsedLines.h"

#include "llvm/Support/ErrorHandling.h"

#include <utility>

using namespace llvm;

namespace causal {

// Bytes. A batch fits into a core's own cache, parsed.
constexpr size_t BatchSize = 64 * 1024, FirstCapacity = 4096;

ParsedLines::ParsedLines(StringRef Text) : Rest(Text) {
  if (Parser.allocate(FirstCapacity, MaxNesting))
    report_bad_alloc_error("no memory for the parser of profiles");
  fill(*Current);
  if (Rest.empty())
    return;
  Pool.emplace(hardware_concurrency(1));
  Pool->async([this] { fill(*Ahead); });
}

ParsedLines::~ParsedLines() = default; // The pool waits for its thread first.

const ParsedLine *ParsedLines::next() {
  if (Next == Current->Size) {
    if (!Pool)
      return nullptr;
    Pool->wait();
    std::swap(Current, Ahead);
    Next = 0;
    if (Rest.empty())
      Pool.reset();
    else
      Pool->async([this] { fill(*Ahead); });
  }
  return &Current->Lines[Next++];
}

void ParsedLines::fill(Batch &B) {
  B.Size = 0;
  for (size_t Bytes = 0; Bytes < BatchSize && !Rest.empty(); ++B.Size) {
    if (B.Size == B.Lines.size())
      B.Lines.emplace_back();
    ParsedLine &L = B.Lines[B.Size];
    if (L.Document.capacity() > BatchSize)
      L.Document = simdjson::dom::document();
    size_t End = Rest.find('\n');
    L.Ended = End != StringRef::npos;
    StringRef Whole = Rest.take_front(End);
    Rest = L.Ended ? Rest.drop_front(End + 1) : StringRef();
    Bytes += Whole.size() + 1;
    L.Text = Whole.trim();
    // The parser looks a little beyond the end, so the last lines are copied.
    bool Copied = Rest.size() < simdjson::SIMDJSON_PADDING;
    L.Failed = Parser.parse_into_document(L.Document, L.Text.data(), L.Text.size(), Copied).error();
  }
}

} // namespace causal
