//===- ImageFile.cpp - The samples of one image ---------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/ImageFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace causal::continuous {

static constexpr StringLiteral Magic = "CAUSALI1";
static constexpr StringLiteral Names[NumEvents] = {"cpu", "cycles", "cache-misses", "branch-misses",
                                                   "totals"};
static constexpr size_t MaxBuildId = 128, MaxPath = 4096;

StringRef eventName(Event E) { return Names[unsigned(E)]; }

std::optional<Event> eventOf(StringRef Name) {
  for (unsigned I = 0; I < NumEvents; ++I)
    if (Names[I] == Name)
      return Event(I);
  return std::nullopt;
}

uint64_t totalAddress(Event Kind, Total What) { return uint64_t(Kind) << 8 | uint64_t(What); }

uint64_t saturatingSum(uint64_t A, uint64_t B) { return SaturatingAdd(A, B); }

uint64_t ImageSamples::total() const {
  uint64_t Sum = Thinned;
  for (const auto &[Address, Count] : Counts)
    Sum = saturatingSum(Sum, Count);
  return Sum;
}

void ImageSamples::add(const ImageSamples &Other) {
  if (!Other.Path.empty())
    Path = Other.Path;
  Thinned = saturatingSum(Thinned, Other.Thinned);
  for (const auto &[Address, Count] : Other.Counts) {
    uint64_t &Here = Counts[Address];
    Here = saturatingSum(Here, Count);
  }
}

std::string ImageSamples::key() const {
  std::string Who = BuildId;
  if (Who.empty())
    Who = Path.empty() ? "none" : "path-" + utohexstr(xxh3_64bits(Path), /*LowerCase=*/true, 16);
  return Who + "." + eventName(Kind).str() + "." + utostr(Period);
}

void putNumber(uint64_t Value, std::string &Out) {
  raw_string_ostream OS(Out);
  encodeULEB128(Value, OS);
}

void putText(StringRef Text, std::string &Out) {
  putNumber(Text.size(), Out);
  Out += Text;
}

// Not LLVM's, which shifts too far where a number goes on and on.
std::optional<uint64_t> takeNumber(StringRef &Bytes) {
  uint64_t Value = 0;
  for (unsigned I = 0; I < Bytes.size() && I < 10; ++I) {
    uint64_t Part = uint8_t(Bytes[I]) & 0x7f;
    if (I == 9 && Part > 1)
      return std::nullopt;
    Value |= Part << 7 * I;
    if (uint8_t(Bytes[I]) < 0x80) {
      Bytes = Bytes.drop_front(I + 1);
      return Value;
    }
  }
  return std::nullopt;
}

std::optional<std::string> takeText(StringRef &Bytes) {
  auto Length = takeNumber(Bytes);
  if (!Length || *Length > Bytes.size())
    return std::nullopt;
  std::string Text = Bytes.take_front(*Length).str();
  Bytes = Bytes.drop_front(*Length);
  return Text;
}

void sealBytes(std::string &Out) {
  char Sum[4];
  support::endian::write32le(Sum, crc32(arrayRefFromStringRef(Out)));
  Out.append(Sum, sizeof(Sum));
}

bool unsealBytes(StringRef &Bytes) {
  if (Bytes.size() < 4)
    return false;
  uint32_t Sum = support::endian::read32le(Bytes.end() - 4);
  Bytes = Bytes.drop_back(4);
  return crc32(arrayRefFromStringRef(Bytes)) == Sum;
}

void encodeRecord(const ImageSamples &S, std::string &Out) {
  for (uint64_t Number : {uint64_t(S.Kind), S.Period, S.LastDelta, S.Thinned})
    putNumber(Number, Out);
  putText(S.BuildId, Out);
  putText(S.Path, Out);
  putNumber(S.Counts.size(), Out);
  uint64_t Last = 0;
  for (const auto &[Address, Count] : S.Counts) {
    putNumber(Address - Last, Out);
    putNumber(Count, Out);
    Last = Address;
  }
}

// It becomes part of a file's name.
static bool isBuildId(StringRef Text) {
  return Text.size() <= MaxBuildId && all_of(Text, [](char C) { return isHexDigit(C); });
}

std::optional<ImageSamples> decodeRecord(StringRef &Bytes) {
  ImageSamples S;
  auto Kind = takeNumber(Bytes), Period = takeNumber(Bytes);
  auto LastDelta = takeNumber(Bytes), Thinned = takeNumber(Bytes);
  auto BuildId = takeText(Bytes), Path = takeText(Bytes);
  auto Entries = takeNumber(Bytes);
  if (!Kind || *Kind >= NumEvents || !Period || !LastDelta || !Thinned || !BuildId ||
      !isBuildId(*BuildId) || !Path || Path->size() > MaxPath || !Entries)
    return std::nullopt;
  S.Kind = Event(*Kind);
  S.Period = *Period;
  S.LastDelta = *LastDelta;
  S.Thinned = *Thinned;
  S.BuildId = std::move(*BuildId);
  S.Path = std::move(*Path);
  uint64_t Address = 0;
  for (uint64_t I = 0; I < *Entries; ++I) {
    auto Step = takeNumber(Bytes), Count = takeNumber(Bytes);
    if (!Step || !Count || Address + *Step < Address)
      return std::nullopt;
    Address += *Step;
    uint64_t &Here = S.Counts[Address];
    Here = saturatingSum(Here, *Count);
  }
  return S;
}

std::string encodeImageFile(const ImageSamples &S) {
  std::string Out = Magic.str();
  encodeRecord(S, Out);
  sealBytes(Out);
  return Out;
}

std::optional<ImageSamples> decodeImageFile(StringRef Bytes) {
  if (!unsealBytes(Bytes) || !Bytes.consume_front(Magic))
    return std::nullopt;
  auto S = decodeRecord(Bytes);
  return Bytes.empty() ? S : std::nullopt;
}

} // namespace causal::continuous
