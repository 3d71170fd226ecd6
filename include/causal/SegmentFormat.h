//===- SegmentFormat.h - The samples of a running process -------*- C++ -*-===//
//
// Part of the causal profiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In mode=continuous a process counts its samples in a file, the segment, which it maps and
// which a collector may map as well. Every word is valid at any instant: a process that is
// killed loses nothing. The runtime writes it (runtime/continuous), the tool folds it into
// the database (tools/causal/lib/continuous). Freestanding; everything here may be called in
// a sample handler.
//
// An entry is one word: which image, event and address, and how often. It stands in one of
// four places of its bucket. One that finds no place puts out the least counted of the four,
// which goes to the overflow buffer; where that is full, the sample is dropped and counted.
//
// There are two halves, each with a table, an overflow buffer and counters. Generation G
// counts in half G & 1. A half is full: its successor begins, if the collector has emptied
// the other half. The collector begins a generation as well, waits until nobody is in the
// half of the old one, folds it, has the result on disk, and empties it.
//
// In a half that nobody is in: Samples = counts in Table and Overflow + Dropped + Unmapped.
// Of a process that was killed inside, what is missing belongs to the InFlight last samples.
//
// While the process lives it has a flock on the file, by its mapping alone.
//
//===----------------------------------------------------------------------===//
#ifndef CAUSAL_SEGMENTFORMAT_H
#define CAUSAL_SEGMENTFORMAT_H

#include <stddef.h>
#include <stdint.h>

namespace causal {
namespace segment {

constexpr uint64_t Magic = 0x31534c4153554143; // "CAUSALS1"
constexpr unsigned Ways = 4, Buckets = 4096, OverflowWords = 8192, MaxImages = 250;

// An entry, from the highest bit: image 8 (from 1 on), event 4, address 32, count 20.
constexpr uint64_t CountMask = (uint64_t(1) << 20) - 1;
constexpr uint64_t MaxAddress = 0xffffffff;
constexpr uint64_t entryKey(unsigned Image, unsigned Event, uint64_t Address) {
  return uint64_t(Image) << 56 | uint64_t(Event & 15) << 52 | (Address & MaxAddress) << 20;
}
constexpr unsigned entryImage(uint64_t Entry) { return unsigned(Entry >> 56); }
constexpr unsigned entryEvent(uint64_t Entry) { return unsigned(Entry >> 52 & 15); }
constexpr uint64_t entryAddress(uint64_t Entry) { return Entry >> 20 & MaxAddress; }
constexpr uint64_t entryCount(uint64_t Entry) { return Entry & CountMask; }
constexpr unsigned bucketOf(uint64_t Key) {
  return unsigned((Key >> 20) * 0x9E3779B97F4A7C15u >> 52) % Buckets;
}

/// An image is known by its build-id, if it has one. A path that is too long lacks its
/// beginning.
struct Image {
  static constexpr unsigned MaxBuildId = 32, MaxPath = 223;
  uint8_t BuildIdSize;
  uint8_t BuildId[MaxBuildId];
  char Path[MaxPath];
};

struct Half {
  uint64_t Samples; ///< That were taken. A sample may count for several periods.
  uint64_t Dropped;
  uint64_t Unmapped; ///< In no image.
  uint64_t InFlight; ///< Threads that are counting a sample here.
  uint64_t Began;    ///< In seconds since 1970.
  uint64_t Taken;    ///< Places of Overflow that are given away; more than there are: it is full.
  uint64_t Table[Buckets][Ways];
  uint64_t Overflow[OverflowWords];
};

struct Segment {
  uint64_t Magic; ///< Written last.
  uint64_t Size;
  uint64_t Pid;
  uint64_t Start;  ///< In seconds since 1970.
  uint64_t Period; ///< In nanoseconds; of what one count stands for.
  uint64_t Ended;  ///< The process has said goodbye.
  uint64_t Active; ///< The generation that counts now. The first one is 1.
  /// Of each half the last generation that has been folded and emptied.
  uint64_t Collected[2];
  uint64_t Images; ///< Places given away; an image that entries name is complete.
  Image ImageTable[MaxImages];
  Half Halves[2];
};
static_assert(offsetof(Segment, Halves) % 8 == 0, "words are whole");

/// The last generation that counted in the half that does not count now.
constexpr uint64_t formerGeneration(uint64_t Active) { return Active - 1; }

/// Begins the generation after \p Active, unless the half that it needs is not empty yet or
/// it has begun already. Returns whether this call began it. Any process, any context.
inline bool beginGeneration(Segment &S, uint64_t Active, uint64_t Seconds) {
  uint64_t Next = Active + 1;
  if (__atomic_load_n(&S.Collected[Next & 1], __ATOMIC_ACQUIRE) != formerGeneration(Active))
    return false;
  __atomic_store_n(&S.Halves[Next & 1].Began, Seconds, __ATOMIC_RELAXED);
  return __atomic_compare_exchange_n(&S.Active, &Active, Next, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_SEQ_CST);
}

/// Whether nobody is in the half of \p Generation, which does not count any more.
inline bool isQuiet(const Segment &S, uint64_t Generation) {
  return __atomic_load_n(&S.Halves[Generation & 1].InFlight, __ATOMIC_SEQ_CST) == 0;
}

/// Empties the half of \p Generation, which is folded and quiet. May be repeated. Collector.
inline void emptyHalf(Segment &S, uint64_t Generation) {
  Half &H = S.Halves[Generation & 1];
  for (auto &Bucket : H.Table)
    for (uint64_t &Word : Bucket)
      if (Word)
        __atomic_store_n(&Word, 0, __ATOMIC_RELAXED);
  for (uint64_t &Word : H.Overflow)
    if (Word)
      __atomic_store_n(&Word, 0, __ATOMIC_RELAXED);
  // Not InFlight: who looks in, finds that his generation is over and leaves again.
  uint64_t *const Counters[] = {&H.Samples, &H.Dropped, &H.Unmapped, &H.Taken};
  for (uint64_t *Counter : Counters)
    __atomic_store_n(Counter, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&S.Collected[Generation & 1], Generation, __ATOMIC_RELEASE);
}

} // namespace segment
} // namespace causal

#endif // CAUSAL_SEGMENTFORMAT_H
