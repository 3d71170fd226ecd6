//===- Delta.cpp - What one round of collecting brought -------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/Delta.h"
#include "lib/continuous/Epoch.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace causal::continuous {

static constexpr StringLiteral Magic = "CAUSALD1";

void Delta::add(const std::string &Epoch, const ImageSamples &S) {
  auto [It, New] = Records.try_emplace({Epoch, S.key()}, S);
  if (!New)
    It->second.add(S);
}

std::string encodeDelta(const Delta &D) {
  std::string Out = Magic.str();
  putNumber(D.Claims.size(), Out);
  for (const auto &[Segment, Generation] : D.Claims) {
    putText(Segment, Out);
    putNumber(Generation, Out);
  }
  putNumber(D.Records.size(), Out);
  for (const auto &[Place, Record] : D.Records) {
    putText(Place.first, Out);
    encodeRecord(Record, Out);
  }
  sealBytes(Out);
  return Out;
}

std::optional<Delta> decodeDelta(StringRef Bytes) {
  if (!unsealBytes(Bytes) || !Bytes.consume_front(Magic))
    return std::nullopt;
  Delta D;
  auto Claims = takeNumber(Bytes);
  for (uint64_t I = 0; Claims && I < *Claims; ++I) {
    auto Segment = takeText(Bytes);
    auto Generation = takeNumber(Bytes);
    if (!Segment || !Generation)
      return std::nullopt;
    D.Claims.emplace(*Segment, *Generation);
  }
  auto Records = takeNumber(Bytes);
  if (!Claims || !Records)
    return std::nullopt;
  for (uint64_t I = 0; I < *Records; ++I) {
    auto Epoch = takeText(Bytes);
    if (!Epoch || !isEpoch(*Epoch))
      return std::nullopt;
    auto Record = decodeRecord(Bytes);
    if (!Record)
      return std::nullopt;
    D.add(*Epoch, *Record);
  }
  return Bytes.empty() ? std::optional(std::move(D)) : std::nullopt;
}

std::optional<uint64_t> deltaNumber(StringRef Name) {
  uint64_t Number;
  if (!Name.consume_back(".delta") || Name.getAsInteger(10, Number))
    return std::nullopt;
  return Number;
}

std::string deltaName(uint64_t Number) { return utostr(Number) + ".delta"; }

std::map<uint64_t, Delta> readDeltas(const Directory &Host,
                                     function_ref<void(const Twine &)> Warn) {
  std::map<uint64_t, Delta> Deltas;
  for (const std::string &Name : Host.names())
    if (auto Number = deltaNumber(Name))
      if (auto Text = Host.read(Name)) {
        if (auto D = decodeDelta(*Text))
          Deltas.emplace(*Number, std::move(*D));
        else if (Warn)
          Warn(Host.path() + "/" + Name + " is damaged: its samples are left out");
      }
  return Deltas;
}

} // namespace causal::continuous
