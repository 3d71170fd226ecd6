//===- ContinuousFuzzer.cpp - Hostile segments, image files, deltas -------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first byte says what the rest is. Checksums are made right, or hardly any input would
// come behind them; a segment is mostly zeros, so an input is a list of words to put into one.
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/Delta.h"
#include "lib/continuous/SegmentReader.h"
#include "lib/continuous/system/ProcessMaps.h"

#include <cstring>
#include <memory>

using namespace causal::continuous;
using namespace llvm;
using causal::segment::Segment;

static void check(bool Holds) {
  if (!Holds)
    __builtin_trap();
}

static void tryImageFile(StringRef Bytes) {
  std::string Text = "CAUSALI1" + Bytes.str();
  sealBytes(Text);
  if (auto S = decodeImageFile(Text)) {
    // What is accepted is written and read again as it is.
    auto Again = decodeImageFile(encodeImageFile(*S));
    check(Again && Again->Counts == S->Counts && Again->key() == S->key());
    check(StringRef(S->key()).find('/') == StringRef::npos);
    ImageSamples Sum = *S;
    Sum.add(*S);
    check(Sum.total() >= S->total());
  }
}

static void tryDelta(StringRef Bytes) {
  std::string Text = "CAUSALD1" + Bytes.str();
  sealBytes(Text);
  if (auto D = decodeDelta(Text))
    check(decodeDelta(encodeDelta(*D)).has_value());
}

static void trySegment(StringRef Bytes) {
  static auto S = std::make_unique<Segment>();
  std::memset(static_cast<void *>(S.get()), 0, sizeof(Segment));
  S->Magic = causal::segment::Magic;
  S->Size = sizeof(Segment);
  S->Period = S->Active = S->Images = 1;
  // Places near the beginning matter most.
  for (; Bytes.size() >= 11; Bytes = Bytes.drop_front(11)) {
    uint32_t At = 0;
    uint64_t Word;
    std::memcpy(&At, Bytes.data(), 3);
    std::memcpy(&Word, Bytes.data() + 3, 8);
    At %= sizeof(Segment) - 8;
    std::memcpy(reinterpret_cast<char *>(S.get()) + At, &Word, 8);
  }
  if (!isSegment(*S, sizeof(Segment)))
    return;
  for (uint64_t G : filledGenerations(*S))
    if (auto F = foldHalf(*S, G)) {
      uint64_t Sum = F->Dropped + F->Unmapped;
      for (const ImageSamples &I : F->Images) {
        Sum += I.total();
        std::string Text;
        encodeRecord(I, Text);
        StringRef Rest = Text;
        check(decodeRecord(Rest).has_value() && Rest.empty());
      }
      check(Sum == F->Samples);
    }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  if (!Size)
    return 0;
  StringRef Bytes(reinterpret_cast<const char *>(Data) + 1, Size - 1);
  switch (Data[0] % 4) {
  case 0:
    tryImageFile(Bytes);
    break;
  case 1:
    tryDelta(Bytes);
    break;
  case 2:
    trySegment(Bytes);
    break;
  default:
    ProcessMaps Maps;
    Maps.readMaps(1, Bytes);
  }
  return 0;
}
