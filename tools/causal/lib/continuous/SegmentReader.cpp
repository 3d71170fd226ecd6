//===- SegmentReader.cpp - What a segment says ----------------------------===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/continuous/SegmentReader.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace causal::continuous {

using segment::Half;
using segment::Segment;

// No program has run for as many periods.
static constexpr uint64_t MostSamples = uint64_t(1) << 48;
static constexpr uint64_t MostPeriod = uint64_t(1) << 40;

bool isSegment(const Segment &S, size_t Size) {
  return Size == sizeof(Segment) && S.Magic == segment::Magic && S.Size == Size && S.Period &&
         S.Period <= MostPeriod && S.Images <= segment::MaxImages && S.Active;
}

static ImageSamples imageOf(const segment::Image &I) {
  ImageSamples S;
  unsigned Size = std::min<unsigned>(I.BuildIdSize, segment::Image::MaxBuildId);
  S.BuildId = toHex(ArrayRef(I.BuildId, Size), /*LowerCase=*/true);
  S.Path = StringRef(I.Path, segment::Image::MaxPath).split('\0').first.str();
  return S;
}

std::optional<FoldedHalf> foldHalf(const Segment &S, uint64_t Generation) {
  const Half &H = S.Halves[Generation & 1];
  // By image and event.
  std::map<std::pair<unsigned, unsigned>, ImageSamples> Images;
  FoldedHalf F;
  F.Began = H.Began;
  F.Samples = H.Samples;
  F.Dropped = H.Dropped;
  F.Unmapped = H.Unmapped;
  if (std::max({F.Samples, F.Dropped, F.Unmapped}) > MostSamples)
    return std::nullopt;
  uint64_t Found = F.Dropped + F.Unmapped;
  auto Take = [&](uint64_t Word) {
    if (!Word)
      return true;
    unsigned Image = segment::entryImage(Word), Kind = segment::entryEvent(Word);
    if (!Image || Image > S.Images || Kind >= NumEvents || Event(Kind) == Event::Totals)
      return false;
    auto [It, New] = Images.try_emplace({Image, Kind});
    if (New) {
      It->second = imageOf(S.ImageTable[Image - 1]);
      It->second.Kind = Event(Kind);
      It->second.Period = S.Period;
    }
    It->second.Counts[segment::entryAddress(Word)] += segment::entryCount(Word);
    Found += segment::entryCount(Word);
    return true;
  };
  for (const auto &Bucket : H.Table)
    for (uint64_t Word : Bucket)
      if (!Take(Word))
        return std::nullopt;
  for (uint64_t Word : H.Overflow)
    if (!Take(Word))
      return std::nullopt;
  // More than it took, or less without anybody who was at it.
  if (Found > F.Samples || (Found < F.Samples && !H.InFlight))
    return std::nullopt;
  F.Torn = F.Samples - Found;
  F.Dropped += F.Torn;
  for (auto &[Which, Image] : Images)
    F.Images.push_back(std::move(Image));
  return F;
}

std::vector<uint64_t> filledGenerations(const Segment &S) {
  std::vector<uint64_t> Generations;
  uint64_t Former = segment::formerGeneration(S.Active);
  if (Former && S.Collected[Former & 1] != Former)
    Generations.push_back(Former);
  Generations.push_back(S.Active);
  return Generations;
}

} // namespace causal::continuous
